package web_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// The expected words are those of the made-up answers: 64 processors have a bound of
// 9000 s, and bounds grow with the size.
func TestAnswerByKeyboard(t *testing.T) {
	b, s, address := start(t, nil)
	b.Wait(filled)
	wants(t, "headline", read(b, "#headline"), "Starts within 2 h 30 min: the 95 % bound, which has held for 94.7 % of 2,000 jobs.")
	wants(t, "answer", read(b, "#answer-body"), "95.4 %", "94.7 %", "12 s old", "2,000 jobs", "held for 49.7 %")
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
	}
	b.Wait(`document.getElementById("headline").textContent.includes("10\u00a0h")`)
	wants(t, "headline", read(b, "#headline"), "Starts within 10 h: the 95 % bound")
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
		wants(t, text, read(b, "#time-fault"), "Enter a time of at most 4 d, such as 2 h 30 min.")
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
	wants(t, "my jobs", text, "Job 7: pending", "7 of 30", "Priority", "2 h 30 min from its submission", "Job 12: pending", "Job 999", "no such job is queued or running")
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
