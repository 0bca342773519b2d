package figure

import (
	"bytes"
	"io"
	"maps"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/loadstone-hpc/loadstone/dist"
)

// drawing is a figure of made-up data and what its SVG has to say.
type drawing struct {
	name   string
	draw   func(w io.Writer, format string) error
	labels []string
	curves int // lines of more than 50 points
}

func drawings(t testing.TB) []drawing {
	t.Helper()
	var s Sample
	for i := range 400 {
		s.Values = append(s.Values, math.Floor(math.Exp(0.03*float64(i))+float64(i)))
		s.Counts = append(s.Counts, float64(1+i%7))
	}
	hyper := dist.HyperGamma{First: dist.Gamma{Shape: 4.2, Scale: 0.94}, Second: dist.Gamma{Shape: 312, Scale: 0.03}, P: 0.7}
	var laws []Law
	for name, law := range map[string]dist.Law{"hyper-gamma": hyper, "gamma": dist.Gamma{Shape: 5, Scale: 1.2}} {
		l, err := NewLaw(name, law, Ln, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		laws = append(laws, l)
	}
	if laws[0].Name != "hyper-gamma" {
		laws[0], laws[1] = laws[1], laws[0]
	}
	pairs := Pairs{Name: "hyper-gamma"}
	for i, v := range s.Values {
		pairs.Log = append(pairs.Log, v)
		pairs.Model = append(pairs.Model, v*(1+0.3*math.Sin(float64(i)/40)))
	}
	// Downey (1997), figure 2, with the bounds of figure 1.
	const tMin, tMax = 5.8, 24.2 * 3600
	rest := Remaining{Name: "uniform-log", Age: logSpaced(tMin, 0.99*tMax, 200)}
	for _, a := range rest.Age {
		rest.Median = append(rest.Median, math.Sqrt(a*tMax)-a)
		rest.Mean = append(rest.Mean, (tMax-a)/math.Log(tMax/a)-a)
	}
	log := Remaining{Name: "the log", Age: rest.Age, Median: append([]float64(nil), rest.Median...)}
	log.Median[100] = math.NaN() // the line breaks
	var day Day
	for i := range day.Jobs {
		day.Jobs[i] = float64(20 + i)
	}
	day.Apart[7], day.PeakName = 40, "at 3:30"
	paths := []Path{{"low", []float64{0, 1, 2}, []float64{1, 2, 3}}, {"high", []float64{0, 2}, []float64{2, math.NaN()}}}
	var trends []Trend
	for _, p := range paths {
		trends = append(trends, Trend{p, make([]float64, len(p.X)), p.Y})
	}
	var waits Waits
	for i := range 4001 {
		waits.Predicted = append(waits.Predicted, math.Exp(float64(i)/400))
		waits.Actual = append(waits.Actual, float64(1+i))
	}
	return append(waitDrawings(), []drawing{
		{"distribution", func(w io.Writer, f string) error { return Distribution(w, f, "a log", RunTime, s, laws) },
			[]string{"How long jobs run", "run time", "share of jobs that run no longer", "the log", "hyper-gamma", "gamma", "1 min", "10 h", "80 %"}, 3},
		{"sizes", func(w io.Writer, f string) error { return Distribution(w, f, "a log", Size, s, nil) },
			[]string{"How large jobs are", "size (processors)", "64", "1024"}, 1},
		{"arrivals", func(w io.Writer, f string) error { return Distribution(w, f, "a log", PeakInterarrival, s, laws) },
			[]string{"How soon the next job comes at peak hours", "interarrival time", "share of interarrivals no longer", "1 min"}, 3},
		{"by class", func(w io.Writer, f string) error {
			return ByClass(w, f, "a log", "queue", RunTime, []Group{{"short", s, &laws[0]}, {"long", s, nil}})
		}, []string{"How long jobs run, by queue", "run time", "short", "long", "fitted", "1 min"}, 3},
		{"density", func(w io.Writer, f string) error { return Density(w, f, "a log", RunTime, s, laws) },
			[]string{"How long jobs run: density", "run time", "density of ln(run time)", "the log", "1 min"}, 2},
		{"q-q", func(w io.Writer, f string) error { return QQ(w, f, "a log", RunTime, []Pairs{pairs}) },
			[]string{"How long jobs run: quantiles", "run time by the fit", "run time in the log", "identity", "hyper-gamma", "10 min"}, 0},
		{"remaining", func(w io.Writer, f string) error { return RemainingLifetime(w, f, "a log", []Remaining{log, rest}) },
			[]string{"How much longer a job runs", "age: how long the job has run", "remaining lifetime", "the log, median", "uniform-log, median", "uniform-log, mean", "1 h"}, 4},
		{"day", func(w io.Writer, f string) error {
			return DailyCycle(w, f, "a log", day, []Cycle{{"gamma 8.17, 3.96", dist.Gamma{Shape: 8.17, Scale: 3.96}}})
		}, []string{"How submissions change over the day", "time of day", "share of jobs per half hour", "at 3:30", "gamma 8.17, 3.96", "14:00", "2:00", "2.0 %"}, 1},
		{"allocated", func(w io.Writer, f string) error {
			return AllocatedJobs(w, f, "a log", Work, "jobs under avg", s, laws[0])
		}, []string{"How much work jobs do", "jobs under avg", "hyper-gamma"}, 2},
		{"profiles", func(w io.Writer, f string) error { return ParallelismProfiles(w, f, "a log", paths) },
			[]string{"How many processors a job could use", "processors", "low", "high", "2.0"}, 0},
		{"speedup", func(w io.Writer, f string) error { return SpeedupCurves(w, f, "a log", paths) },
			[]string{"How much faster jobs run on more processors", "speedup", "low", "high"}, 0},
		{"varied", func(w io.Writer, f string) error { return Varied(w, f, "a log", "load", "turnaround", trends) },
			[]string{"What load changes", "turnaround", "low", "high"}, 0},
		{"predicted waits", func(w io.Writer, f string) error { return PredictedWaits(w, f, "a log", "bias", waits) },
			[]string{"Times until processors are free, predicted by bias", "predicted", "actual", "as predicted", "mean of a column", "median", "decisions, one in 2", "1 min"}, 0},
		{"week", func(w io.Writer, f string) error { return WeeklyCycle(w, f, "a log", [7]float64{1, 5, 5, 6, 6, 5, 2}) },
			[]string{"How submissions change over the week", "day of the week", "share of jobs", "all days alike", "Mon", "Sun", "20 %"}, 0},
	}...)
}

var (
	svgText = regexp.MustCompile(`<text x="([-0-9.e+]+)" y="([-0-9.e+]+)"[^>]*>([^<]*)</text>`)
	svgPath = regexp.MustCompile(`<path d="([^"]*)"`)
	svgFont = regexp.MustCompile(`font-size:([0-9.]+)px`)
	svgSize = regexp.MustCompile(`viewBox="0 0 ([0-9.]+) ([0-9.]+)"`)
)

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// texts returns the texts of an SVG, and reports those that are not whole
// inside of it: from left to right, or upwards where they are rotated, as y
// below 0 tells.
func texts(t *testing.T, name, svg string) map[string]bool {
	t.Helper()
	size := svgSize.FindStringSubmatch(svg)
	if size == nil {
		t.Fatalf("%s: no size", name)
	}
	has := map[string]bool{}
	for _, m := range svgText.FindAllStringSubmatch(svg, -1) {
		has[m[3]] = true
		x, y, long, high := number(t, m[1]), -number(t, m[2]), number(t, size[1]), number(t, size[2])
		if y < 0 {
			y, long, high = -y, high, long
		}
		font := svgFont.FindStringSubmatch(m[0])
		if end := x + float64(textWidth(m[3], vg.Length(number(t, font[1])))); x < 0 || end > long || y > high {
			t.Errorf("%s: %q is at %v to %v of %v, %v of %v", name, m[3], x, end, long, y, high)
		}
	}
	return has
}

func TestFigures(t *testing.T) {
	for _, d := range drawings(t) {
		var b bytes.Buffer
		if err := d.draw(&b, "svg"); err != nil {
			t.Errorf("%s: %v", d.name, err)
			continue
		}
		svg := b.String()
		has := texts(t, d.name, svg)
		for _, want := range append(d.labels, "a log") {
			if !has[want] && !has[want+"; 7 are off the chart"] {
				t.Errorf("%s: no text %q", d.name, want)
			}
		}
		curves := 0
		for _, m := range svgPath.FindAllStringSubmatch(svg, -1) {
			if strings.Count(m[1], "L") > 50 {
				curves++
			}
		}
		if curves != d.curves {
			t.Errorf("%s: %d curves, want %d", d.name, curves, d.curves)
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: a coordinate is no number", d.name)
		}
	}
}

func TestCurvesLookDifferent(t *testing.T) {
	seen := map[string]bool{}
	for i := range len(palette) * len(dashes) {
		style := modelStyle(i)
		r, g, b, _ := style.Color.RGBA()
		look := strconv.Itoa(int(r)) + "," + strconv.Itoa(int(g)) + "," + strconv.Itoa(int(b)) + strings.Repeat("-", len(style.Dashes))
		for _, d := range style.Dashes {
			look += " " + strconv.FormatFloat(float64(d), 'g', -1, 64)
		}
		if seen[look] {
			t.Fatalf("curve %d looks like another: %s", i, look)
		}
		seen[look] = true
	}
}

// A law far above the histogram does not change the axis.
func TestDensityIsCutAtTheFrame(t *testing.T) {
	s := Sample{[]float64{1, 60, 86400}, []float64{1, 2, 1}}
	labels := func(laws ...Law) map[string]bool {
		var b bytes.Buffer
		if err := Density(&b, "svg", "a log", RunTime, s, laws); err != nil {
			t.Fatal(err)
		}
		return texts(t, "density", b.String())
	}
	want := labels()
	want["pole"] = true
	got := labels(Law{Name: "pole", Density: func(x float64) float64 { return 1e250 / x }}, Law{Name: "none"})
	if !maps.Equal(got, want) {
		t.Errorf("texts %v, want %v", got, want)
	}
	// Nearly all jobs are below one: the axis is short, and the law is more
	// lengths of it above than a number can say.
	var b bytes.Buffer
	if err := Density(&b, "svg", "a log", RunTime, Sample{[]float64{0.5, 2}, []float64{1e12, 1}}, []Law{{Name: "pole", Density: func(x float64) float64 { return math.Trunc(x/3) * 1e299 }}}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
		t.Error("a coordinate is no number")
	}
}
