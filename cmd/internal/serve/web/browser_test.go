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

// fill writes into a field as a person does, after what is there is chosen.
func fill(b *browser.Browser, id, text string) {
	b.Eval(`document.getElementById(`+quote(id)+`).select()`, nil)
	b.Call("Input.insertText", map[string]any{"text": text}, nil)
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 200 {
		if done() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%s: nothing came of it within ten seconds", what)
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

// The expected words are those of the made-up answers: 64 processors have a bound of
// 9000 s, and bounds grow with the size.
func TestAnswerByKeyboard(t *testing.T) {
	b, s, address := start(t, nil)
	b.Wait(filled)
	wants(t, "headline", read(b, "#headline"), "Starts within 2 h 30 min with 95 % probability; half of such jobs start within 1 min.")
	wants(t, "answer", read(b, "#answer-body"), "95.4 %", "94.7 %", "12 s old", "2,000 jobs")
	s.asked()

	b.Eval(`document.getElementById("size").focus()`, nil)
	b.Key("Tab", 9)
	var focus string
	b.Eval(`document.activeElement.id`, &focus)
	if focus != "size-slider" {
		t.Fatalf("tab leads from the size to %q", focus)
	}
	for i := range 8 { // to 96, and back and forth, and to 256: the last one counts
		if i%2 == 0 && i < 4 {
			b.Key("ArrowLeft", 37)
		} else {
			b.Key("ArrowRight", 39)
		}
		time.Sleep(60 * time.Millisecond)
	}
	b.Wait(`document.getElementById("headline").textContent.includes("10\u00a0h")`)
	wants(t, "headline", read(b, "#headline"), "Starts within 10 h with 95 % probability; half of such jobs start within 4 min.")
	var size, spoken string
	b.Eval(`document.getElementById("size").value`, &size)
	b.Eval(`document.getElementById("size-slider").getAttribute("aria-valuetext")`, &spoken)
	if size != "256" || spoken != "256 processors" {
		t.Errorf("the field has %q, the slider says %q", size, spoken)
	}
	waits := slices.DeleteFunc(s.asked(), func(q string) bool { return !strings.HasPrefix(q, "/v1/wait") })
	if len(waits) > 2 || len(waits) == 0 || !strings.Contains(waits[len(waits)-1], "size=256") {
		t.Errorf("eight steps asked %q, want the last of them, and hardly more", waits)
	}

	// A slow answer does not replace that of a later question.
	s.change(func() { s.slow = 192 })
	b.Key("ArrowLeft", 37)
	eventually(t, "the slow question", func() bool {
		return slices.ContainsFunc(s.asked(), func(q string) bool { return strings.Contains(q, "size=192") })
	})
	b.Key("ArrowRight", 39)
	b.Wait(`document.getElementById("answer").ariaBusy === "false"`)
	time.Sleep(2 * slowness)
	wants(t, "headline after a slow answer", read(b, "#headline"), "Starts within 10 h")

	// Times as people and sbatch write them.
	for _, c := range []struct{ text, asked string }{{"2 h 30 min", "9000"}, {"90", "5400"}, {"1-12", "129600"}, {"0:45:00", "2700"}, {"3d", "259200"}} {
		s.asked()
		fill(b, "time", c.text)
		eventually(t, c.text, func() bool { return slices.Contains(s.asked(), "/v1/wait?size=256&time="+c.asked) })
	}
	// The longest limit of all partitions is four days.
	for _, text := range []string{"soon", "", "-5", "5 d", "1e99 h", "2 parsecs"} {
		fill(b, "time", text)
		wants(t, text, read(b, "#time-fault"), "Write a time of at most 4 d, such as 2 h 30 min.")
	}
	fill(b, "time", "2 h")

	// A fault of the service is told in place, and goes with the next answer.
	fill(b, "size", "13")
	b.Wait(`!document.getElementById("answer-fault").hidden`)
	wants(t, "fault", read(b, "#answer-fault"), "size: 13, want anything else")
	fill(b, "size", "64")
	b.Wait(`document.getElementById("answer-fault").hidden`)

	// The partition limits the sliders.
	b.Eval(`(p => { p.value = "gpu"; p.dispatchEvent(new Event("change")); })(document.getElementById("partition"))`, nil)
	b.Wait(`document.getElementById("size-high").textContent === "128 processors"`)
	quiet(t, b, address, "422 (Unprocessable Entity)")
}

func TestMyJobs(t *testing.T) {
	b, s, address := start(t, func(s *service) { s.users = true })
	b.Wait(filled)
	fill(b, "mine-jobs", "7, 12 999")
	b.Key("Enter", 13)
	b.Eval(`document.getElementById("mine").requestSubmit()`, nil)
	b.Wait(`document.querySelectorAll("#mine-list .card").length === 3`)
	text := read(b, "#mine-list")
	wants(t, "my jobs", text, "Job 7: pending", "7 of 30", "Priority", "2 h 30 min from its submission", "Job 12: pending", "Job 999", "no such job waits or runs")
	var kept, hash string
	b.Eval(`localStorage.getItem("loadstone-jobs")`, &kept)
	b.Eval(`location.hash`, &hash)
	if kept != "jobs=7%2C12%2C999" || hash != "#"+kept {
		t.Errorf("kept are %q, and %q in the address", kept, hash)
	}

	// They come back with the address, and without it.
	for _, to := range []string{address + "?again#jobs=5", address + "?once-more"} {
		b.Open(to)
		b.Wait(`document.querySelectorAll("#mine-list .card").length > 0`)
	}
	wants(t, "kept jobs", read(b, "#mine-list"), "Job 7: pending")

	fill(b, "mine-jobs", "5; rm")
	b.Eval(`document.getElementById("mine").requestSubmit()`, nil)
	wants(t, "fault", read(b, "#mine-fault"), "rm is not a job number")

	fill(b, "mine-jobs", "")
	fill(b, "mine-user", "anna")
	b.Eval(`document.getElementById("mine").requestSubmit()`, nil)
	b.Wait(`document.querySelectorAll("#mine-list .card").length === 3 && document.querySelector("#mine-list").textContent.includes("Job 1:")`)
	if questions := strings.Join(s.asked(), " "); !strings.Contains(questions, "user=anna") {
		t.Errorf("asked %q", questions)
	}
	quiet(t, b, address, "404 (Not Found)")
}

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
	wants(t, "answer", read(b, "#answer-body"), "No job has started yet whose wait was bounded here.")
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

// Times as sbatch's manual has them; bounds are rounded up, so that they stay bounds.
func TestTimes(t *testing.T) {
	b, _, _ := start(t, nil)
	for text, want := range map[string]float64{
		"90": 5400, "90:30": 5430, "2:30:00": 9000, "1-12": 129600, "1-12:30": 131400, "1-12:30:15": 131415,
		"2 h 30 min": 9000, "2h30m": 9000, "1.5 h": 5400, "3 days": 259200, "2\u00a0h": 7200,
	} {
		var got float64
		if b.Eval(`import("./format.js").then(f => f.readDuration("`+text+`"))`, &got); got != want {
			t.Errorf("%q is %g s, want %g", text, got, want)
		}
	}
	for seconds, want := range map[string]string{
		"null": "–", "0": "0 s", "0.2": "1 s", "59.5": "1 min", "61": "1 min 1 s", "3599": "1 h", "3601": "1 h 1 min", "9000": "2 h 30 min",
		"86399": "1 d", "86401": "1 d 1 h", "863999": "10 d", "864001": "11 d",
	} {
		var got string
		if b.Eval(`import("./format.js").then(f => f.bound(`+seconds+`).replaceAll("\u00a0", " "))`, &got); got != want {
			t.Errorf("a bound of %s s is %q, want %q", seconds, got, want)
		}
	}
}

// Nothing that is in view moves when the answers come, or change. Google's own measure
// calls a page with less than 0.1 good.
func TestNothingMoves(t *testing.T) {
	for _, width := range []int{1280, 375} {
		b, _, address := start(t, nil)
		b.Screen(width, 900, "", "light")
		b.Open(address + "?again")
		b.Wait(filled)
		b.Eval(`document.getElementById("size-slider").focus()`, nil)
		for range 5 {
			b.Key("ArrowRight", 39)
		}
		b.Wait(`document.getElementById("headline").textContent.includes("15\u00a0h")`)
		var moved struct {
			Sum  float64
			What []string
		}
		b.Eval(`new Promise(done => {
			const moved = { sum: 0, what: [] };
			new PerformanceObserver(list => list.getEntries().forEach(e => {
				moved.sum += e.value;
				moved.what.push(...e.sources.map(s => s.node?.id || s.node?.className || s.node?.nodeName || ""));
			})).observe({ type: "layout-shift", buffered: true });
			setTimeout(() => done(moved), 200);
		})`, &moved)
		if moved.Sum > 0.02 {
			t.Errorf("%d pixels wide: %q moved by %g", width, moved.What, moved.Sum)
		}
	}
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

// The page fits on a phone and on a desk, by day and by night; its text can be read.
// The screenshots are artefacts: go test -artifacts -outputdir DIR keeps them.
func TestSizes(t *testing.T) {
	b, _, address := start(t, func(s *service) { s.jobs = 4567 })
	b.Wait(filled)
	fill(b, "mine-jobs", "7, 12, 101")
	b.Eval(`document.getElementById("mine").requestSubmit()`, nil)
	b.Wait(`document.querySelectorAll("#mine-list .card").length === 3`)
	for _, s := range []struct {
		name, scheme string
		width        int
	}{{"serve-1280.png", "light", 1280}, {"serve-1280-dark.png", "dark", 1280}, {"serve-800.png", "light", 800}, {"serve-375.png", "light", 375}, {"serve-320-dark.png", "dark", 320}} {
		b.Screen(s.width, 900, "", s.scheme)
		b.Wait(`[...document.querySelectorAll(".plot")].every(p => Math.abs(p.firstChild.getAttribute("width") - p.clientWidth) < 1)`)
		b.Eval(`document.querySelectorAll("details").forEach(d => { d.open = false; })`, nil)
		b.Shoot(s.name)
		b.Eval(`document.querySelectorAll("details").forEach(d => { d.open = true; })`, nil)
		var wide int
		b.Eval(`Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)`, &wide)
		if wide > s.width {
			t.Errorf("%s: the page is %d pixels wide", s.name, wide)
		}
		var faint, unnamed, small []string
		b.Eval(contrast, &faint)
		if len(faint) > 0 {
			t.Errorf("%s: contrast below 4.5: %q", s.name, faint)
		}
		b.Eval(`[...document.querySelectorAll("input, select, button, progress, svg[role=img], .scroll")].filter(e => !(e.labels?.length || e.getAttribute("aria-label") || e.textContent)).map(e => e.outerHTML)`, &unnamed)
		if len(unnamed) > 0 {
			t.Errorf("without a name: %q", unnamed)
		}
		b.Eval(`[...document.querySelectorAll("figure")].filter(f => !f.querySelector("details table td") || !f.querySelector("svg text")).map(f => f.outerHTML.slice(0, 200))`, &small)
		if len(small) > 0 {
			t.Errorf("charts without a table or text: %q", small)
		}
		b.Eval(`[...document.querySelectorAll("svg.chart text")].filter(x => (r => (o => r.left < o.left - 1 || r.right > o.right + 1 || r.bottom > o.bottom + 1)(x.ownerSVGElement.getBoundingClientRect()))(x.getBoundingClientRect())).map(x => x.textContent)`, &small)
		if len(small) > 0 {
			t.Errorf("%s: words beyond their chart: %q", s.name, small)
		}
	}
	quiet(t, b, address)
}

// contrast lists texts whose colour is too near to what lies behind them, by the WCAG's
// formula of relative luminance.
const contrast = `(() => {
	const parts = c => c.match(/[\d.]+/g).map(Number);
	const light = c => parts(c).slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
	const behind = e => {
		for (; e; e = e.parentElement) {
			const c = getComputedStyle(e).backgroundColor;
			if ((parts(c)[3] ?? 1) > 0) return c;
		}
		return "rgb(255, 255, 255)";
	};
	return [...document.querySelectorAll("body *")].filter(e => e.checkVisibility() && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).filter(e => {
		const s = getComputedStyle(e), a = light(e.ownerSVGElement ? s.fill : s.color), b = light(behind(e));
		return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4.5;
	}).map(e => e.textContent.slice(0, 40));
})()`

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
