package cli

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/serve"
	"github.com/loadstone-hpc/loadstone/cmd/internal/serve/web"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/live"
)

// serveOptions specify the source of a live service, its answers, and who can send requests.
type serveOptions struct {
	noArgs
	Source live.SourceOptions
	Store  string        `opt:"store" group:"Answers" common:"true" help:"<folder> of the store, from which a restart continues (default: nothing is kept)"`
	Live   live.Options  `group:"Answers"`
	Listen string        `opt:"listen" default:"127.0.0.1:8080" group:"Requests" common:"true" help:"<address> to listen on; an address that others can reach needs --token-file"`
	HTTP   serve.Options `group:"Requests"`
	Config string        `opt:"config" group:"Operation" common:"true" help:"<file> with settings, one a line, such as: listen = 127.0.0.1:9000"`
	Log    logOptions
}

// logOptions specify the log of a service.
type logOptions struct {
	Format string `opt:"log-format" default:"text" help:"format of the log on standard error"`
	Level  string `opt:"log-level" default:"info" help:"lowest level that is logged"`
}

// Choices returns the values of an option.
func (logOptions) Choices(option string) []string {
	if option == "log-format" {
		return []string{"text", "json"}
	}
	return []string{"debug", "info", "warn", "error"}
}

// logger returns a logger that writes to standard error.
func (o *logOptions) logger(a *app) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(o.Level)) // cannot fail: Level is one of Choices
	if a.Quiet {
		level = slog.LevelError
	}
	h := &slog.HandlerOptions{Level: level}
	if o.Format == "json" {
		return slog.New(slog.NewJSONHandler(a.Err, h))
	}
	return slog.New(slog.NewTextHandler(a.Err, h))
}

// begin sets flags from the environment and the file of --config, before options are checked. It
// returns an error unless exactly one source is given.
func (o *serveOptions) begin(a *app) error {
	from, err := flags.Settings(a.cmd)
	if err != nil {
		return err
	}
	sources := []string{"slurm", "state", "replay"}
	var seen []string
	for _, name := range sources {
		if f := a.cmd.Flag(name); f.Changed && f.Value.String() != "false" {
			seen = append(seen, name+" (by "+from[name]+")")
		}
	}
	if len(seen) != 1 {
		return flags.Usagef("want exactly one of --%s, saw %s", strings.Join(sources, ", --"), cmp.Or(strings.Join(seen, " and "), "none"))
	}
	return nil
}

func (o *serveOptions) check(a *app) error {
	s := &o.Source
	if s.Replay == "" && s.Interval > 86400 {
		return flags.Usagef("--interval %g: want 0.1 to 86400 seconds", s.Interval)
	}
	if s.Replay != "" && !a.given("interval") { // at most one poll per second of real time
		s.Interval = max(s.Interval, s.Speed)
	}
	return o.Live.Validate()
}

// settingsOf returns the names and values of the flags that are set, for the log. It contains no
// token: tokens are in files, of which it has the names.
func settingsOf(cmd *cobra.Command) []any {
	var all []any
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		value := f.Value.String()
		if value == "" || value == "[]" || value == "0" || value == "false" || strings.HasPrefix(f.Name, "help") {
			return
		}
		all = append(all, f.Name, value)
	})
	return all
}

const (
	// gcPercent is the GOGC of a service and of a report, unless the environment sets it.
	gcPercent = 40
	// threadsPerCore is large enough for 99 % of the answers to take at most 10 ms while
	// schedules are simulated.
	threadsPerCore = 4
)

// run answers requests until ctx is done.
func (o *serveOptions) run(ctx context.Context, a *app) (_ *findings, err error) {
	a.lasting.Store(true)
	par.AnswerFirst(threadsPerCore, os.Getenv("GOMAXPROCS"))
	if os.Getenv("GOGC") == "" {
		// A service has a large long-lived heap, so memory matters more than the cost of
		// collections.
		debug.SetGCPercent(gcPercent)
	}
	context.AfterFunc(ctx, func() { signal.Reset(endings()...) })
	log := o.Log.logger(a)
	log.Info("starting", append([]any{"version", version.Number}, settingsOf(a.cmd)...)...)
	o.Source.Log = a.readOptions()
	w, err := live.OpenSource(ctx, o.Source, o.Store)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, w.Close()) }()
	switch {
	case w.Journal == nil:
		log.Warn("no --store: answers are not kept, and a restart begins anew")
	case w.Journal.Cut() > 0:
		log.Info("removed an incomplete last line of the journal", "store", o.Store, "bytes", w.Journal.Cut())
	}
	l := o.Live
	l.Journal, l.Observe = w.Journal, serve.Observer(ctx, log)
	service, err := live.New(w.Feed, w.Origin, l)
	if err != nil {
		return nil, err
	}
	o.HTTP.Log, o.HTTP.Page = log, web.Files()
	server, err := serve.New(service, o.HTTP)
	if err != nil {
		return nil, err
	}
	return nil, o.serve(ctx, log, service, server)
}

// serve runs the service and answers requests until ctx is done or the service fails. A service
// whose source has ended continues to answer.
func (o *serveOptions) serve(ctx context.Context, log *slog.Logger, service *live.Service, server *serve.Server) error {
	listener, err := server.Listen(o.Listen)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	log.Info("listening", "url", "http://"+listener.Addr().String())
	told := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer close(told)
		log.Info("stopping")
		serve.Notify(log, "STOPPING=1")
	})
	ran := make(chan error, 1)
	go func() {
		err := service.Run(ctx)
		if err != nil {
			stop()
		}
		ran <- err
	}()
	serve.Notify(log, "READY=1")
	err = server.Serve(ctx, listener)
	stop()
	<-told // otherwise the process may exit before it has reported that it is stopping
	return cmp.Or(<-ran, err)
}
