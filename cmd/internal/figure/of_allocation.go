package figure

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// allocateSample is what the pictures show of the first workload.
type allocateSample struct {
	jobs        int
	work, sizes Sample // of avg's schedule
	asked       []Law  // what the jobs bring: sequential times, and average parallelism
	waits       []sampleWaits
}

type sampleWaits struct {
	strategy string
	Waits
}

// sampleOfJobs takes it from the first workload.
func sampleOfJobs(first *allocate.Studied) (s allocateSample) {
	jobs, o := first.Jobs, &first.Outcome
	s.jobs = len(jobs)
	var work, sizes, sequential, parallelism []float64
	for i := range o.Schedule {
		p := &o.Schedule[i]
		work = append(work, float64(p.Size)*p.Run)
		sizes = append(sizes, float64(p.Size))
		sequential = append(sequential, jobs[i].Sequential)
		parallelism = append(parallelism, jobs[i].Parallelism)
	}
	s.work, s.sizes = sampleOf(work), sampleOf(sizes)
	s.asked = []Law{{Name: "sequential time of the jobs", CDF: shareUpTo(sequential)}, {Name: "average parallelism", CDF: shareUpTo(parallelism)}}
	for i := range o.Rows {
		x := &o.Rows[i]
		if len(x.AloneForecasts) == 0 {
			continue
		}
		w := sampleWaits{strategy: x.Strategy.Name}
		for k := range x.AloneForecasts {
			w.Predicted = append(w.Predicted, x.AloneForecasts[k].Predicted)
			w.Actual = append(w.Actual, x.AloneForecasts[k].Actual)
		}
		s.waits = append(s.waits, w)
	}
	return s
}

// shareUpTo is the empirical distribution function of values, which it sorts. A
// log's jobs are of no law, and those that are drawn show theirs.
func shareUpTo(values []float64) func(x float64) float64 {
	slices.Sort(values)
	return func(x float64) float64 {
		n := sort.Search(len(values), func(i int) bool { return values[i] > x })
		return float64(n) / float64(len(values))
	}
}

// sampleOf counts the distinct values.
func sampleOf(values []float64) Sample {
	slices.Sort(values)
	var s Sample
	for _, v := range values {
		if n := len(s.Values); n > 0 && s.Values[n-1] == v {
			s.Counts[n-1]++
			continue
		}
		s.Values, s.Counts = append(s.Values, v), append(s.Counts, 1)
	}
	return s
}

// OfAllocation returns figures 1 to 5 of Downey (1997) for a study of malleable jobs,
// and the sweep. The study keeps its first workload (allocate.Options.Keep).
func OfAllocation(r *allocate.Result) []Picture {
	s := sampleOfJobs(r.First)
	const speedup = "Downey's speedup model, average parallelism 64"
	source := fmt.Sprintf("%s: %d %s under avg", present.AllocationSample(r), s.jobs, words.Noun(s.jobs, "job"))
	all := []Picture{
		{Name: "parallelism-profiles", Draw: func(w io.Writer, format string) error {
			return ParallelismProfiles(w, format, speedup, profiles())
		}},
		{Name: "speedup", Draw: func(w io.Writer, format string) error { return SpeedupCurves(w, format, speedup, speedups()) }},
		{Name: "work", Draw: func(w io.Writer, format string) error {
			return AllocatedJobs(w, format, source, Work, "jobs under avg", s.work, s.asked[0])
		}},
		{Name: "sizes", Draw: func(w io.Writer, format string) error {
			return AllocatedJobs(w, format, source, Size, "jobs under avg", s.sizes, s.asked[1])
		}},
	}
	for _, x := range s.waits {
		all = append(all, Picture{Name: "waits-" + x.strategy, Draw: func(w io.Writer, format string) error {
			return PredictedWaits(w, format, present.AllocationSample(r), x.strategy, x.Waits)
		}})
	}
	for _, x := range []struct {
		name, heading, quantity string
		unit                    float64
		of                      func(*allocate.StrategyResult) map[string]allocate.Interval
	}{
		{"sweep-turnaround", "turnaround, change to avg (%)", "turnaround_change_pct", 1, func(s *allocate.StrategyResult) map[string]allocate.Interval { return s.System }},
		{"sweep-savings", "saved per job, alone (min)", "saved_per_job_s", 60, func(s *allocate.StrategyResult) map[string]allocate.Interval { return s.Application }},
	} {
		of := func(s *allocate.StrategyResult) allocate.Interval { return x.of(s)[x.quantity] }
		all = append(all, Picture{Name: x.name, Extra: len(r.Settings) < 2, Draw: func(w io.Writer, format string) error {
			return drawSweep(w, format, r, x.heading, x.unit, of)
		}})
	}
	return all
}

