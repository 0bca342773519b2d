package web_test

import (
	"slices"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/browser"
)

// A page that is shown asks every 30 s, one that is hidden does not; a minute of it is
// a few requests.
func TestFewRequests(t *testing.T) {
	b, s, _ := start(t, nil)
	b.Wait(filled)
	time.Sleep(300 * time.Millisecond)
	if first := s.asked(); len(first) > 6 {
		t.Errorf("asked %d times at the start: %q", len(first), first)
	}
	time.Sleep(2 * time.Second)
	if more := s.asked(); len(more) > 0 {
		t.Errorf("asked within two seconds: %q", more)
	}
}

// The page asks every 30 s while it is shown, and rests while it is hidden. The browser's
// clock runs ahead for it.
func TestPolls(t *testing.T) {
	b, s, _ := start(t, nil)
	b.Wait(filled)
	polls := func(milliseconds int) (n int) {
		s.asked()
		b.Call("Emulation.setVirtualTimePolicy", map[string]any{"policy": "pauseIfNetworkFetchesPending", "budget": milliseconds}, nil)
		eventually(t, "the clock", func() bool {
			b.Eval("1", nil)
			return slices.ContainsFunc(b.Events, func(e browser.Event) bool { return e.Method == "Emulation.virtualTimeBudgetExpired" })
		})
		b.Events = nil
		for _, q := range s.asked() {
			if q == "/v1/status" {
				n++
			}
		}
		return n
	}
	hide := func(hidden string) {
		b.Eval(`Object.defineProperty(document, "hidden", { value: `+hidden+`, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`, nil)
	}
	if n := polls(95_000); n != 3 {
		t.Errorf("asked %d times in 95 s, want 3", n)
	}
	hide("true")
	if n := polls(300_000); n > 0 {
		t.Errorf("asked %d times while hidden", n)
	}
	hide("false")
	if n := polls(1_000); n != 1 {
		t.Errorf("asked %d times when shown again, want once", n)
	}
}
