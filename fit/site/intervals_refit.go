package site

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// classRefit fits a class to draws of its weeks.
type classRefit struct {
	fit.ClassWeeks
	clock          workload.Clock
	o              Options
	report         ClassReport
	parameters     []parameter
	runTimes, work func(fit.Sample) (dist.Law, error) // work is nil where the class has no law of it
	gaps           func(fit.Sample) (dist.Law, error)
}

func newClassRefit(w fit.ClassWeeks, clock workload.Clock, o Options, m model.Class, r ClassReport) *classRefit {
	c := w.Class
	o.Workers = 1 // the draws are what runs in parallel
	refit := &classRefit{ClassWeeks: w, clock: clock, o: o, report: r, parameters: parametersOfClass(m, r)}
	refit.runTimes = fit.NewRefit("hyper-gamma", fit.RunTime, c.Sample(fit.RunTime), o.ofRunTimes(r.Label), m.Lublin().RunTimes.Law, true)
	if r.Work != nil {
		refit.work = fit.NewRefit("hyper-gamma", fit.Work, c.Sample(fit.Work), fit.Options{By: r.Label}, m.Work.Law, true)
	}
	all, peak := o.gapSamples(c.Collector)
	if !r.Arrivals.AllHours {
		all = peak
	}
	refit.gaps = fit.NewRefit("gamma", fit.Interarrival, all, fit.Options{By: r.Label}, m.Lublin().Gaps.Peak, false)
	return refit
}

// drawn are the values of the parameters in a draw, NaN where it does not have
// one.
func (f *classRefit) drawn(times []int) []float64 {
	values := make([]float64, len(f.parameters))
	for i := range values {
		values[i] = math.NaN()
	}
	if f.Busy < fewestWeeks {
		return values
	}
	for _, p := range parametersOfClass(f.fit(f.ClassWeeks.Drawn(times))) {
		if at := slices.IndexFunc(f.parameters, func(q parameter) bool { return q.part == p.part && q.name == p.name }); at >= 0 {
			values[at] = p.value
		}
	}
	return values
}

// fit is fitClass without what describes the fits, and from the whole log's
// estimates on. What the jobs do not determine is not in the report.
func (f *classRefit) fit(c fit.Class) (m model.Class, r ClassReport) {
	if sizes, report, _, err := lawOfSizes(c, f.o); err == nil {
		m.Sizes, r.Sizes = sizes, report
	}
	m.RunTimes, r.RunTimes = f.fitRunTimes(c)
	m.Arrivals, r.Arrivals = f.fitArrivals(c)
	if f.work != nil {
		if law, err := f.work(c.Sample(fit.Work)); err == nil {
			m.Work, r.Work = &model.Work{Law: law.(dist.HyperGamma)}, &WorkReport{}
		}
	}
	return m, r
}

func (f *classRefit) fitRunTimes(c fit.Class) (m model.LnRunTimes, r RunTimesReport) {
	law, err := f.runTimes(c.Sample(fit.RunTime))
	if err != nil {
		return m, r
	}
	m.Law = law.(dist.HyperGamma)
	r.Law.Law = m.Law
	runs, _ := sizedDensities(c.Collector, m.Law)
	r.Groups, r.Form, r.Estimator = runs.likelyGroups(), f.report.RunTimes.Form, f.report.RunTimes.Estimator
	if len(r.Groups) < 2 {
		m.PIntercept = m.Law.P
		return m, r
	}
	line := runs.likelyAs(r.Form, r.Estimator, r.Groups).line()
	m.PSlope, m.PIntercept = line.PSlope, line.PIntercept
	return m, r
}

func (f *classRefit) fitArrivals(c fit.Class) (m model.Arrivals, r ArrivalsReport) {
	var gaps model.LnGaps
	all, peak := f.o.gapSamples(c.Collector)
	r.AllHours = f.report.Arrivals.AllHours
	sample := all
	if !r.AllHours {
		sample = peak
		gaps.ARAR = meanLn(all) / meanLn(peak)
	}
	if law, err := f.gaps(sample); err == nil {
		gaps.Peak, _ = law.(dist.Gamma)
		r.Peak.Law = gaps.Peak
	}
	if f.clock.Known {
		r.Week = weekOf(c.Collector)
		jobs, _ := takeOff(c.Slots(), f.o.AutomaticPeaks)
		if cycle, ok := fitCycle(jobs); ok {
			m.Cycle, r.Cycle = model.GammaCycle(cycle.gamma()), &cycle
		}
	}
	m.Gaps = gaps
	return m, r
}

// intervals takes the intervals from the values of the draws.
func (f *classRefit) intervals(draws [][]float64, level float64) ClassIntervals {
	out := ClassIntervals{Name: f.report.Name, Label: f.report.Label, Blocks: f.Busy, Of: []Interval{}}
	for k, p := range f.parameters {
		none := stats.Number(math.NaN())
		i := Interval{Part: p.part, Name: p.name, Value: stats.Number(p.value), Low: none, High: none, Why: p.fixed}
		if i.Why != "" {
			out.Of = append(out.Of, i)
			continue
		}
		var values []float64
		for _, d := range draws {
			if !math.IsNaN(d[k]) {
				values = append(values, d[k])
			}
		}
		i.Replicates = len(values)
		switch fewest := fit.FewestReplicates(level); {
		case f.Busy < fewestWeeks:
			i.Why = fmt.Sprintf("the class has jobs in %d of the weeks, want at least %d", f.Busy, fewestWeeks)
		case 3*(len(draws)-len(values)) >= len(draws):
			i.Why = fmt.Sprintf("%d of %d draws do not determine it", len(draws)-len(values), len(draws))
		case len(values) < fewest:
			i.Why = fmt.Sprintf("%d of %d draws determine it, want at least %d for the level %g", len(values), len(draws), fewest, level)
		default:
			low, high := fit.Percentiles(values, level)
			i.Low, i.High = stats.Number(low), stats.Number(high)
		}
		out.Of = append(out.Of, i)
	}
	return out
}
