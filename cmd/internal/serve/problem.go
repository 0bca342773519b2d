package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Problem holds the details of an error (RFC 9457), with the parameter at fault.
type Problem struct {
	Type      string `json:"type" help:"The kind of problem."`
	Title     string `json:"title" help:"The kind of problem in words."`
	Status    int    `json:"status" help:"The HTTP status."`
	Detail    string `json:"detail,omitempty" help:"What was seen, and what is expected."`
	Parameter string `json:"parameter,omitempty" help:"The parameter or member at fault."`

	retry int      // Retry-After in seconds; 0 for none
	allow []string // methods for the Allow header of a 405
}

func (p *Problem) Error() string { return p.Detail }

// kind is a problem type defined by this API. Other problems have the type about:blank and the
// title of their status.
type kind struct {
	status     int
	urn, title string
}

var (
	badParameter = kind{http.StatusBadRequest, "bad-parameter", "A parameter is missing, unknown or cannot be read"}
	badBody      = kind{http.StatusBadRequest, "bad-body", "The body cannot be read"}
	unusable     = kind{http.StatusUnprocessableEntity, "unusable-parameter", "A parameter cannot be used on this machine"}
	unknownJob   = kind{http.StatusNotFound, "unknown-job", "The job is not known"}
	notReady     = kind{http.StatusServiceUnavailable, "not-ready", "The service cannot answer yet"}
	busy         = kind{http.StatusServiceUnavailable, "busy", "The service is busy"}
)

// plain returns a problem of the type about:blank.
func plain(status int, format string, args ...any) *Problem {
	p := &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
	if status == http.StatusServiceUnavailable {
		p.retry = 5
	}
	return p
}

// of returns a problem of the kind.
func (k kind) of(format string, args ...any) *Problem {
	p := plain(k.status, format, args...)
	p.Type, p.Title = "urn:loadstone:problem:"+k.urn, k.title
	return p
}

// parameterFault returns the problem of a parameter that cannot be read.
func parameterFault(name, saw, want string) *Problem {
	p := badParameter.of("%v", &workload.OptionError{Option: name, Saw: saw, Want: want})
	p.Parameter = name
	return p
}

const internal = "the service failed; its log says why"

// problemOf turns an error into a problem; ok is false for internal errors, whose details are
// not sent to the client.
func problemOf(err error) (p *Problem, ok bool) {
	var option *workload.OptionError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &p):
	case errors.As(err, &option):
		p = unusable.of("%v", option)
		p.Parameter = option.Option
	case errors.Is(err, live.ErrNotReady):
		p = notReady.of("%v", live.ErrNotReady)
	case errors.Is(err, live.ErrUnknownJob):
		p = unknownJob.of("no such job is queued or running")
	case errors.As(err, &tooLarge):
		p = plain(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", tooLarge.Limit)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		p = busy.of("the answer took too long")
	default:
		return plain(http.StatusInternalServerError, internal), false
	}
	return p, true
}

// shown quotes and shortens text sent by a client.
func shown(s string) string { return workload.Shorten([]byte(s)) }

// writeJSON writes a response with a JSON body. It escapes <, > and &, so that names of jobs and
// partitions cannot end a script element.
func writeJSON(w http.ResponseWriter, kind string, status int, body any) error {
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(body); err != nil {
		return err
	}
	writeText(w, kind, status, text.Bytes())
	return nil
}

func writeText(w http.ResponseWriter, kind string, status int, text []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may have left
}

// writeProblem answers with problem details.
func writeProblem(w http.ResponseWriter, p *Problem) {
	if p.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.retry))
	}
	if len(p.allow) > 0 {
		w.Header().Set("Allow", strings.Join(p.allow, ", "))
	}
	_ = writeJSON(w, "application/problem+json", p.Status, p) // cannot fail: p has only strings and a number
}
