package figure

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study"
	"github.com/loadstone-hpc/loadstone/study/sweep"
	"github.com/loadstone-hpc/loadstone/workload"
)

// agreeAll reports whether numbers agree except for a few units in the last place.
func agreeAll(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool {
		return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
	})
}

// The exponential distribution and its transforms by hand, at x = 7: a distribution of x with mean
// 5, of ln x with mean 2, and of log2 x with mean 3.
func TestLawOf(t *testing.T) {
	const x = 7.0
	for _, c := range []struct {
		of   fit.Transform
		mean float64
		n    int64 // for four jobs
		cdf  float64
	}{
		{fit.None, 5, 4, 1 - math.Exp(-x/5)},
		{fit.Ln, 2, 4, 1 - math.Pow(x, -0.5)},
		{fit.Log2, 3, 3, 0.25 + 0.75*(1-math.Exp(-math.Log2(x)/3))},
	} {
		law := LawOf(fit.Report{Family: "exponential", N: c.n, Law: dist.Exponential{Mean: c.mean}, Transform: c.of}, fit.Sample{Values: []float64{1}, Counts: []float64{4}})
		if got := law.CDF(x); law.Name != "exponential" || math.Abs(got-c.cdf) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.of, got, c.cdf)
		}
	}
}

func TestDensities(t *testing.T) {
	// Ten jobs with whole seconds from 1 to 16: eight bins with edges at powers of the square root
	// of two, moved to 0.5, 1.5, 2.5, 4.5, 5.5, ...
	whole := fit.Sample{Values: []float64{1, 2, 4, 16}, Counts: []float64{1, 4, 3, 2}}
	edges := binEdges(whole, 1, 16)
	if want := []float64{0.5, 1.5, 2.5, 4.5, 5.5, 8.5, 11.5, 16.5}; !agreeAll(edges, want) {
		t.Fatalf("edges %v, want %v", edges, want)
	}
	jobs := []float64{1, 4, 3, 0, 0, 0, 2}
	for i := range jobs {
		jobs[i] /= 10 * math.Log(edges[i+1]/edges[i])
	}
	if got := density(shareUpTo(whole), edges); !agreeAll(got, jobs) {
		t.Errorf("bars %v, want %v", got, jobs)
	}
	// Values that are not whole numbers: bins of equal width. A value below one is counted but not
	// drawn, so the area of the bars is the share of the others.
	odd := fit.Sample{Values: []float64{0.5, 1, 3.25, 7, 256}, Counts: []float64{5, 1, 6, 2, 6}}
	edges, area := binEdges(odd, 1, 256), 0.0
	for i, y := range density(shareUpTo(odd), edges) {
		width := math.Log(edges[i+1] / edges[i])
		if math.Abs(width-math.Log(256)/8) > 1e-8 {
			t.Errorf("bar %d is %v wide", i, width)
		}
		area += y * width
	}
	if len(edges) != 9 || math.Abs(area-0.75) > 1e-9 {
		t.Errorf("bars between %v of area %v", edges, area)
	}
}

// Days begin at 5:00. The cycle is the model's: table 7 of Lublin and Feitelson (2003).
func TestDailyCycle(t *testing.T) {
	var day [model.Slots]float64
	day[10], day[9] = 3, 1 // from 5:00 and from 4:30 on
	law := dist.Gamma{Shape: 8.17, Scale: 3.96}
	s := dailyCycle("", day, &site.CycleReport{Law: dist.JSON{Law: law}})
	jobs, cycle := s.Series[0], s.Series[1]
	if jobs.X[0] != 5 || jobs.X[48] != 29 || jobs.Y[0] != 0.75 || jobs.Y[47] != 0.25 {
		t.Errorf("%+v", jobs)
	}
	all := law.CDF(model.LastSlot+0.5) - law.CDF(model.FirstSlot-0.5)
	if want := (law.CDF(model.FirstSlot+0.5) - law.CDF(model.FirstSlot-0.5)) / all; math.Abs(cycle.Y[0]-want) > 1e-9*want {
		t.Errorf("from 5:00 on %v, want %v", cycle.Y[0], want)
	}
}

