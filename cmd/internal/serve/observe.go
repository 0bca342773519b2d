package serve

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// response counts what is written.
type response struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *response) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(text []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(text)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController find what the server offers.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// observe logs and counts each request, and turns a panic into status 500. Queries and
// headers are not logged: they have names and tokens.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		out := &response{ResponseWriter: w}
		defer func() {
			aborted := s.recovered(out, r, recover())
			s.count(out, r, time.Since(began))
			if aborted {
				panic(http.ErrAbortHandler) // half an answer must not look whole
			}
		}()
		next.ServeHTTP(out, r)
	})
}

// recovered answers a request whose handler has panicked; aborted says that it had begun
// to answer by then.
func (s *Server) recovered(w *response, r *http.Request, fault any) (aborted bool) {
	if fault == nil {
		return false
	}
	s.options.Log.Error("panic", "route", routeOf(r), "fault", fault, "stack", string(debug.Stack()))
	if w.status != 0 {
		return true
	}
	writeProblem(w, plain(http.StatusInternalServerError, "the service failed; its log says why"))
	return false
}

func (s *Server) count(w *response, r *http.Request, took time.Duration) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	route := routeOf(r)
	s.metrics.requests.WithLabelValues(route, strconv.Itoa(w.status)).Observe(took.Seconds())
	level := slog.LevelInfo
	if route == healthPath || route == readyPath || route == metricsPath {
		level = slog.LevelDebug
	}
	s.options.Log.LogAttrs(r.Context(), level, "request",
		slog.String("method", methodOf(r)), slog.String("route", route),
		slog.Int("status", w.status), slog.Float64("duration_s", took.Seconds()), slog.Int64("bytes", w.bytes))
}

// routeOf is the path of the route that answers, "none" of requests that were not let
// through.
func routeOf(r *http.Request) string {
	if r.Pattern == "" {
		return "none"
	}
	_, path, found := strings.Cut(r.Pattern, " ")
	if !found {
		path = r.Pattern
	}
	return path
}

// methodOf keeps a made-up method out of the log.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions, http.MethodPatch:
		return r.Method
	}
	return "other"
}
