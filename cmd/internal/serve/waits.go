package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/stats"
)

const (
	WaitsSchema = "loadstone.live-waits/1"
	mostBody    = 1 << 20 // bytes
	mostWaits   = 100     // requests in a body
)

// waitsBody is either requests, each whole, or one request that may have several sizes.
type waitsBody struct {
	Requests few[waitRequest] `json:"requests"`
	Sizes    few[int64]       `json:"sizes"`
	waitRequest
}

// few is a list of at most mostWaits elements. A longer one is refused before the rest of
// it is decoded.
type few[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (f *few[T]) UnmarshalJSON(text []byte) error {
	if text[0] != '[' { // null, or an error in the words of encoding/json
		return json.Unmarshal(text, (*[]T)(f))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.Token()
	*f = few[T]{}
	for d.More() {
		if len(*f) == mostWaits {
			return tooMany{}
		}
		var element T
		if err := d.Decode(&element); err != nil {
			return err
		}
		*f = append(*f, element)
	}
	return nil
}

// tooMany is the error of a longer list.
type tooMany struct{}

func (tooMany) Error() string {
	return fmt.Sprintf("saw more than %[1]d requests, want 1 to %[1]d in requests, or 1 to %[1]d sizes", mostWaits)
}

// waitRequest is a request whose members may have the names that GET takes.
type waitRequest struct {
	live.Request
	ShortTime   stats.Number `json:"time"`
	ShortMemory stats.Number `json:"memory"`
}

// request returns the request, with each member under its own name.
func (r waitRequest) request() (live.Request, error) {
	for _, x := range []struct {
		name, short string
		from        stats.Number
		to          *stats.Number
	}{{"time_s", "time", r.ShortTime, &r.Time}, {"memory_per_processor_kb", "memory", r.ShortMemory, &r.Memory}} {
		switch {
		case !known(x.from):
		case known(*x.to):
			return r.Request, parameterFault(x.short, "given beside %s, want one of them", x.name)
		default:
			*x.to = x.from
		}
	}
	return r.Request, nil
}

// known says whether a number was given; null is NaN.
func known(x stats.Number) bool { return x < 0 || x > 0 }

// WaitsAnswer has an item for each request, in their order.
type WaitsAnswer struct {
	Schema  string      `json:"schema"`
	Answers []waitsItem `json:"answers"`
}

// waitsItem is an answer or a problem.
type waitsItem struct {
	Answer  *live.Answer `json:"answer,omitempty"`
	Problem *problem     `json:"problem,omitempty"`
}

// waits answers many requests, or one with many sizes.
func (s *Server) waits(w http.ResponseWriter, r *http.Request, _ *query) (any, error) {
	requests, err := readRequests(w, r)
	if err != nil {
		return nil, err
	}
	out := WaitsAnswer{WaitsSchema, make([]waitsItem, len(requests))}
	for i, request := range requests {
		answer, err := s.waitOf(r.Context(), request)
		if err == nil {
			out.Answers[i].Answer = answer
			continue
		}
		if errors.Is(err, live.ErrNotReady) || r.Context().Err() != nil {
			return nil, err
		}
		p, ok := problemOf(err)
		if !ok {
			return nil, err
		}
		out.Answers[i].Problem = p
	}
	return out, nil
}

func (s *Server) waitOf(ctx context.Context, asked waitRequest) (*live.Answer, error) {
	r, err := asked.request()
	if err != nil {
		return nil, err
	}
	if r.Size < 1 {
		return nil, parameterFault("size", "saw %d, want %s", r.Size, wholeNumbers(1, math.MaxInt64))
	}
	question := live.Question{Size: r.Size, Partition: r.Partition, Queue: r.Queue, User: r.User, Account: r.Account}
	for _, x := range []struct {
		name string
		from stats.Number
		to   *float64
	}{{"time_s", r.Time, &question.Time}, {"memory_per_processor_kb", r.Memory, &question.Memory}} {
		switch {
		case x.from < 0:
			return nil, parameterFault(x.name, "saw %v, want a number above 0", x.from)
		case x.from > 0: // null is NaN
			*x.to = float64(x.from)
		}
	}
	for _, x := range []struct{ name, text string }{
		{"partition", r.Partition}, {"queue", r.Queue}, {"user", r.User}, {"account", r.Account},
	} {
		if why := badText(x.text); why != "" {
			return nil, parameterFault(x.name, "%s", why)
		}
	}
	return s.service.Wait(ctx, question)
}

// readRequests reads a body.
func readRequests(w http.ResponseWriter, r *http.Request) ([]waitRequest, error) {
	if r.ContentLength > mostBody {
		return nil, &http.MaxBytesError{Limit: mostBody}
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return nil, err
		}
		return nil, own(badBody, http.StatusBadRequest, "the body ended too early or came too slowly")
	}
	var body waitsBody
	if err := decodeStrictly(text, &body); err != nil {
		return nil, own(badBody, http.StatusBadRequest, "%v", jsonfault.Words(err))
	}
	return body.all()
}

func decodeStrictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("saw more after the end of the object")
	}
	if fault := jsonfault.RepeatedOrCased(text); fault != nil {
		return fault
	}
	return nil
}

// all returns the requests of a body.
func (b *waitsBody) all() ([]waitRequest, error) {
	requests := []waitRequest(b.Requests)
	switch {
	case b.Requests != nil && (b.Sizes != nil || b.waitRequest != waitRequest{}):
		return nil, own(badBody, http.StatusBadRequest, "saw requests beside fields of a single request, want one or the other")
	case b.Sizes != nil && b.Size != 0:
		return nil, own(badBody, http.StatusBadRequest, "saw both size and sizes, want one of them")
	case b.Sizes != nil:
		for _, size := range b.Sizes {
			r := b.waitRequest
			r.Size = size
			requests = append(requests, r)
		}
	case b.Requests == nil && b.Size != 0:
		requests = []waitRequest{b.waitRequest}
	}
	if n := len(requests); n == 0 || n > mostWaits {
		return nil, own(badBody, http.StatusBadRequest, "saw %d requests, want 1 to %d in requests, or 1 to %d sizes", n, mostWaits, mostWaits)
	}
	return requests, nil
}
