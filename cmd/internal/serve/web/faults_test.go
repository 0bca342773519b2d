package web_test

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/browser"
	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
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
	wants(t, "stale", read(b, "#status"), "25 min old", "The latest 50 polls of the scheduler have failed", "Unable to contact slurm controller", "Nothing is predicted from so old a state")
	wants(t, "stale answer", read(b, "#headline"), "No prediction: the state of the queue is 25 min old, too old to rely on.")
	lacks(t, "stale answer", read(b, "#answer"), "Starts within", "start by", "Conformal")
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
	wants(t, "headline", read(b, "#headline"), "No tested prediction yet. Of the latest 73 jobs with 1-4 processors in batch, 50 % waited at most 51 s, 95 % at most 8 min 48 s.")
	wants(t, "answer", read(b, "#answer-body"), "What earlier jobs have waited", "The latest 73 jobs with 1-4 processors in batch", "This is the past, not a prediction.")
	lacks(t, "answer", read(b, "#answer"), "Starts within", "start by", "held for")
	b.Shoot("serve-1280-empty.png")
	b.Screen(375, 800, "", "dark")
	b.Shoot("serve-375-dark-empty.png")
	quiet(t, b, address)
}

// Where no job can start, the page promises no start: neither to a request nor to a
// pending job. It says why, and what earlier jobs have waited. Warnings are in view.
func TestNothingCanStart(t *testing.T) {
	b, _, address := start(t, func(s *service) {
		s.withheld = &live.Withheld{Reason: "drained", Text: "0 of the machine's 1024 processors are available (1024 drained)"}
		s.lost = watch.Unavailable{Drained: 1024}
		s.warnings = []workload.Warning{{Rule: "unseen-user", Text: "no job of this user is known", Count: 1}}
	})
	b.Wait(filled)
	fill(b, "mine-jobs", "7")
	b.Eval(`document.getElementById("mine").requestSubmit()`, nil)
	b.Wait(`document.querySelectorAll("#mine-list .card").length === 1`)
	wants(t, "headline", read(b, "#headline"), "No such job can start now: 0 of the machine's 1024 processors are available (1024 drained).")
	wants(t, "answer", read(b, "#answer-body"), "no job of this user is known.", "95 % waited at most", "8 min 48 s", "This is the past, not a prediction.")
	wants(t, "queue", read(b, "#queue-list"), "1,024 drained", "drain", "down")
	wants(t, "job", read(b, "#mine-list"), "No start is predicted", "1024 drained")
	for _, part := range []string{"#answer", "#mine-list"} {
		lacks(t, part, read(b, part), "Starts within", "start by", "Simulated start", "Conformal", "held for")
	}
	var most string
	if b.Eval(`document.getElementById("size-high").textContent`, &most); most != "1,024 processors" {
		t.Errorf("the slider of sizes ends at %q", most)
	}
	b.Shoot("serve-1280-drained.png")
	b.Screen(420, 900, "", "light")
	b.Shoot("serve-420-drained.png")
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
