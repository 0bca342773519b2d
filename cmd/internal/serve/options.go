package serve

import (
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Options say who may ask, and how much at once. The zero value serves on the loopback.
type Options struct {
	// TokenFile holds the token that requests need; "" is none. A changed file is read again.
	TokenFile string `opt:"token-file" group:"Requests" common:"true" help:"<file> with the token that requests must carry"`
	// Hosts are further names in the Host header that are answered without a token.
	Hosts []string `opt:"hosts" help:"further <names> of this machine in URLs, by commas, such as that of a reverse proxy"`
	// FrameAncestors are the origins whose pages may frame the page, such as
	// https://ondemand.example.org; none stands for our own origin.
	FrameAncestors []string `opt:"frame-ancestors" help:"<origins> whose pages may frame the page, by commas, such as https://ondemand.example.org"`
	// Page answers / and the paths that are not of the API, without a token; nil answers
	// 404, as does what it does not find.
	Page http.Handler
	// Log gets a line a request; nil is no log.
	Log *slog.Logger
	// Connections is how many connections are open at once; 0 stands for 1024.
	Connections int
	// Grace is how long running requests may take once the service is to stop; 0 stands for
	// 10 s.
	Grace time.Duration
}

const (
	defaultConnections = 1024
	defaultGrace       = 10 * time.Second
)

// validate returns a *workload.OptionError for the first option that cannot be used.
func (o *Options) validate() error {
	switch {
	case o.Connections < 0:
		return workload.OptionFault("connections", o.Connections, "a number above 0")
	case o.Grace < 0:
		return workload.OptionFault("grace", o.Grace, "a time above 0")
	}
	for _, origin := range o.FrameAncestors {
		// What ends a directive or a header would add to them.
		if origin == "" || strings.ContainsAny(origin, ";, \t\r\n") || !isPrintable(origin) {
			return workload.OptionFault("frame-ancestors", shown(origin), "origins, such as https://ondemand.example.org")
		}
	}
	return nil
}

func (o *Options) fill() {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Connections == 0 {
		o.Connections = defaultConnections
	}
	if o.Grace == 0 {
		o.Grace = defaultGrace
	}
}
