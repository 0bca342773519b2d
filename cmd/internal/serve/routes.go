package serve

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// route is an operation of the API.
type route struct {
	method     string
	path       string // of Go's mux
	parameters []string
	// atOnce is how many may be answered at once, where bodies or answers are large; 0 is
	// no limit.
	atOnce int
	answer func(*Server, http.ResponseWriter, *http.Request, *query) (any, error)
}

// requestParameters are those of a request. time_s and memory_per_processor_kb, which
// answers have, are other names of time and memory.
var requestParameters = []string{"size", "time", "time_s", "memory", "memory_per_processor_kb", "partition", "queue", "user", "account"}

// routes are the operations of the API. What is not JSON is in plainRoutes.
var routes = []route{
	{"GET", "/v1/wait", requestParameters, 0, (*Server).wait},
	{"POST", "/v1/wait", nil, 32, (*Server).waits},
	{"GET", "/v1/jobs", []string{"ids", "partition", "state", "user", "limit"}, 32, (*Server).jobs},
	{"GET", "/v1/jobs/{id}", nil, 0, (*Server).job},
	{"GET", "/v1/scores", nil, 32, func(s *Server, _ http.ResponseWriter, _ *http.Request, _ *query) (any, error) {
		return s.service.Scores()
	}},
	{"GET", "/v1/advice", slices.Concat([]string{"run_times", "spread", "limits"}, requestParameters[3:]), 0, (*Server).advice},
	{"GET", "/v1/status", nil, 0, func(s *Server, _ http.ResponseWriter, _ *http.Request, _ *query) (any, error) {
		return s.service.Status(), nil
	}},
}

// mux registers the routes. A path of theirs with another method is 405. The page's files
// hold nothing of the machine: they need no token, nor does what says that the server
// lives.
func (s *Server) mux() *http.ServeMux {
	mux := http.NewServeMux()
	methods := map[string][]string{}
	handle := func(method, path string, h http.HandlerFunc) {
		mux.HandleFunc(method+" "+path, h)
		methods[path] = append(methods[path], method)
		if method == http.MethodGet {
			methods[path] = append(methods[path], http.MethodHead)
		}
	}
	for _, r := range routes {
		handle(r.method, r.path, s.private(s.operation(r)))
	}
	for _, p := range s.plainRoutes() {
		answer := p.answer
		if p.path != healthPath {
			answer = s.private(answer)
		}
		handle(http.MethodGet, p.path, answer)
	}
	for path, allow := range methods {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { s.notAllowed(w, allow) })
	}
	mux.HandleFunc("/", s.other)
	return mux
}

// operation reads the parameters of a request, has it answered and writes the answer.
func (s *Server) operation(r route) http.HandlerFunc {
	free := slots(make(chan struct{}, r.atOnce))
	return func(w http.ResponseWriter, req *http.Request) {
		if r.atOnce > 0 {
			if !free.take() {
				p := own(busy, http.StatusServiceUnavailable, "too many such requests at once: try again later")
				p.retry = 1
				writeProblem(w, p)
				return
			}
			defer free.release() // after the answer is written: until then it is held whole
		}
		ctx, cancel := context.WithTimeout(req.Context(), answerTimeout)
		defer cancel()
		q, err := parseQuery(req.URL.RawQuery, r.parameters)
		if err == nil {
			var body any
			if body, err = r.answer(s, w, req.WithContext(ctx), q); err == nil {
				err = writeJSON(w, "application/json", http.StatusOK, body)
			}
		}
		if err != nil {
			s.fail(w, req, err)
		}
	}
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p, ok := problemOf(err)
	if !ok {
		s.options.Log.Error("failed", "route", r.Pattern, "error", err)
	}
	writeProblem(w, p)
}

func (s *Server) notAllowed(w http.ResponseWriter, allow []string) {
	p := plain(http.StatusMethodNotAllowed, "want %s", strings.Join(allow, " or "))
	p.allow = allow
	writeProblem(w, p)
}

// slots count what is under way.
type slots chan struct{}

func (s slots) take() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s slots) release() { <-s }
