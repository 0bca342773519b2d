package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
	"github.com/loadstone-hpc/loadstone/live"
)

const (
	mostBody  = 1 << 20 // bytes
	mostWaits = 100     // requests in a body, or sizes of one request
)

// waits answers many requests, or one request with many sizes. Members of a request are read like
// the parameters of a query. If one request cannot be answered, all fail.
func (s *Server) waits(w http.ResponseWriter, r *http.Request) (any, error) {
	requests, err := readRequests(w, r)
	if err != nil {
		return nil, err
	}
	out := &live.Answers{Schema: live.AnswersSchema}
	for _, values := range requests {
		var request live.Request
		if err := bind(&request, values); err != nil {
			return nil, err
		}
		answer, err := s.service.Wait(r.Context(), request)
		if err != nil {
			return nil, err
		}
		out.Answers = append(out.Answers, answer)
	}
	return out, nil
}

// readRequests reads the requests of a body.
func readRequests(w http.ResponseWriter, r *http.Request) ([]url.Values, error) {
	if r.ContentLength > mostBody { // refuse it before it is sent
		return nil, &http.MaxBytesError{Limit: mostBody}
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, err
	case err != nil:
		return nil, badBody.of("the body ended too early or came too slowly")
	case bytes.Count(text, []byte(",")) > mostCommas:
		return nil, errTooMany
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var body map[string]any
	if err := d.Decode(&body); err != nil {
		return nil, badBody.of("%v", jsonfault.Words(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, badBody.of("saw more after the end of the object")
	}
	if fault := jsonfault.RepeatedOrCased(text); fault != nil {
		return nil, badBody.of("%v", fault)
	}
	return requestsOf(body)
}

// mostCommas is more than the commas of mostWaits requests. A body with more is refused before it
// is decoded, which would take much more memory than the text.
const mostCommas = 50 * mostWaits

var errTooMany = badBody.of("saw more than %[1]d requests, want 1 to %[1]d in requests, or 1 to %[1]d sizes", mostWaits)

// requestsOf returns the requests of a body: either those in its member requests, or a single
// request, which may have several sizes.
func requestsOf(body map[string]any) (all []url.Values, err error) {
	list, whole := body["requests"].([]any)
	sizes, several := body["sizes"].([]any)
	switch {
	case whole && len(body) > 1:
		return nil, badBody.of("saw requests together with fields of a single request, want one or the other")
	case several && body["size"] != nil:
		return nil, badBody.of("saw both size and sizes, want one of them")
	case body["size"] != nil:
		list = []any{body}
	}
	for _, size := range sizes {
		one := maps.Clone(body)
		delete(one, "sizes")
		one["size"] = size
		list = append(list, one)
	}
	switch {
	case len(list) == 0:
		return nil, badBody.of("saw no request, want 1 to %[1]d in requests, or 1 to %[1]d sizes", mostWaits)
	case len(list) > mostWaits:
		return nil, errTooMany
	}
	for _, one := range list {
		members, ok := one.(map[string]any)
		values := url.Values{}
		for name, x := range members {
			switch x.(type) {
			case nil: // null counts as not given
			case string, json.Number, bool:
				values.Set(name, fmt.Sprint(x))
			default:
				ok = false
			}
		}
		if !ok {
			return nil, badBody.of("saw a request that is not an object of numbers, strings and booleans")
		}
		all = append(all, values)
	}
	return all, nil
}
