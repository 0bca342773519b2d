package web_test

import "testing"

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
		for _, em := range []float64{.08, 0} {
			b.Spread(em)
			var wide int
			b.Eval(`Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)`, &wide)
			if wide > s.width {
				t.Errorf("%s, spread by %g em: the page is %d pixels wide", s.name, em, wide)
			}
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
