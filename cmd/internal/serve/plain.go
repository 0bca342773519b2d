package serve

import (
	_ "embed"
	"fmt"
	"net/http"
	"strings"

	"github.com/loadstone-hpc/loadstone/live"
)

const (
	healthPath  = "/healthz"
	readyPath   = "/readyz"
	metricsPath = "/metrics"
	openAPIPath = "/openapi.json"
)

// openAPI describes the routes, by the form OpenAPI 3.1.
//
//go:embed openapi.json
var openAPI []byte

// plainRoute is a route for machines, without parameters.
type plainRoute struct {
	path   string
	answer http.HandlerFunc
}

func (s *Server) plainRoutes() []plainRoute {
	return []plainRoute{
		{healthPath, func(w http.ResponseWriter, _ *http.Request) { writeText(w, plainText, http.StatusOK, []byte("ok\n")) }},
		{readyPath, s.ready},
		{metricsPath, s.metrics.serve},
		{openAPIPath, func(w http.ResponseWriter, _ *http.Request) {
			writeText(w, "application/json", http.StatusOK, openAPI)
		}},
	}
}

const plainText = "text/plain; charset=utf-8"

// ready says whether answers rest on a fresh state.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	st := s.service.Status()
	if st.Ready {
		writeText(w, plainText, http.StatusOK, []byte("ready\n"))
		return
	}
	p := own(notReady, http.StatusServiceUnavailable, "%s", "the service is "+st.Phase)
	switch {
	case st.Phase == live.Learning:
		p.Detail = fmt.Sprintf("the service is learning: %d events so far", st.Learned)
	case st.State.Stale:
		p.Detail = fmt.Sprintf("the state is %.0f s old", float64(st.State.Age))
	}
	if st.Fault != "" {
		p.Detail += "; the last poll failed: " + st.Fault
	}
	p.retry = retryAfter
	writeProblem(w, p)
}

// other answers paths that are not of the API.
func (s *Server) other(w http.ResponseWriter, r *http.Request) {
	if s.options.Page == nil || strings.HasPrefix(r.URL.Path, "/v1/") {
		s.nothing(w)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		s.notAllowed(w, []string{http.MethodGet, http.MethodHead})
		return
	}
	page := &pageWriter{ResponseWriter: w}
	s.options.Page.ServeHTTP(page, r)
	if page.missing {
		s.nothing(w)
	}
}

func (s *Server) nothing(w http.ResponseWriter) {
	writeProblem(w, plain(http.StatusNotFound, "there is nothing at this path: see %s", openAPIPath))
}

// pageWriter leaves out what the page says where it finds nothing.
type pageWriter struct {
	http.ResponseWriter
	missing bool
}

func (w *pageWriter) WriteHeader(status int) {
	if w.missing = status == http.StatusNotFound; !w.missing {
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *pageWriter) Write(text []byte) (int, error) {
	if w.missing {
		return len(text), nil
	}
	return w.ResponseWriter.Write(text)
}
