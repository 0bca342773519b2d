package serve

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzQuery asks every route with any query: each is answered or refused, as JSON, within
// the limits.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"size=64&time=7200", "size=1&time=1-12:00&partition=batch&user=%C3%A4", "size=0", "size=1000000000000000000", "size=NaN", "size=1&size=1",
		"run_times=1:7200,4:2:00:00&limits=1h,60", "ids=1,2&state=held&limit=5", "%zz", "a;b", "size=1&time=0x1p5", "size=1&memory=1e-400",
		strings.Repeat("\x89", 61), "size=" + strings.Repeat("%89", 61), // no character begins anywhere
	} {
		f.Add(uint8(0), seed)
	}
	paths := []string{"/v1/wait", "/v1/jobs", "/v1/jobs/123", "/v1/advice", "/v1/scores", "/v1/status"}
	service := newFake()
	h := newServer(f, service, Options{}).Handler()
	f.Fuzz(func(t *testing.T, path uint8, query string) {
		service.asked, service.jobsAsked, service.advised = nil, nil, nil
		answered(t, ask(h, "GET", paths[int(path)%len(paths)]+"?"+query, ""))
		for _, q := range service.asked {
			if q.Size < 1 || !(q.Time >= 0) || q.Time > 1e308 || !(q.Memory >= 0) || len(q.User+q.Partition+q.Queue+q.Account) > 4*mostText {
				t.Errorf("the service was asked %+v", q)
			}
		}
		for _, q := range service.jobsAsked {
			if q.Limit < 1 || q.Limit > mostJobs || len(q.IDs) > mostIDs {
				t.Errorf("the service was asked %+v", q)
			}
		}
		for _, q := range service.advised {
			if len(q.RunTimes) == 0 || len(q.RunTimes) > mostCandidates || len(q.Limits) > mostCandidates {
				t.Errorf("the service was asked %+v", q)
			}
		}
	})
}

// FuzzPost posts any body.
func FuzzPost(f *testing.F) {
	for _, seed := range []string{
		`{"requests":[{"size":64,"time_s":7200,"partition":"batch","user":"ä"}]}`, `{"sizes":[1,2],"time_s":null}`, `{"size":1,"memory_per_processor_kb":1e308}`,
		`{"requests":[{"size":-1},{"size":1,"time_s":-1},{"size":1,"user":"\u0000"}]}`, `[[[[`, `{"size":1}{`, `{"size":1e18}`, `{"SIZE":1,"size":2}`,
	} {
		f.Add(seed)
	}
	service := newFake()
	h := newServer(f, service, Options{}).Handler()
	f.Fuzz(func(t *testing.T, body string) {
		service.asked = nil
		answered(t, ask(h, "POST", "/v1/wait", body))
		if len(service.asked) > mostWaits {
			t.Errorf("%d questions", len(service.asked))
		}
		for _, q := range service.asked {
			if q.Size < 1 || !(q.Time >= 0) || !(q.Memory >= 0) || len(q.User+q.Partition+q.Queue+q.Account) > 4*mostText {
				t.Errorf("the service was asked %+v", q)
			}
		}
	})
}

// answered holds an answer to be JSON, without what would be a tag.
func answered(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	switch w.Code {
	case 200, 400, 404, 413, 422:
	default:
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	if !json.Valid(w.Body.Bytes()) || strings.Contains(w.Body.String(), "<") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}
