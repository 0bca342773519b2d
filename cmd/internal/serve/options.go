package serve

import (
	"log/slog"
	"net/http"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Options say who may ask, and how much at once. The zero value serves on the loopback.
type Options struct {
	// TokenFile holds the token that requests need; "" is none. It is read when the service starts.
	TokenFile string `opt:"token-file" group:"Requests" common:"true" help:"<file> with the token that requests must carry"`
	// Hosts are further names in the Host header that are answered without a token.
	Hosts []string `opt:"hosts" help:"further <names> of this machine in URLs, by commas, such as that of a reverse proxy"`
	// FrameAncestors are the origins whose pages may frame the page, such as
	// https://ondemand.example.org; none stands for our own origin.
	FrameAncestors []string `opt:"frame-ancestors" help:"<origins> whose pages may frame the page, by commas, such as https://ondemand.example.org"`
	// Page has the page's files by path, which need no token: they hold nothing of the machine.
	Page map[string]http.Handler
	// Log gets a line a request; nil is no log.
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
