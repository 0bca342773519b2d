package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/live"
)

func TestLogLines(t *testing.T) {
	log, text := logged()
	h := newServer(t, newFake(), Options{Log: log}).Handler()
	ask(h, "GET", "/v1/wait?size=1&user=ann", "", "Authorization", "Bearer "+secret)
	ask(h, "POST", "/v1/wait", `{"size":1,"user":"ann"}`)
	ask(h, "GET", "/v1/jobs/123", "")
	ask(h, "BREW", "/v1/wait", "")
	ask(h, "GET", "/v1/wait?size=1", "", "Host", "evil.example")
	ask(h, "GET", "/ann", "")
	want := []string{"GET /v1/wait 200", "POST /v1/wait 200", "GET /v1/jobs/{id} 200", "other /v1/wait 405", "GET none 421", "GET / 404"}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	if len(lines) != len(want) {
		t.Fatalf("log:\n%s", text)
	}
	for i, line := range lines {
		var got struct {
			Method, Route string
			Status        int
			Duration      *float64 `json:"duration_s"`
			Bytes         int
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		if s := fmt.Sprintf("%s %s %d", got.Method, got.Route, got.Status); s != want[i] || got.Duration == nil || got.Bytes == 0 {
			t.Errorf("%s, want %s", line, want[i])
		}
	}
	if s := text.String(); strings.Contains(s, "ann") || strings.Contains(s, secret) || strings.Contains(s, "evil") {
		t.Errorf("the log has a name or a token:\n%s", s)
	}
}

// A fault in a handler, or in what metrics are read from, ends one request.
func TestPanics(t *testing.T) {
	f := newFake()
	log, text := logged()
	address, _ := serving(t, newServer(t, f, Options{Log: log}))
	f.panics = true
	for path, want := range map[string]int{"/v1/wait?size=1": 500, "/v1/jobs": 500, "/v1/status": 500, "/readyz": 500, "/metrics": 200} {
		status, body, err := get(address, path)
		if err != nil || status != want || strings.Contains(body, "told to panic") {
			t.Errorf("%s: %d, %v: %s", path, status, err, body)
		}
	}
	if s := text.String(); !strings.Contains(s, "told to panic") || !strings.Contains(s, "fake_test.go") {
		t.Errorf("the log has no stack:\n%s", s)
	}
	f.panics = false
	if status, _, err := get(address, "/v1/wait?size=1"); status != 200 {
		t.Errorf("afterwards: %d, %v", status, err)
	}
}

// An answer that takes too long is given up, and one whose client has left.
func TestAnswersAreBounded(t *testing.T) {
	f := newFake()
	f.wait = func(ctx context.Context) {
		if _, ok := ctx.Deadline(); !ok {
			t.Error("no deadline")
		}
	}
	h := newServer(t, f, Options{}).Handler()
	ask(h, "GET", "/v1/wait?size=1", "")
	f.fault = context.DeadlineExceeded
	if w := ask(h, "GET", "/v1/wait?size=1", ""); problemIn(t, w).Status != 503 || w.Header().Get("Retry-After") == "" {
		t.Error(w.Body)
	}
}

func TestReady(t *testing.T) {
	for _, c := range []struct {
		change func(*live.Status)
		want   string
	}{
		{func(*live.Status) {}, ""},
		{func(s *live.Status) { s.Phase, s.Learned = live.Learning, 77 }, "the service is learning: 77 events so far"},
		{func(s *live.Status) { s.State.Stale, s.State.Age, s.Fault = true, 300, "squeue: timed out" }, "the state is 300 s old; the last poll failed: squeue: timed out"},
	} {
		f := newFake()
		f.status.Ready = c.want == ""
		c.change(&f.status)
		w := ask(newServer(t, f, Options{}).Handler(), "GET", "/readyz", "")
		if c.want == "" {
			if w.Code != 200 {
				t.Error(w.Body)
			}
		} else if p := problemIn(t, w); p.Status != 503 || p.Detail != c.want || w.Header().Get("Retry-After") == "" {
			t.Errorf("%+v, want %s", p, c.want)
		}
	}
}

// Requests that hold much are answered a few at once.
func TestHeavyRequestsAreFew(t *testing.T) {
	f := newFake()
	asked, release := make(chan bool), make(chan bool)
	f.wait = func(context.Context) { asked <- true; <-release }
	h := newServer(t, f, Options{}).Handler()
	done := make(chan int)
	for range 32 {
		go func() { done <- ask(h, "POST", "/v1/wait", `{"size":1}`).Code }()
		<-asked
	}
	if w := ask(h, "POST", "/v1/wait", `{"size":1}`); problemIn(t, w).Status != 503 || w.Header().Get("Retry-After") != "1" {
		t.Error(w.Body)
	}
	for range 32 {
		release <- true
		if status := <-done; status != 200 {
			t.Error(status)
		}
	}
}
