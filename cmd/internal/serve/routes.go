package serve

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"github.com/loadstone-hpc/loadstone/live"
)

// route is an operation of the API. The exported fields are used by the OpenAPI template.
type route struct {
	Name, Path  string // Path is a pattern of http.ServeMux
	Does, Gives string // descriptions of the operation and of its response
	Posts       bool   // the method is POST, not GET
	Open        bool   // it needs no token, since it returns no data of the machine

	Fault  int    // error status that it has besides those of every route
	Result string // name of the type of the answer

	question any // pointer to a struct that declares the parameters; nil for none
	atOnce   int // limit of concurrent requests, if bodies or answers are large; 0 for no limit
	answer   func(*Server, http.ResponseWriter, *http.Request) (any, error)
}

func (r *route) method() string {
	if r.Posts {
		return http.MethodPost
	}
	return http.MethodGet
}

// asks returns a route whose parameters form a question to the Service.
func asks[Q, A any](r route, ask func(Service, context.Context, Q) (*A, error)) route {
	r.question, r.Result = new(Q), reflect.TypeFor[A]().Name()
	r.answer = func(s *Server, _ http.ResponseWriter, req *http.Request) (any, error) {
		values, err := url.ParseQuery(req.URL.RawQuery)
		if err != nil {
			return nil, badParameter.of("cannot read the query: want name=value pairs joined by &, with other characters as %%XX")
		}
		if id := req.PathValue("id"); id != "" {
			values.Add("id", id)
		}
		var question Q
		if err := bind(&question, values); err != nil {
			return nil, err
		}
		return ask(s.service, req.Context(), question)
	}
	return r
}

// tells returns a route without parameters.
func tells[A any](r route, tell func(Service) (*A, error)) route {
	return asks(r, func(s Service, _ context.Context, _ struct{}) (*A, error) { return tell(s) })
}

// text is an answer whose body is written as it is, not encoded as JSON.
type text struct {
	kind string
	body []byte
}

// jobQuestion asks for a job.
type jobQuestion struct {
	ID string `opt:"id" help:"number of a job, or its name such as 123_4"`
}

// isJob matches a number, a task of an array, such as 123_4, or a component of a
// heterogeneous job, such as 123+1.
var isJob = regexp.MustCompile(`^[0-9]{1,19}([_+][0-9]{1,19})?$`)

const (
	healthPath  = "/healthz"
	readyPath   = "/readyz"
	metricsPath = "/metrics"
	openAPIPath = "/openapi.json"
	plainText   = "text/plain; charset=utf-8"
)

// routes returns all operations; those of the same path are adjacent.
func routes() []route {
	openAPI := sync.OnceValue(OpenAPI)
	return []route{
		asks(route{Name: "wait", Path: "/v1/wait", Does: "How long a request would wait",
			Gives: "The expected wait and its bounds.", Fault: http.StatusUnprocessableEntity}, Service.Wait),
		{Name: "waits", Path: "/v1/wait", Does: "How long many requests, or sizes of one request, would wait",
			Gives: "An answer for each request, in their order. One that cannot be answered is the error of all.", Posts: true, Fault: http.StatusRequestEntityTooLarge, atOnce: 32,
			Result: "Answers", answer: (*Server).waits},
		asks(route{Name: "jobs", Path: "/v1/jobs", Does: "Pending and running jobs",
			Gives: "The queue as it is: pending jobs in the order of the scheduler, then running ones.", Fault: http.StatusUnprocessableEntity, atOnce: 32}, Service.Jobs),
		asks(route{Name: "job", Path: "/v1/jobs/{id}", Does: "When a job will start",
			Gives: "The prediction for the job.", Fault: http.StatusNotFound},
			func(s Service, ctx context.Context, q jobQuestion) (*live.Answer, error) {
				if !isJob.MatchString(q.ID) {
					return nil, parameterFault("id", shown(q.ID), "a job number, such as 123 or 123_4")
				}
				return s.Job(ctx, q.ID)
			}),
		tells(route{Name: "scores", Path: "/v1/scores", Does: "How often the answers have held",
			Gives: "Scores by predictor and quantile, and of expected starts.", atOnce: 32}, Service.Scores),
		tells(route{Name: "status", Path: "/v1/status", Does: "Whether the service can answer, and from how old a state",
			Gives: "The state of the service."},
			func(s Service) (*live.Status, error) { return new(s.Status()), nil }),
		tells(route{Name: "healthz", Path: healthPath, Does: "Whether the service runs", Gives: "It runs.", Open: true},
			func(Service) (*text, error) { return &text{plainText, []byte("ok\n")}, nil }),
		tells(route{Name: "readyz", Path: readyPath, Does: "Whether answers are based on a fresh state", Gives: "The state is fresh."}, ready),
		{Name: "metrics", Path: metricsPath, Does: "Metrics for Prometheus", Gives: "Metrics in the text format.", Result: "text",
			answer: func(s *Server, w http.ResponseWriter, r *http.Request) (any, error) {
				s.metrics.ServeHTTP(w, r)
				return nil, nil
			}},
		tells(route{Name: "openapi", Path: openAPIPath, Does: "This document", Gives: "OpenAPI 3.1."},
			func(Service) (*text, error) {
				return &text{"application/json", openAPI()}, nil
			}),
	}
}