// drawSweep draws a quantity by the parameter, a curve a strategy.
func drawSweep(w io.Writer, format string, r *allocate.Result, heading string, unit float64, of func(*allocate.StrategyResult) allocate.Interval) error {
	if len(r.Settings) < 2 {
		return errors.New("want --sweep with a parameter and its values, such as load=0.5,1")
	}
	var all []Trend
	settings := slices.Clone(r.Settings)
	slices.SortFunc(settings, func(a, b allocate.Setting) int { return cmp.Compare(*a.Value, *b.Value) })
	for i := range settings[0].Strategies {
		c := Trend{Path: Path{Name: settings[0].Strategies[i].Name}}
		for _, s := range settings {
			v := of(&s.Strategies[i])
			c.X, c.Y = append(c.X, float64(*s.Value)), append(c.Y, float64(v.Mean)/unit)
			c.Low, c.High = append(c.Low, float64(v.Low)/unit), append(c.High, float64(v.High)/unit)
		}
		all = append(all, c)
	}
	source := present.Allocation(r)
	if r.Workload.Seeds > 1 {
		source = "bars are 95 % intervals; " + source // its end may be cut, and is what the axis shows
	}
	return Varied(w, format, source, r.Parameter, heading, all)
}

// profiles are the two hypothetical parallelism profiles of section 2.1: with
// variance sigma up to 1 half of sigma's share of the time is sequential, and
// half uses 2A-1 processors; above it a sequential part of sigma is followed
// by one of length 1.
func profiles() []Path {
	const a = 64.0
	low := Path{Name: "low variance, sigma 0.5"}
	for _, p := range [][2]float64{{0, 1}, {0.25, 1}, {0.25, a}, {0.75, a}, {0.75, 2*a - 1}, {1, 2*a - 1}, {1, 0}} {
		low.X, low.Y = append(low.X, p[0]), append(low.Y, p[1])
	}
	const sigma = 1.5
	high := Path{Name: "high variance, sigma 1.5"}
	for _, p := range [][2]float64{{0, 1}, {sigma, 1}, {sigma, a + a*sigma - sigma}, {sigma + 1, a + a*sigma - sigma}, {sigma + 1, 0}} {
		high.X, high.Y = append(high.X, p[0]), append(high.Y, p[1])
	}
	return []Path{low, high}
}

// speedups are the curves of figure 2.
func speedups() []Path {
	const a = 64.0
	var all []Path
	for _, sigma := range []float64{0, 0.5, 1, 2, math.Inf(1)} {
		c := Path{Name: fmt.Sprintf("sigma %g", sigma)}
		if math.IsInf(sigma, 1) {
			c.Name = "sigma infinite"
		}
		for n := 1.0; n <= 256; n++ {
			y := a * n / (a + n - 1)
			if !math.IsInf(sigma, 1) {
				y = model.DowneyS(n, a, sigma)
			}
			c.X, c.Y = append(c.X, n), append(c.Y, y)
		}
		all = append(all, c)
	}
	return all
}
