package cli

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/browser"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

// reported is a real log, or one that is made where there is none.
func reported(t *testing.T) string {
	t.Helper()
	if _, err := reallogs.Find("swf/KTH-SP2-1996-2.1-cln.swf.gz"); err == nil {
		return reallogs.First(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz", longtest.Size(6000, 0))
	}
	return scheduled(t, "5000")
}

// scheduled is a log that is made, with waits.
func scheduled(t *testing.T, jobs string) string {
	t.Helper()
	made, scheduled := filepath.Join(t.TempDir(), "made.swf"), filepath.Join(t.TempDir(), "scheduled-"+jobs+".swf")
	for _, args := range [][]string{
		{"generate", "--model", "lublin1999", "--jobs", jobs, "--procs", "128", "--seed", "7", "--set", "users.count=20", "-o", made},
		{"simulate", made, "-o", scheduled},
	} {
		if r := loadstone(t, "", args...); r.code != exitDone {
			t.Fatal(r.err)
		}
	}
	return scheduled
}

// What a person would look for in the page, in a real browser. The screenshots
// are artefacts of the test: go test -artifacts -outputdir DIR keeps them.
func TestReportInBrowser(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a browser, and all commands on a whole log")
	}
	b := browser.New(t)
	page := filepath.Join(t.TempDir(), "report.html")
	if r := loadstone(t, "", "report", reported(t), "-o", page); r.code != exitDone {
		t.Fatal(r.err)
	}
	b.Screen(1280, 900, "", "light")
	b.Open("file://" + page)
	t.Run("folded", func(t *testing.T) { checkFolded(t, b) })
	t.Run("axe folded", func(t *testing.T) { b.Axe(t, "as it opens") })
	openAll(b)

	t.Run("drawn", func(t *testing.T) { checkDrawn(t, b) })
	t.Run("legends", func(t *testing.T) {
		var shown []string
		b.Eval(`[...document.querySelectorAll(".u-legend .u-value, .u-legend .u-series:first-child")].filter(e => getComputedStyle(e).visibility === "visible").map(e => e.textContent)`, &shown)
		if len(shown) > 0 {
			t.Errorf("legends show values before a place is pointed at: %q", shown)
		}
	})
	t.Run("zoom", func(t *testing.T) { checkZoom(t, b) })
	t.Run("tables", func(t *testing.T) {
		var cut []string
		b.Eval(`[...document.querySelectorAll("figure .scroll")].filter(e => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1).map(e => e.closest("figure").id)`, &cut)
		if len(cut) > 0 {
			t.Errorf("tables are cut off in the cards of %v", cut)
		}
	})
	t.Run("hover", func(t *testing.T) { checkHover(t, b) })
	t.Run("moved", func(t *testing.T) { checkMoved(t, b) })
	t.Run("keyboard", func(t *testing.T) { checkKeyboard(t, b) })
	t.Run("model", func(t *testing.T) {
		var schema string
		b.Eval(`JSON.parse(atob(document.querySelector("a.file").href.split(",")[1])).schema`, &schema)
		if !strings.HasPrefix(schema, "loadstone.population/") {
			t.Errorf("the model's schema is %q", schema)
		}
	})
	t.Run("accessible", func(t *testing.T) {
		var faults []string
		b.Eval(`[...document.querySelectorAll("figure")].filter(f => !f.querySelector("svg[role=img][aria-label]") || !f.querySelector("details table") || !f.querySelector("figcaption").textContent).map(f => f.id)`, &faults)
		if len(faults) > 0 {
			t.Errorf("figures without a text, a table or a caption: %v", faults)
		}
		b.Eval(`[...document.querySelectorAll("nav a")].filter(a => !document.querySelector(a.getAttribute("href"))).map(a => a.href)`, &faults)
		if len(faults) > 0 {
			t.Errorf("links to nowhere: %v", faults)
		}
	})
	t.Run("axe", func(t *testing.T) {
		for _, s := range []struct {
			what, scheme string
			width        int
		}{{"all sections open", "light", 1280}, {"in the dark", "dark", 1280}, {"on a phone", "light", 375}}[longtest.Size(2, 0):] { // each takes seconds
			b.Screen(s.width, 900, "", s.scheme)
			b.Axe(t, s.what)
		}
		b.Screen(1280, 900, "", "light")
	})
	t.Run("sizes", func(t *testing.T) {
		b.Shoot("report-1280.png")
		for _, s := range []struct {
			name, media, scheme string
			width               int
		}{
			{"report-1280-dark.png", "", "dark", 1280},
			{"report-375.png", "", "light", 375},
			{"report-375-dark.png", "", "dark", 375},
			{"report-print.png", "print", "light", 794},
		} {
			b.Screen(s.width, 900, s.media, s.scheme)
			b.Wait(`[...document.querySelectorAll("figure.drawn")].every(f => !f.querySelector(".plot").clientWidth || Math.abs(f.chart.width - f.querySelector(".plot").clientWidth) < 2)`)
			checkFits(t, b, s.name, s.width)
			if s.media != "print" {
				checkDrawn(t, b)
			}
			b.Shoot(s.name)
		}
		b.Print("report.pdf")
	})
	// Last: what came of all that.
	t.Run("quiet", func(t *testing.T) { checkQuiet(t, b, page) })
}

