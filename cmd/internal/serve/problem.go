package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/workload"
)

// problem is the details of an error: RFC 9457, with the parameter that is at fault.
type problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail,omitempty"`
	Parameter string `json:"parameter,omitempty"`

	retry int      // s; 0 is no Retry-After
	allow []string // methods of a 405
}

func (p *problem) Error() string { return p.Detail }

// Problems of our own; others have the type about:blank and the title of their status.
const (
	badParameter = "urn:loadstone:problem:bad-parameter"
	badBody      = "urn:loadstone:problem:bad-body"
	unusable     = "urn:loadstone:problem:unusable-parameter"
	unknownJob   = "urn:loadstone:problem:unknown-job"
	notReady     = "urn:loadstone:problem:not-ready"
	busy         = "urn:loadstone:problem:busy"
)

var titles = map[string]string{
	badParameter: "A parameter is missing, unknown or cannot be read",
	badBody:      "The body cannot be read",
	unusable:     "A parameter cannot be used on this machine",
	unknownJob:   "The job is not known",
	notReady:     "The service cannot answer yet",
	busy:         "The service is busy",
}

// retryAfter is when to ask again, s.
const retryAfter = 5

// plain is a problem that its status describes.
func plain(status int, format string, args ...any) *problem {
	return &problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

// own is a problem of our own.
func own(kind string, status int, format string, args ...any) *problem {
	return &problem{Type: kind, Title: titles[kind], Status: status, Detail: fmt.Sprintf(format, args...)}
}

// parameterFault is of a parameter that cannot be read.
func parameterFault(name, format string, args ...any) *problem {
	p := own(badParameter, http.StatusBadRequest, name+": "+format, args...)
	p.Parameter = name
	return p
}

// problemOf turns an error into a problem; ok is false for faults that say nothing to the
// client.
func problemOf(err error) (p *problem, ok bool) {
	var option *workload.OptionError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &p):
		return p, true
	case errors.As(err, &option):
		p = own(unusable, http.StatusUnprocessableEntity, "%s", option.Error())
		p.Parameter = option.Option
	case errors.Is(err, live.ErrNotReady):
		p = own(notReady, http.StatusServiceUnavailable, "%v", live.ErrNotReady)
		p.retry = retryAfter
	case errors.Is(err, live.ErrUnknownJob):
		p = own(unknownJob, http.StatusNotFound, "no such job is queued or running")
	case errors.As(err, &tooLarge):
		p = plain(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", tooLarge.Limit)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		p = own(busy, http.StatusServiceUnavailable, "the answer took too long")
		p.retry = retryAfter
	default:
		return plain(http.StatusInternalServerError, "the service failed; its log says why"), false
	}
	return p, true
}

// shown quotes what a client has sent, shortened.
func shown(s string) string { return workload.Shorten([]byte(s)) }
