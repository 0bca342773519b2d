package serve

import (
	"log/slog"
	"net/http"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Options configure a Server. The zero value requires no token, and so can listen only on the
// loopback.
type Options struct {
	// TokenFile is the file with the token that requests need; "" for none. It is read by New.
	TokenFile string `opt:"token-file" group:"Requests" common:"true" help:"<file> with the token that requests must carry"`
	// Hosts are names accepted in the Host header, besides the loopback, if there is no token.
	Hosts []string `opt:"hosts" help:"further <names> of this machine in URLs, by commas, such as that of a reverse proxy"`
	// FrameAncestors are the origins whose pages may frame the page, such as
	// https://ondemand.example.org, in addition to the server's own origin.
	FrameAncestors []string `opt:"frame-ancestors" help:"<origins> whose pages may frame the page, by commas, such as https://ondemand.example.org"`
	// Page maps paths to the page's files. They need no token: they contain no data of the machine.
	Page map[string]http.Handler
	// Log gets a line for each request; nil for no log.
	Log *slog.Logger
}

// Check returns a *workload.OptionError for origins that would end a directive or a header.
func (o *Options) Check() error {
	for _, origin := range o.FrameAncestors {
		if origin == "" || strings.ContainsAny(origin, ";, \t\r\n") || !isPrintable(origin) {
			return workload.OptionFault("frame-ancestors", shown(origin), "origins, such as https://ondemand.example.org")
		}
	}
	return nil
}
