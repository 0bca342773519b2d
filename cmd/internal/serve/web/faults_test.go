package web_test

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/browser"
)

// Names that are HTML are shown as they are; very long ones are cut.
func TestHostileNames(t *testing.T) {
	for _, name := range []string{hostile, strings.Repeat("W", 1<<20), "\u202emoc.live\x00\n"} {
		b, _, address := start(t, func(s *service) { s.name, s.users, s.stale = name, true, true })
		b.Wait(filled)
		fill(b, "mine-jobs", "1")
		b.Eval(`document.getElementById("mine").requestSubmit()`, nil)
		b.Wait(`document.querySelectorAll("#mine-list .card").length === 1`)
		var got struct {
			Broken        bool
			Foreign, Wide int
			Longest       int
		}
		b.Eval(`({
			broken: "broken" in window,
			foreign: document.querySelectorAll("main img, main script").length,
			wide: document.documentElement.scrollWidth,
			longest: Math.max(...[...document.querySelectorAll("body *")].map(e => e.childElementCount ? 0 : e.textContent.length)),
		})`, &got)
		if got.Broken || got.Foreign > 0 || got.Wide > 1280 || got.Longest > 700 {
			t.Errorf("%.20q: %+v", name, got)
		}
		quiet(t, b, address)
	}
}

func TestStaleAndLearning(t *testing.T) {
	b, s, address := start(t, func(s *service) { s.learning = true })
	b.Wait(`document.getElementById("status").textContent.includes("Learning")`)
	wants(t, "learning", read(b, "#status"), "Learning from the history: 123,456 events so far")
	var shown bool
	if b.Eval(`!document.getElementById("learning").hidden`, &shown); !shown {
		t.Error("no progress is shown")
	}
	s.change(func() {
		s.learning, s.stale, s.name = false, true, "slurm_load_jobs error: Unable to contact slurm controller"
	})
	b.Open(address + "?stale")
	b.Wait(filled)
	wants(t, "stale", read(b, "#status"), "25 min old", "The latest 50 polls of the scheduler have failed", "Unable to contact slurm controller", "Answers rest on that old state")
	wants(t, "stale answer", read(b, "#answer-body"), "25 min old, which is too old to rely on")
	var kind string
	if b.Eval(`document.getElementById("status").className`, &kind); kind != "remark warning" {
		t.Errorf("the line is a %q", kind)
	}
	b.Shoot("serve-1280-stale.png")
	quiet(t, b, address)
}

func TestEmptyQueue(t *testing.T) {
	b, _, address := start(t, func(s *service) { s.jobs, s.settled, s.partitions = 0, 0, 1 })
	b.Wait(filled)
	wants(t, "queue", read(b, "#queue-list"), "No job is waiting.")
	wants(t, "scores", read(b, "#scores-list"), "No answer has been given yet about a real job")
	wants(t, "answer", read(b, "#answer-body"), "No job with such a bound has started yet.")
	b.Shoot("serve-1280-empty.png")
	b.Screen(375, 800, "", "dark")
	b.Shoot("serve-375-dark-empty.png")
	quiet(t, b, address)
}

// A token is asked for, and kept for the session alone.
func TestToken(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser")
	}
	const right = "s3cret-s3cret-s3cret"
	b := browser.New(t)
	s, address := newService(t, "", right)
	b.Open(address)
	b.Wait(`!document.getElementById("token").hidden`)
	for _, token := range []string{"wrong", right} {
		wants(t, "status", read(b, "#status"), "token")
		s.asked()
		fill(b, "token-value", token)
		b.Key("Enter", 13)
		b.Eval(`document.getElementById("token").requestSubmit()`, nil)
		if token == "wrong" {
			b.Wait(`document.getElementById("status").textContent === "The service refuses this token."`)
		}
	}
	b.Wait(filled)
	var kept struct{ Local, Session, Field, Address string }
	b.Eval(`({ local: JSON.stringify(localStorage), session: sessionStorage.getItem("loadstone-token"), field: document.getElementById("token-value").value, address: location.href })`, &kept)
	if kept.Session != right || strings.Contains(kept.Local, right) || kept.Field != "" || kept.Address != address {
		t.Errorf("kept: %+v", kept)
	}
	quiet(t, b, address, "401 (Unauthorized)")
}

// The service goes away: the page says so, and since when.
func TestDeadService(t *testing.T) {
	b, _, _ := start(t, nil)
	b.Wait(filled)
	b.Call("Network.emulateNetworkConditions", map[string]any{"offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, nil)
	fill(b, "size", "65")
	b.Wait(`!document.getElementById("answer-fault").hidden`)
	wants(t, "answer", read(b, "#answer-fault"), "The service does not answer.")
}

// Reverse proxies put the page below a path.
func TestBelowAPath(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser")
	}
	b := browser.New(t)
	_, address := newService(t, "/rnode/node7/8080", "")
	b.Open(address)
	b.Wait(filled)
	wants(t, "headline", read(b, "#headline"), "Starts within 2 h 30 min")
	quiet(t, b, address)
}
