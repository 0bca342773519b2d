package serve

import (
	"cmp"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// response keeps the status that is written.
type response struct {
	http.ResponseWriter
	status int // 0 before there is one
}

func (w *response) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(text []byte) (int, error) {
	w.status = cmp.Or(w.status, http.StatusOK)
	return w.ResponseWriter.Write(text)
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
			fault, aborted := recover(), false
			if fault != nil {
				s.options.Log.Error("panic", "route", routeOf(r), "fault", fault, "stack", string(debug.Stack()))
				if aborted = out.status != 0; !aborted {
					writeProblem(out, plain(http.StatusInternalServerError, internal))
				}
			}
			s.count(out, r, time.Since(began))
			if aborted {
				panic(http.ErrAbortHandler) // half an answer must not look whole
			}
		}()
		next.ServeHTTP(out, r)
	})
}

func (s *Server) count(w *response, r *http.Request, took time.Duration) {
	route, status := routeOf(r), cmp.Or(w.status, http.StatusOK)
	s.metrics.observe(requestKey{route, status}, took.Seconds())
	level := slog.LevelInfo
	if route == healthPath || route == readyPath || route == metricsPath {
		level = slog.LevelDebug
	}
	method := r.Method
	if !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost}, method) {
		method = "other" // it may be made up, of anything
	}
	bytes, _ := strconv.Atoi(w.Header().Get("Content-Length")) // 0 of what is sent in parts
	s.options.Log.Log(r.Context(), level, "request", "method", method, "route", route, "status", status, "duration_s", took.Seconds(), "bytes", bytes)
}

// routeOf is the path of the route that answers, "none" of requests that were not let
// through.
func routeOf(r *http.Request) string {
	return cmp.Or(r.Pattern[strings.IndexByte(r.Pattern, ' ')+1:], "none")
}
