package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/serve"
	"github.com/loadstone-hpc/loadstone/cmd/internal/serve/web"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/live"
)

// serveOptions say what a live service watches, and who may ask it.
type serveOptions struct {
	Source sourceOptions
	Store  string        `opt:"store" group:"Answers" common:"true" help:"<folder> of the store, from which a restart continues (default: nothing is kept)"`
	Live   live.Options  `group:"Answers"`
	Listen string        `opt:"listen" default:"127.0.0.1:8080" group:"Requests" common:"true" help:"<address> to listen on; an address that others can reach needs --token-file"`
	HTTP   serve.Options `group:"Requests"`
	Config string        `opt:"config" group:"Operation" common:"true" help:"<file> with settings, one a line, such as: listen = 127.0.0.1:9000"`
	Log    logOptions

	settings []any // the effective configuration, for the log
}

func newServeCmd(a *app, run func(context.Context, *app, serveOptions) error) *cobra.Command {
	o := serveOptions{Live: live.DefaultOptions()}
	cmd := &cobra.Command{
		Use:   "serve {--slurm | --state FILE | --replay LOG}",
		Short: "Predict waits over HTTP, for a live machine",
		Long: `Watches a machine and answers, over HTTP and on a web page, how long a request
or a pending job will wait. Each answer about a real job is recorded and
compared with the wait when the job starts, so that every answer comes with the
share of such answers that proved right here.`,
		Example: `  loadstone serve --replay jobs.swf.gz --speed 1000
  loadstone serve --slurm --store /var/lib/loadstone`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			from, err := flags.Settings(cmd)
			if err != nil {
				return err
			}
			if err := o.check(cmd, from); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	cmd.Annotations = map[string]string{flags.Details: `A flag that is not given is taken from the environment (LOADSTONE_STORE for
--store, and so on), and then from the --config file, which has lines such as
"store = DIR".

SIGINT, SIGTERM and SIGHUP stop the service: it finishes the requests under way,
writes the store to the disk and exits with code 0. A second signal ends it at
once. If the store cannot be written the service exits with code 1.`}
	flags.Bind(cmd, &o)
	cmd.PreRunE = nil // the settings come first
	return cmd
}

const (
	// gcPercent is GOGC of a service and of a report, unless the environment sets it.
	gcPercent = 40
	// threadsPerCore keeps 99 % of the answers within 10 ms while schedules are simulated.
	threadsPerCore = 4
)

// runServe answers until the context ends.
func runServe(ctx context.Context, a *app, o serveOptions) (err error) {
	a.lasting.Store(true)
	par.AnswerFirst(threadsPerCore, os.Getenv("GOMAXPROCS"))
	if os.Getenv("GOGC") == "" {
		// A service holds much for long: memory is dearer here than collections are.
		debug.SetGCPercent(gcPercent)
	}
	context.AfterFunc(ctx, func() { signal.Reset(endings()...) })
	log := o.Log.logger(a)
	log.Info("starting", append([]any{"version", version.Number}, o.settings...)...)
	w, err := o.watch(ctx, a, log)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, w.close()) }()
	l := o.Live
	l.Journal, l.Observe = w.journal, (&observer{ctx: ctx, log: log}).observe
	service, err := live.New(w.feed, w.origin, l)
	if err != nil {
		return err
	}
	o.HTTP.Log, o.HTTP.Page = log, web.Files()
	server, err := serve.New(service, o.HTTP)
	if err != nil {
		return err
	}
	return o.serve(ctx, log, service, server)
}

// serve runs the service, and answers requests meanwhile. A service that fails ends it; one
// whose source has ended goes on answering.
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
		notify(log, "STOPPING=1")
	})
	ran := make(chan error, 1)
	go func() {
		err := service.Run(ctx)
		if err != nil {
			stop()
		}
		ran <- err
	}()
	notify(log, "READY=1")
	err = server.Serve(ctx, listener)
	stop()
	<-told // else the process may end before it has said so
	return cmp.Or(<-ran, err)
}

// close ends what watch has opened, the store last.
func (w *watched) close() error {
	var err error
	if w.end != nil {
		err = w.end()
	}
	if w.journal != nil {
		err = errors.Join(err, w.journal.Close())
	}
	return err
}
