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
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/study/sweep"
	"github.com/loadstone-hpc/loadstone/workload"
)

// agree reports whether two numbers agree to a few units in the last places.
func agree(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b))
}

func agreeAll(a, b []float64) bool { return slices.EqualFunc(a, b, agree) }

func TestNewLaw(t *testing.T) {
	// The exponential law and its transforms by hand, at x = 7: a law of x
	// with mean 5, of ln x with mean 2, of log2 x with mean 3.
	const x = 7.0
	for _, c := range []struct {
		of           fit.Transform
		mean, below  float64
		cdf, density float64
	}{
		{fit.None, 5, 0, 1 - math.Exp(-x/5), x / 5 * math.Exp(-x/5)},
		{fit.Ln, 2, 0, 1 - math.Pow(x, -0.5), 0.5 * math.Pow(x, -0.5)},
		{fit.Log2, 3, 0.25, 0.25 + 0.75*(1-math.Exp(-math.Log2(x)/3)), 0.75 * math.Exp(-math.Log2(x)/3) / (3 * math.Ln2)},
	} {
		law := newLaw("exponential", dist.Exponential{Mean: c.mean}, c.of, c.below)
		if law.Name != "exponential" || !agree(law.CDF(x), c.cdf) || !agree(law.density(x), c.density) {
			t.Errorf("%s: CDF %v, density %v, want %v, %v", c.of, law.CDF(x), law.density(x), c.cdf, c.density)
		}
	}
}

func TestHistogram(t *testing.T) {
	// Ten jobs, whole seconds from 1 to 16: eight bins whose edges would be
	// powers of the square root of two, moved to 0.5, 1.5, 2.5, 4.5, 5.5, ...
	edges, bars := histogram(fit.Sample{Values: []float64{1, 2, 4, 16}, Counts: []float64{1, 4, 3, 2}}, 1, 16)
	jobs := []float64{1, 4, 3, 0, 0, 0, 2}
	if want := []float64{0.5, 1.5, 2.5, 4.5, 5.5, 8.5, 11.5, 16.5}; !agreeAll(edges, want) || len(bars) != len(jobs) {
		t.Fatalf("edges %v, want %v", edges, want)
	}
	for i, b := range bars {
		if want := jobs[i] / 10 / math.Log(edges[i+1]/edges[i]); !agree(b, want) {
			t.Errorf("bar %d is %v high, want %v", i, b, want)
		}
	}
	// Values that are not whole: equal widths. A value below one is counted
	// and not drawn, so the bars' area is the share of the others.
	edges, bars = histogram(fit.Sample{Values: []float64{0.5, 1, 3.25, 7, 256}, Counts: []float64{5, 1, 6, 2, 6}}, 1, 256)
	area := 0.0
	for i, b := range bars {
		width := math.Log(edges[i+1] / edges[i])
		if math.Abs(width-math.Log(256)/8) > 1e-12 {
			t.Errorf("bar %d is %v wide", i, width)
		}
		area += b * width
	}
	if len(bars) != 8 || edges[0] != 1 || edges[8] != 256 || !agree(area, 0.75) {
		t.Errorf("bars between %v of area %v", edges, area)
	}
}

// A law far above the histogram does not change the axis.
func TestDensityIsCutAtTheFrame(t *testing.T) {
	s := fit.Sample{Values: []float64{1, 60, 86400}, Counts: []float64{1, 2, 1}}
	pole := Law{Name: "pole", density: func(x float64) float64 { return 1e250 / x }}
	with, without := densities(fit.RunTime, "", s, []Law{pole}), densities(fit.RunTime, "", s, nil)
	if with.Y.Max != without.Y.Max {
		t.Errorf("axis to %v, and %v without the law", with.Y.Max, without.Y.Max)
	}
}

