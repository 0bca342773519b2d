package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Limits of a connection. Together with Server.connections they bound the resources that clients
// can hold.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 15 * time.Second // of header and body
	writeTimeout  = 30 * time.Second // from the header on
	idleTimeout   = time.Minute
	mostHeader    = 16 << 10 // bytes
	answerTimeout = 10 * time.Second
)

// Server answers HTTP requests from a Service.
type Server struct {
	service Service
	options Options
	token   *token // nil without one
	metrics *metrics
	handler http.Handler

	connections int           // largest number of open connections
	grace       time.Duration // time that running requests have to finish when the server stops
}

// New returns a server with the given options. An error is a *workload.OptionError.
func New(service Service, o Options) (*Server, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{service: service, options: o, metrics: newMetrics(service, o.Log), connections: 1024, grace: 10 * time.Second}
	if o.TokenFile != "" {
		var err error
		if s.token, err = readToken(o.TokenFile); err != nil {
			return nil, err
		}
	}
	s.handler = s.observe(s.guard(s.mux()))
	return s, nil
}

// Serve answers requests on a listener until ctx is done, and closes the listener. Running
// requests then have the server's grace period to finish.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	limited := limit(listener, s.connections)
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    mostHeader,
		ErrorLog:          slog.NewLogLogger(s.options.Log.Handler(), slog.LevelDebug), // of connections
		BaseContext:       func(net.Listener) context.Context { return running },
	}
	limited.keepAlive = server.SetKeepAlivesEnabled
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(limited) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	bounded, stop := context.WithTimeout(running, s.grace)
	defer stop()
	if err := server.Shutdown(bounded); err != nil {
		s.options.Log.Warn("requests were cut off", "after", s.grace)
		_ = server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