// Midnight is at 0:00 local time on both sides of the end of summer time.
func TestTimeAxis(t *testing.T) {
	zone := jobtest.Must(time.LoadLocation("Europe/Stockholm"))
	start := time.Date(1996, time.October, 26, 0, 0, 0, 0, zone)
	axis, place := timeAxis(workload.Clock{Start: start, Known: true}, 0, 1e6)
	for hours, want := range map[float64]string{0: "26 00", 24: "27 00", 49: "28 00"} {
		if got := time.Unix(int64(place(3600*hours)), 0).UTC().Format("2 15"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	days, place := timeAxis(workload.Clock{}, 0, 1e6)
	if at := place(43200); axis.Kind != Clock || days.Kind != Days || at != 0.5 {
		t.Errorf("%s, %s, %v", axis.Kind, days.Kind, at)
	}
}

// Axis labels distinguish bounds from times at the head of the queue.
func TestWaits(t *testing.T) {
	var waits score.WaitScatter
	for range 20 {
		waits.Add(100, 0)
		waits.Add(1000, 200)
	}
	waits.Add(1e12, 7)
	processors := int64(4)
	all := OfWaits(&evaluate.WaitsResult{Quantile: 0.95, Processors: &processors,
		Scores: []evaluate.WaitScore{{Predictor: "bmbp", Waits: evaluate.LogWaits, Bound: true, Scatter: waits.Result()}, {Predictor: "downey-a", Waits: evaluate.HeadWaits, Scatter: waits.Result()}}})
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	bound, head := all[0], all[1]
	if bound.X.Title != "bound of the wait" || bound.Y.Title != "actual wait (20 below 1 s, drawn at 1 s)" || !strings.HasSuffix(bound.Source, "; 1 are off the chart") || !strings.HasPrefix(head.X.Title, "predicted time at the head") {
		t.Errorf("%+v, %+v", bound, head)
	}
	// Columns of a sixth of a decade: that of 100 s, a gap, and that of 1000 s.
	if mean := bound.Series[2].Y; !agreeAll(mean[:3], []float64{1, unknown, 200}) {
		t.Errorf("means %v", mean)
	}
}

// Studies have pictures by policy for each kind of estimates, and by estimates for each policy,
// against loads or, if there is only one load, against processors; the order of groups does not
// matter.
func TestOfSweep(t *testing.T) {
	wait := sweep.Measure{Name: "wait_mean_s", Meaning: "mean wait", Drawn: true}
	s := &sweep.Summary{}
	add := func(load float64, processors int64, mean float64, policy, estimates string) {
		s.Groups = append(s.Groups, sweep.Group{Parameters: sweep.Parameters{Log: "a log", Load: stats.Number(load), Processors: processors, Policy: policy, Estimates: estimates},
			Measure: wait, Name: wait.Name, Seeds: 2, Interval: study.Interval{Mean: stats.Number(mean), Low: stats.Number(mean / 2), High: stats.Number(2 * mean)}})
	}
	for _, load := range []float64{.9, .5} {
		add(load, 0, 5000*load, "fcfs", "")
		for _, e := range []string{"user", "last2"} {
			add(load, 0, 100*load, "easy", e)
		}
	}
	kinds := map[string]AxisKind{}
	for _, p := range OfSweep(s) {
		kinds[p.Name] = p.Y.Kind
		if c := p.Series[0]; !slices.Equal(c.X, []float64{.5, .9}) || !strings.HasPrefix(p.Source, "a log, 2 seeds, ") || strings.HasSuffix(p.Name, "user") && !strings.Contains(p.Source, ", user estimates;") || p.X.Title != "offered load" {
			t.Errorf("%s: %+v", p.Name, p)
		}
	}
	// The means of fcfs and of easy differ by a factor of 50 and more; those of easy are similar to
	// each other.
	if len(kinds) != 3 || kinds["sweep-a-log-wait_mean_s-user"] != Duration || kinds["sweep-a-log-wait_mean_s-last2"] != Duration || kinds["sweep-a-log-wait_mean_s-easy"] != Seconds {
		t.Errorf("%v", kinds)
	}
	s = &sweep.Summary{}
	for _, n := range []int64{128, 100, 154} {
		add(.9, n, 1e6/float64(n), "easy", "user")
	}
	if all := OfSweep(s); len(all) != 1 || all[0].X.Title != "processors" || !slices.Equal(all[0].Series[0].X, []float64{100, 128, 154}) {
		t.Errorf("%+v", all)
	}
}
