package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Limits of a connection. What a client may hold is the product of these and of
// Options.Connections.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 15 * time.Second // of header and body
	writeTimeout  = 30 * time.Second // from the header on
	idleTimeout   = time.Minute
	mostHeader    = 16 << 10 // bytes
	answerTimeout = 10 * time.Second
)

// Server answers HTTP requests by a Service.
type Server struct {
	service Service
	options Options
	token   *token // nil without one
	metrics *metrics
	handler http.Handler
}

// New returns a server. An error is a *workload.OptionError.
func New(service Service, o Options) (*Server, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	s := &Server{service: service, options: o, metrics: newMetrics(service, o.Log)}
	if o.TokenFile != "" {
		var err error
		if s.token, err = newToken(o.TokenFile, o.Log); err != nil {
			return nil, err
		}
	}
	s.handler = s.observe(s.guard(s.mux()))
	return s, nil
}

// Handler answers requests. Its limits are of one request: Serve has those of connections.
func (s *Server) Handler() http.Handler { return s.handler }

// Serve answers requests on a listener, which it closes, until ctx is done. Then it ends
// what runs, within Options.Grace. Without a token the listener must be on the loopback.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	if err := s.reachable(listener.Addr()); err != nil {
		_ = listener.Close()
		return err
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	limited := limit(listener, s.options.Connections)
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
	bounded, stop := context.WithTimeout(running, s.options.Grace)
	defer stop()
	if err := server.Shutdown(bounded); err != nil {
		s.options.Log.Warn("requests were cut off", "after", s.options.Grace)
		_ = server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
