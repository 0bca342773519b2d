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

// response records the status that is written.
type response struct {
	http.ResponseWriter
	status int // 0 until it is written
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

// Unwrap returns the underlying writer, for http.ResponseController.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// observe logs and counts each request, and turns a panic into status 500. Queries and
// headers are not logged, since they contain names and tokens.
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
				panic(http.ErrAbortHandler) // a partial answer must not look complete
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
		method = "other" // clients can send arbitrary methods
	}
	bytes, _ := strconv.Atoi(w.Header().Get("Content-Length")) // 0 for chunked responses
	s.options.Log.Log(r.Context(), level, "request", "method", method, "route", route, "status", status, "duration_s", took.Seconds(), "bytes", bytes)
}

// routeOf returns the path of the matched route, "none" for requests rejected before routing.
func routeOf(r *http.Request) string {
	return cmp.Or(r.Pattern[strings.IndexByte(r.Pattern, ' ')+1:], "none")
}