// ready answers "ready" if answers are based on a fresh state, and returns a problem otherwise.
func ready(s Service) (*text, error) {
	st := s.Status()
	if st.Ready {
		return &text{plainText, []byte("ready\n")}, nil
	}
	p := notReady.of("the service is %s", st.Phase)
	switch {
	case st.Phase == live.Learning:
		p.Detail += fmt.Sprintf(": %d events so far", st.Learned)
	case st.State.Stale:
		p.Detail = fmt.Sprintf("the state is %.0f s old", float64(st.State.Age))
	}
	if st.Fault != "" {
		p.Detail += "; the last poll failed: " + st.Fault
	}
	return nil, p
}

// mux registers the routes and the files of the page. Other methods on their paths get status
// 405.
func (s *Server) mux() *http.ServeMux {
	mux := http.NewServeMux()
	allowed := map[string][]string{}
	handle := func(method, path string, h http.Handler) {
		mux.Handle(method+" "+path, h)
		allowed[path] = append(allowed[path], method)
		if method == http.MethodGet {
			allowed[path] = append(allowed[path], http.MethodHead)
		}
	}
	for _, r := range routes() {
		handle(r.method(), r.Path, s.private(r.Open, s.handle(r)))
	}
	for path, file := range s.options.Page {
		handle(http.MethodGet, path, file)
	}
	for path, methods := range allowed {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			p := plain(http.StatusMethodNotAllowed, "want %s", strings.Join(methods, " or "))
			p.allow = methods
			writeProblem(w, p)
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeProblem(w, plain(http.StatusNotFound, "there is nothing at this path: see %s", openAPIPath))
	})
	return mux
}

// handle returns a handler that answers the requests of a route.
func (s *Server) handle(r route) http.HandlerFunc {
	free := make(slots, r.atOnce)
	return func(w http.ResponseWriter, req *http.Request) {
		if r.atOnce > 0 {
			if !free.take() {
				p := busy.of("too many such requests at once: try again later")
				p.retry = 1
				writeProblem(w, p)
				return
			}
			defer free.release() // after the answer is written, since it is held in memory until then
		}
		ctx, cancel := context.WithTimeout(req.Context(), answerTimeout)
		defer cancel()
		body, err := r.answer(s, w, req.WithContext(ctx))
		if t, ok := body.(*text); ok && err == nil {
			writeText(w, t.kind, http.StatusOK, t.body)
		} else if body != nil && err == nil {
			err = writeJSON(w, "application/json", http.StatusOK, body)
		}
		if err == nil {
			return
		}
		p, ok := problemOf(err)
		if !ok {
			s.options.Log.Error("failed", "route", req.Pattern, "error", err)
		}
		writeProblem(w, p)
	}
}

// slots limits the number of concurrent operations to its capacity.
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
