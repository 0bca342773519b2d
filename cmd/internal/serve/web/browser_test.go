package web_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/browser"
)

// start opens the page at the root of a server, once it has an answer and its scores.
func start(t *testing.T, prepare func(*service)) (*browser.Browser, *service, string) {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser")
	}
	b := browser.New(t)
	s, address := newService(t, "", "")
	if prepare != nil {
		prepare(s)
	}
	b.Screen(1280, 900, "", "light")
	b.Open(address)
	return b, s, address
}

const filled = `document.getElementById("answer").ariaBusy === "false" && document.getElementById("queue-list").childElementCount > 0 && document.getElementById("scores-list").childElementCount > 0`

func read(b *browser.Browser, selector string) (text string) {
	b.Eval(`document.querySelector(`+quote(selector)+`).innerText.replaceAll("\u00a0", " ")`, &text)
	return text
}

func quote(s string) string { return fmt.Sprintf("%q", s) }

func wants(t *testing.T, what, text string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %q", what, want, text)
		}
	}
}

func lacks(t *testing.T, what, text string, all ...string) {
	t.Helper()
	for _, unwanted := range all {
		if strings.Contains(text, unwanted) {
			t.Errorf("%s: %q in %q", what, unwanted, text)
		}
	}
}

// fill writes into a field as a person does, after what is there is chosen.
func fill(b *browser.Browser, id, text string) {
	b.Eval(`document.getElementById(`+quote(id)+`).select()`, nil)
	b.Call("Input.insertText", map[string]any{"text": text}, nil)
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 1200 {
		if done() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%s: nothing came of it within a minute", what)
}

// quiet finds errors, warnings, violations of the policy, and requests beyond the
// service.
func quiet(t *testing.T, b *browser.Browser, address string, allowed ...string) {
	t.Helper()
	b.Call("Page.getLayoutMetrics", nil, nil) // what was under way has come
	requests := 0
	for _, e := range b.Events {
		switch e.Method {
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
			if !slices.ContainsFunc(allowed, func(a string) bool { return strings.Contains(string(e.Params), a) }) {
				t.Errorf("%s: %s", e.Method, e.Params)
			}
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if err := json.Unmarshal(e.Params, &p); err != nil {
				t.Fatal(err)
			}
			requests++
			if !strings.HasPrefix(p.Request.URL, address) {
				t.Errorf("a request for %.100s", p.Request.URL)
			}
		}
	}
	if requests == 0 {
		t.Error("no request was seen, not even for the page")
	}
}