func TestAroundData(t *testing.T) {
	// The data are from 1 to 300; up to ten times outside of it the laws
	// count: 0.2, and 400 but not 5000.
	low, high := aroundData([]float64{1, 10, math.NaN(), 300, 0}, []float64{0, 2, 400, 5000, 1e300, 0.2})
	if low != 0.2 || high != 400 {
		t.Errorf("%v to %v", low, high)
	}
}

// Half of the jobs are serial. Gamma distributions of the logarithm cannot take them, so all
// that are compared are fitted without, and the plots of all are of the other half.
func TestQuantilesAreOfTheFittedValues(t *testing.T) {
	sample := fit.Sample{Values: []float64{1, 2, 4, 8}, Counts: []float64{80, 40, 20, 20}}
	ranking, err := fit.RankFamilies([]string{"log-normal", "gamma"}, fit.Size, sample, fit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var reports []fit.Report
	for _, r := range ranking.Ranked {
		reports = append(reports, r.Report)
	}
	s := quantiles(fit.Size, "", reports, sample)
	if len(s.Series) != 3 || s.Why != "" {
		t.Fatalf("%d series, %s", len(s.Series), s.Why)
	}
	for _, c := range s.Series[1:] {
		if !slices.Equal(c.Y, []float64{2, 4, 8}) {
			t.Fatalf("%s: values %v of the log", c.Name, c.Y)
		}
	}
}

func TestCycleIsTheModels(t *testing.T) {
	// Table 7 of Lublin and Feitelson (2003), the model's row.
	law := dist.Gamma{Shape: 8.17, Scale: 3.96}
	weights, ok := model.CycleWeights(law)
	if !ok {
		t.Fatal("no weights")
	}
	s := cycle("cycle", law)
	if first, last := s.X[0], s.X[len(s.X)-1]; first != 5 || last != 29 {
		t.Errorf("from %v to %v, want 5 to 29", first, last)
	}
	for i, w := range weights {
		// The middle of the half hour, between two points of the line.
		hour := float64(model.SlotNumber(i)-1)/2 + 0.25
		at := (hour - 5) / 24 * (curvePoints - 1)
		k := int(at)
		got := s.Y[k] + (at-float64(k))*(s.Y[k+1]-s.Y[k])
		if want := w / model.Slots; math.Abs(got-want) > 1e-4*want {
			t.Errorf("at %v h: %v, want %v", hour, got, want)
		}
	}
}

// Days begin at 5:00, weeks on Monday.
func TestCyclesBegin(t *testing.T) {
	var day [model.Slots]float64
	day[10], day[9] = 3, 1 // from 5:00 and from 4:30 on
	s := DailyCycle("", day, nil)
	if c := s.Series[0]; c.X[0] != 5 || c.X[48] != 29 || c.Y[0] != 0.75 || c.Y[47] != 0.25 {
		t.Errorf("%+v", c)
	}
	s = WeeklyCycle("", [7]float64{1, 2, 0, 0, 0, 0, 1})
	if c := s.Series[0]; !slices.Equal(c.Y, []float64{0.5, 0, 0, 0, 0, 0.25, 0.25}) || s.X.Names[0] != "Mon" || s.X.Names[6] != "Sun" {
		t.Errorf("%v of %v", c.Y, s.X.Names)
	}
}

// Figure 7 of Lublin and Feitelson (2003): of three jobs of one, one and two
// processors p(size) = 0.8 - 0.1 size is 0.7, 0.7 and 0.6 (2/3 on average), and one
// job is too short for the law. At ln t = 5 all of the first Gamma and nothing of
// the second is below: 1/3 + 2/3 * 2/3 = 7/9.
func TestModelOfSizes(t *testing.T) {
	rows := []workload.Job{
		{Request: workload.Request{Submit: 0, Size: 1}, Run: 1}, {Request: workload.Request{Submit: 1, Size: 1}, Run: 50},
		{Request: workload.Request{Submit: 2, Size: 2}, Run: 100}, {Request: workload.Request{Submit: 3, Size: 9}, Run: 100},
	}
	var warnings workload.Warnings
	classes, err := fit.Collect(workload.JobsOf(rows), workload.Clock{}, fit.CollectOptions{}, &warnings)
	if err != nil || len(classes) != 1 {
		t.Fatal(classes, err)
	}
	sizes := fit.SizeRange{From: 1, To: 2}
	law := dist.HyperGamma{First: dist.Gamma{Shape: 100, Scale: 0.01}, Second: dist.Gamma{Shape: 10000, Scale: 0.001}, P: 0.9}
	of := site.RunTimesReport{Law: fit.Report{Law: law}, Form: site.FormLinear, Estimator: site.ByLikelihood, Shares: []site.ShareFit{{Form: site.FormLinear, Estimator: site.ByLikelihood, Slope: -0.1, Intercept: 0.8}}}
	got := classPictures{class: classes[0]}.modelOfSizes(sizes, classes[0].SampleOfSizes(fit.RunTime, sizes), of)
	if got == nil || math.Abs(got.CDF(math.Exp(5))-7./9) > 1e-12 {
		t.Errorf("%+v, want 7/9", got)
	}
	// A picture of two ranges tells the jobs of both, and leaves out ranges without any.
	s := classPictures{log: "a.swf", class: classes[0]}.bySize("by-size", "a size", []site.SizeFit{{SizeRange: sizes}, {SizeRange: fit.SizeRange{From: 3, To: 3}}, {SizeRange: fit.SizeRange{From: 9, To: 9}}},
		func(site.SizeFit, fit.Sample) *Law { return nil })
	if len(s.Series) != 2 || s.Series[1].Name != "9 processors" || s.Source != "a.swf, 4 jobs with a size" || s.Why != "" {
		t.Errorf("%+v", s)
	}
	if got := (classPictures{class: classes[0]}).modelOfSizes(sizes, fit.Sample{}, site.RunTimesReport{}); got != nil {
		t.Errorf("without a model: %v", got)
	}
}

// A run of equal counts is one step.
func TestSteps(t *testing.T) {
	edges, kept := steps(-300, 300, []float64{2, 0, 0, 0, 7})
	if !slices.Equal(edges, []float64{-300, 0, 900, 1200}) || !slices.Equal(kept, []float64{2, 0, 7}) {
		t.Errorf("%v between %v", kept, edges)
	}
}

// Midnight is midnight on both sides of the end of summer time.
func TestTimeAxis(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(1996, time.October, 26, 0, 0, 0, 0, zone)
	axis, places := TimeAxis(workload.Clock{Start: start, Known: true}, 0, 1e6)
	at := places(0, 24*3600, 49*3600)
	for i, want := range []string{"26 00", "27 00", "28 00"} {
		if got := time.Unix(int64(at[i]), 0).UTC().Format("2 15"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	days, places := TimeAxis(workload.Clock{}, 0, 1e6)
	if at := places(43200); axis.Kind != Clock || days.Kind != Days || at[0] != 0.5 {
		t.Errorf("%s, %s, %v", axis.Kind, days.Kind, at)
	}
}

// The axis ends at 1.6 times the 0.95 quantile, at 1.2 at least where the whole machine
// is drawn, and at the highest value where that is not far beyond.
func TestAxisTop(t *testing.T) {
	even := func(last float64) []float64 { return append(slices.Repeat([]float64{2}, 40), last) }
	for _, c := range []struct {
		full bool
		y    []float64
		want float64
	}{
		{false, even(100), 3.2}, {false, even(3.9), 1.04 * 3.9}, {false, even(4.1), 3.2}, {false, even(1), 1.04 * 2},
		{false, []float64{1, 1, 1, 100}, 104}, // too few to say what is usual
		{true, []float64{0.1, 0.2}, 1.04},
		{true, append(make([]float64, 40), 9), 1.2},
		{false, append(make([]float64, 40), 9), 1.04 * 9}, // nothing usual to show
	} {
		if got := axisTop(c.full, []Series{{Y: c.y}}); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %t: the axis ends at %v, want %v", c.y, c.full, got, c.want)
		}
	}
}

// Lines break at missing stretches, and the axes tell bounds and times at the head of the queue.
func TestWaits(t *testing.T) {
	nan := math.NaN()
	var waits score.WaitScatter
	for range 20 {
		waits.Add(100, 0)
		waits.Add(1000, 200)
	}
	waits.Add(1e12, 7)
	processors := int64(4)
	r := evaluate.WaitsResult{Quantile: 0.95, Processors: &processors,
		Scores:   []evaluate.WaitScore{{Predictor: "bmbp", Waits: evaluate.LogWaits, Bound: true, Scatter: waits.Result()}, {Predictor: "downey-a", Waits: evaluate.HeadWaits, Scatter: waits.Result()}},
		Coverage: evaluate.WaitsCoverage{Block: "day", Bounds: []evaluate.BoundCoverage{{Predictor: "bmbp", Waits: evaluate.LogWaits, From: []float64{0, 86400, 3 * 86400}, To: []float64{86400, 2 * 86400, 4 * 86400}, Share: []float64{0.5, 1, nan}}}},
		Bursts:   []evaluate.WaitsBurst{{Waits: evaluate.LogWaits, Lines: []evaluate.BurstLine{{Name: "actual", Seconds: []float64{0, 60, nan}}}}}}
	all := OfWaits(&r)
	bound, head := Find(all, "wait-scatter-bmbp"), Find(all, "wait-scatter-downey-a")
	if bound.X.Title != "bound of the wait" || bound.Y.Title != "actual wait (20 below 1 s, drawn at 1 s)" || !strings.HasSuffix(bound.Source, "; 1 are off the chart") || !strings.HasPrefix(head.X.Title, "predicted time at the head") {
		t.Errorf("%+v, %+v", bound, head)
	}
	if mean := bound.Series[2]; math.IsNaN(mean.Y[0]) || mean.Y[0] != 1 || !math.IsNaN(mean.Y[1]) || !agree(mean.Y[6], 200) {
		t.Errorf("means %v at %v", mean.Y, mean.X)
	}
	c := Find(all, "wait-coverage").Series[1]
	if !agreeAll(c.X, []float64{0.5, 1.5, 3, 3.5}) || !agreeAll(c.Y, []float64{0.5, 1, nan, nan}) {
		t.Errorf("coverage %v at %v", c.Y, c.X)
	}
	if b := Find(all, "wait-burst"); !agreeAll(b.Series[0].Y, []float64{1, 60, nan}) || !strings.Contains(b.Y.Title, "drawn at 1 s") {
		t.Errorf("burst %+v", b)
	}
}

// The schedule's sizes and work are counted by value, 2 processors for 10 s twice, 4
// for 5 s, with what the jobs brought.
func TestChosenSizes(t *testing.T) {
	all := chosenSizes("a log", &allocate.Studied{
		Jobs:    []allocate.Job{{Sequential: 10, Parallelism: 1}, {Sequential: 10, Parallelism: 8}, {Sequential: 80, Parallelism: 2}},
		Outcome: allocate.Outcome{Schedule: []allocate.Placement{{Size: 2, Run: 10}, {Size: 4, Run: 5}, {Size: 2, Run: 10}}},
	})
	sizes := all[1].Series
	// From 2 to 4 processors: of the sizes 2/3 are below 4; of the parallelism 1, 2 and 8.
	if !agree(sizes[0].Y[0], 2./3) || sizes[0].Y[curvePoints-1] != 1 || !agree(sizes[1].Y[0], 2./3) || all[0].Source != "a log: 3 jobs under avg" {
		t.Errorf("%v and %v, %s", sizes[0].Y[:2], sizes[1].Y[:2], all[0].Source)
	}
}

// Both profiles of Downey (1997), section 2.1, have their average parallelism, 64,
// and a variance of sigma (A-1)^2: by the areas below them and below their squares. Curves of figure 2 begin at 1 on one processor; that
// of infinite sigma is 64 n/(63 + n).
func TestProfilesAndSpeedups(t *testing.T) {
	for i, sigma := range []float64{0.5, 1.5} {
		p := parallelismProfiles().Series[i]
		var time, area, squares float64
		for k, y := range p.Y {
			dt := p.X[k+1] - p.X[k]
			time, area, squares = time+dt, area+dt*y, squares+dt*y*y
		}
		mean := area / time
		if variance := squares/time - mean*mean; math.Abs(mean-64) > 1e-9 || math.Abs(variance-sigma*63*63) > 1e-6 {
			t.Errorf("sigma %g: mean %g, variance %g, want 64, %g", sigma, mean, variance, sigma*63*63)
		}
	}
	all := speedups().Series
	for _, c := range all {
		if len(c.X) != 256 || c.X[0] != 1 || c.Y[0] != 1 {
			t.Errorf("%s begins at %g, %g", c.Name, c.X[0], c.Y[0])
		}
	}
	last := all[len(all)-1]
	if last.Name != "sigma infinite" || math.Abs(last.Y[36]-64*37./100) > 1e-12 { // n = 37: 64*37/100
		t.Errorf("%s: %g at 37", last.Name, last.Y[36])
	}
}

// Studies have pictures by policy for each kind of estimates, and by estimates for each policy,
// against loads or, if those do not vary, against processors; the order of groups does not count.
func TestOfSweep(t *testing.T) {
	wait := sweep.Measure{Name: "wait_mean_s", Meaning: "mean wait", Drawn: true}
	s := &sweep.Summary{}
	add := func(load float64, processors int64, mean float64, policy, estimates string) {
		s.Groups = append(s.Groups, sweep.Group{Parameters: sweep.Parameters{Log: "a <log>", Load: stats.Number(load), Processors: processors, Policy: policy, Estimates: estimates},
			Measure: wait, Name: wait.Name, Interval: sweep.Interval{Seeds: 2, Mean: stats.Number(mean), Low: stats.Number(mean / 2), High: stats.Number(2 * mean)}})
	}
	for _, load := range []float64{.9, .5} {
		add(load, 0, 5000*load, "fcfs", "")
		for _, e := range []string{"user", "last2"} {
			add(load, 0, 100*load, "easy", e)
		}
	}
	all := OfSweep(s)
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
		if c := p.Series[0]; !slices.Equal(c.X, []float64{.5, .9}) || !strings.HasPrefix(p.Source, "a <log>, 2 seeds, ") || p.X.Title != "offered load" {
			t.Errorf("%s: %+v", p.Name, p)
		}
	}
	if want := "sweep-a--log--wait_mean_s-user sweep-a--log--wait_mean_s-last2 sweep-a--log--wait_mean_s-easy"; strings.Join(names, " ") != want {
		t.Errorf("%s, want %s", names, want)
	}
	// The means of fcfs and of easy are a factor of 50 and more apart; those of easy are alike.
	if all[0].Y.Kind != Duration || all[2].Y.Kind != Seconds {
		t.Errorf("axes of %s and %s", all[0].Y.Kind, all[2].Y.Kind)
	}
	s = &sweep.Summary{}
	for _, n := range []int64{128, 100, 154} {
		add(.9, n, 1e6/float64(n), "easy", "user")
	}
	all = OfSweep(s)
	if len(all) != 1 || all[0].X.Title != "processors" || !slices.Equal(all[0].Series[0].X, []float64{100, 128, 154}) || !strings.Contains(all[0].Source, ", load 0.9, 2 seeds") {
		t.Errorf("%+v", all)
	}
	if one := OfSweep(&sweep.Summary{Groups: s.Groups[:1]}); len(one) != 1 || !strings.Contains(one[0].Why, "several loads or on machines of several sizes") {
		t.Errorf("one machine: %+v", one)
	}
}