// openAll opens all sections.
func openAll(b *browser.Browser) {
	b.Eval(`document.querySelectorAll(".folded > details").forEach(d => d.open = true)`, nil)
	b.Eval(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
}

// checkFits finds what is wider than the page, in the test's font and one that is wider:
// the page itself and, on a phone, its tables.
func checkFits(t *testing.T, b *browser.Browser, what string, width int) {
	t.Helper()
	for _, em := range []float64{.08, 0} {
		b.Spread(em)
		var got struct {
			Wide   int
			Scroll []string
		}
		b.Eval(`({
			wide: document.documentElement.scrollWidth,
			scroll: [...document.querySelectorAll(".scroll")].filter(s => s.clientWidth && s.scrollWidth > s.clientWidth + 1).map(s => s.getAttribute("aria-label")),
		})`, &got)
		if got.Wide > width || width < 500 && len(got.Scroll) > 0 {
			t.Errorf("%s, spread by %g em: the page is %d pixels wide of %d, tables scroll sideways: %q", what, em, got.Wide, width, got.Scroll)
		}
	}
}

// checkFolded looks at the page as it opens: what a centre asks first is there, short,
// and a link opens the section that it points to.
func checkFolded(t *testing.T, b *browser.Browser) {
	var shown []string
	b.Eval(`[...document.querySelectorAll("section:not(.folded) > h2")].map(h => h.id)`, &shown)
	if got := strings.Join(shown, " "); got != "summary load waiting shares changes caveats" {
		t.Errorf("open sections: %s", got)
	}
	b.Screen(375, 900, "", "light")
	checkFits(t, b, "a phone", 375)
	b.Screen(1280, 900, "", "light")
	open := false
	b.Eval(`(location.hash = "#model", new Promise(done => setTimeout(() => done(document.getElementById("model").closest("details").open), 200)))`, &open)
	if !open {
		t.Error("a link does not open its section")
	}
}

// checkMoved moves a chart under a pointer that stays on it, as a table does that opens
// above: the pointer's place on the chart is counted from where it is now. The window is
// high enough that nothing scrolls.
func checkMoved(t *testing.T, b *browser.Browser) {
	b.Screen(1280, 2600, "", "light")
	defer b.Screen(1280, 900, "", "light")
	b.Eval(`(scrollTo({ top: 0, behavior: "instant" }), new Promise(done => setTimeout(done, 200)))`, nil)
	place := func() (at box) {
		b.Eval(`(r => ({ left: r.left, top: r.top, width: r.width, height: r.height }))(document.querySelector("#queue-jobs .u-over").getBoundingClientRect())`, &at)
		return at
	}
	at := place()
	point := func(x, y float64) (top float64) {
		b.Mouse("mouseMoved", x, y, false)
		b.Eval(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
		b.Eval(`document.getElementById("queue-jobs").chart.cursor.top`, &top)
		return top
	}
	x, y := at.Left+at.Width/2, at.Top+.9*at.Height
	if got := point(x, y); math.Abs(got-.9*at.Height) > 2 {
		t.Fatalf("the chart puts the pointer %v below its top, want %v", got, .9*at.Height)
	}
	b.Eval(`(document.getElementById("load-and-use").style.marginBottom = "60px", new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))`, nil)
	if now := place(); math.Abs(now.Top-at.Top-60) > 1 {
		t.Fatalf("the chart is at %v, was at %v, want it 60 lower", now.Top, at.Top)
	}
	if got, want := point(x+5, y), .9*at.Height-60; math.Abs(got-want) > 2 {
		t.Errorf("the chart puts the pointer %v below its top, want %v", got, want)
	}
	b.Eval(`document.getElementById("load-and-use").style.marginBottom = ""`, nil)
}

// checkDrawn looks at every figure: what is shown of it has a size, and a canvas
// is not empty.
func checkDrawn(t *testing.T, b *browser.Browser) {
	t.Helper()
	var figures []struct {
		ID            string
		Width, Height float64
		Colors        int
		Chart         bool
	}
	b.Eval(`[...document.querySelectorAll("figure")].map(f => {
		const canvas = f.querySelector("canvas");
		const box = (canvas || f.querySelector(".still svg")).getBoundingClientRect();
		let colors = 0;
		if (canvas) {
			const all = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
			const seen = new Set();
			for (let i = 0; i < all.length; i += 4) seen.add(all[i] << 16 | all[i + 1] << 8 | all[i + 2]);
			colors = seen.size;
		} else {
			colors = f.querySelectorAll(".still svg path").length;
		}
		return { id: f.id, width: box.width, height: box.height, colors, chart: !!f.dataset.chart && !!canvas };
	})`, &figures)
	charts := 0
	for _, f := range figures {
		if f.Width < 100 || f.Height < 100 || f.Colors < 3 {
			t.Errorf("figure %+v is not drawn", f)
		}
		if f.Chart {
			charts++
		}
	}
	if len(figures) != 3 || charts != 3 {
		t.Errorf("%d figures, %d of them to zoom, want 3 and 3", len(figures), charts)
	}
}

type box struct{ Left, Top, Width, Height float64 }

// over is where the pointer can be on a chart, in view. A smooth scroll that began
// earlier goes on after an instant one.
func over(b *browser.Browser, figure string) box {
	var at box
	b.Eval(`(async () => {
		const over = document.querySelector("#`+figure+` .u-over");
		let last, r = { top: NaN };
		do {
			over.scrollIntoView({ block: "center", behavior: "instant" });
			last = r.top;
			await new Promise(done => setTimeout(done, 50));
			r = over.getBoundingClientRect();
		} while (r.top !== last);
		return { left: r.left, top: r.top, width: r.width, height: r.height };
	})()`, &at)
	return at
}

func rangeOf(b *browser.Browser, figure string) (low, high float64) {
	var x [2]float64
	b.Eval(`(s => [s.min, s.max])(document.getElementById("`+figure+`").chart.scales.x)`, &x)
	return x[0], x[1]
}

var zoomed = []string{"load-and-use", "run-times-distribution", "queue-jobs"}

// checkZoom drags across the second quarter of each chart, then presses its
// buttons.
func checkZoom(t *testing.T, b *browser.Browser) {
	press := func(figure, button string) {
		b.Eval(`[...document.querySelectorAll("#`+figure+` .tools button")].find(x => x.textContent === "`+button+`").click()`, nil)
		b.Eval(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
	}
	for _, figure := range zoomed {
		at := over(b, figure)
		low, high := rangeOf(b, figure)
		var want [2]float64
		b.Eval(`(u => [u.posToVal(u.over.clientWidth / 4, "x"), u.posToVal(u.over.clientWidth / 2, "x")])(document.getElementById("`+figure+`").chart)`, &want)
		y := at.Top + at.Height/2
		b.Mouse("mouseMoved", at.Left+at.Width/4, y, false)
		b.Mouse("mousePressed", at.Left+at.Width/4, y, true)
		b.Mouse("mouseMoved", at.Left+at.Width/3, y, true)
		b.Mouse("mouseMoved", at.Left+at.Width/2, y, true)
		b.Mouse("mouseReleased", at.Left+at.Width/2, y, true)
		b.Eval(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
		from, to := rangeOf(b, figure)
		near := func(x, want float64) bool { return x >= want-0.02*(high-low) && x <= want+0.02*(high-low) }
		if !near(from, want[0]) || !near(to, want[1]) || to-from > 0.6*(high-low) {
			t.Errorf("%s: dragged to %v to %v of %v to %v, want %v", figure, from, to, low, high, want)
		}
		press(figure, "Reset")
		if l, h := rangeOf(b, figure); !near(l, low) || !near(h, high) {
			t.Errorf("%s: the whole is %v to %v, want %v to %v", figure, l, h, low, high)
		}
		press(figure, "Zoom in")
		if l, h := rangeOf(b, figure); !(l >= low && h <= high && h-l < 0.95*(high-low)) {
			t.Errorf("%s: closer is %v to %v of %v to %v", figure, l, h, low, high)
		}
		press(figure, "Zoom out")
		press(figure, "Zoom out")
		if l, h := rangeOf(b, figure); !near(l, low) || !near(h, high) {
			t.Errorf("%s: farther is %v to %v, want %v to %v", figure, l, h, low, high)
		}
	}
}

// checkHover points at the middle of each chart: the legend has the values that
// the data have there.
func checkHover(t *testing.T, b *browser.Browser) {
	for _, figure := range zoomed {
		at := over(b, figure)
		b.Mouse("mouseMoved", at.Left+at.Width/2, at.Top+at.Height/2, false)
		b.Eval(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
		var got struct {
			Index *int
			Data  []*float64
			Text  []string
		}
		b.Eval(`(u => ({
			index: u.cursor.idx, data: u.data.map(d => d[u.cursor.idx]),
			text: [...u.root.querySelectorAll(".u-legend .u-value")].map(v => v.textContent),
		}))(document.getElementById("`+figure+`").chart)`, &got)
		if got.Index == nil || len(got.Text) != len(got.Data) {
			t.Errorf("%s: nothing under the pointer: %+v", figure, got)
			continue
		}
		for i, text := range got.Text {
			if (got.Data[i] == nil) != (text == "–") || text == "" {
				t.Errorf("%s: series %d is said to be %q where the datum is %v", figure, i, text, got.Data[i])
			}
		}
	}
}

// checkKeyboard moves along each chart with the arrow keys, and hears the values
// that the data have there, whole and zoomed.
func checkKeyboard(t *testing.T, b *browser.Browser) {
	type heard struct {
		Index, Shown int
		Text         string
		Values       []*float64
		Range        [2]float64
	}
	for _, figure := range zoomed {
		press := func(key string, code int) (got heard) {
			b.Key(key, code)
			b.Eval(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
			b.Eval(`((u, i) => ({
				index: +i.value, shown: u.cursor.idx ?? -1, text: i.getAttribute("aria-valuetext"), values: u.data.map(d => d[+i.value]),
				range: [u.scales.x.min, u.scales.x.max],
			}))(document.getElementById("`+figure+`").chart, document.activeElement)`, &got)
			return got
		}
		b.Eval(`document.querySelector("#`+figure+` .tools input").focus()`, nil)
		first := press("Home", 36)
		next := press("ArrowRight", 39)
		if first.Index != 0 || next.Index != 1 || next.Shown != 1 {
			t.Errorf("%s: at %d and %d, the chart at %d; want 0, 1 and 1", figure, first.Index, next.Index, next.Shown)
		}
		some := 0
		for _, v := range next.Values[1:] {
			if v != nil {
				some++
			}
		}
		if said := strings.Count(next.Text, ", "); said != some {
			t.Errorf("%s: %q has %d values, want %d", figure, next.Text, said, some)
		}
		b.Eval(`[...document.querySelectorAll("#`+figure+` .tools button")].find(x => x.textContent === "Zoom in").click()`, nil)
		b.Eval(`document.querySelector("#`+figure+` .tools input").focus()`, nil)
		last := press("End", 35)
		if x := *last.Values[0]; x < last.Range[0] || x > last.Range[1] || last.Index <= 1 {
			t.Errorf("%s: zoomed to %v the keys go to %v", figure, last.Range, x)
		}
		b.Eval(`[...document.querySelectorAll("#`+figure+` .tools button")].find(x => x.textContent === "Reset").click()`, nil)
	}
}

// checkQuiet finds errors, warnings and requests among the events.
func checkQuiet(t *testing.T, b *browser.Browser, page string) {
	b.Call("Page.getLayoutMetrics", nil, nil) // what was under way has come
	requests := 0
	for _, e := range b.Events {
		switch e.Method {
		case "Runtime.exceptionThrown", "Log.entryAdded":
			t.Errorf("%s: %s", e.Method, e.Params)
		case "Runtime.consoleAPICalled":
			t.Errorf("console: %s", e.Params)
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if err := json.Unmarshal(e.Params, &p); err != nil {
				t.Fatal(err)
			}
			requests++
			if p.Request.URL != "file://"+page && p.Request.URL != "data:," {
				t.Errorf("a request for %.100s", p.Request.URL)
			}
		}
	}
	if requests == 0 {
		t.Error("no request was seen, not even for the page")
	}
}
