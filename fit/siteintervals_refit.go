package fit

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// newRefit returns a function that fits a family to samples that are like the
// whole one, from near on, with the whole sample's resolution. Pressed samples
// of a mixture cost a tenth, and move it by a hundredth or less of what weeks do.
func newRefit(name string, a Attribute, whole Sample, o Options, near dist.Law, pressed bool) func(Sample) (*refitted, error) {
	table := families()
	f := table[slices.IndexFunc(table, func(f family) bool { return f.name == name })]
	o.Replicated = nil // whoever draws calls it
	o = o.filled(f, a, whole)
	o.Workers = 1
	return func(drawn Sample) (*refitted, error) {
		t := newTask(f, a, drawn, o)
		t.pressed = pressed
		if len(t.x) == 0 {
			return nil, t.degenerate("no job is left")
		}
		law, err := t.refitted(near)
		if err != nil {
			return nil, err
		}
		return law.(*refitted), nil
	}
}

// classRefit fits a class to draws of its weeks.
type classRefit struct {
	classWeeks
	clock          workload.Clock
	o              SiteOptions
	report         ClassReport
	parameters     []siteParameter
	runTimes, work func(Sample) (*refitted, error) // work is nil where the class has no law of it
	gaps           func(Sample) (*refitted, error)
}

func newClassRefit(w classWeeks, clock workload.Clock, o SiteOptions, m model.Class, r ClassReport) *classRefit {
	c := w.class
	o.Workers = 1 // the draws are what runs in parallel
	refit := &classRefit{classWeeks: w, clock: clock, o: o, report: r, parameters: parametersOfClass(m, r)}
	refit.runTimes = newRefit("hyper-gamma", RunTime, c.Sample(RunTime), o.ofRunTimes(r.Label), m.RunTimes.Law, true)
	if r.Work != nil {
		refit.work = newRefit("hyper-gamma", Work, c.Sample(Work), Options{By: r.Label}, m.Work.Law, true)
	}
	all, peak := c.gapSamples(o)
	if !r.Arrivals.AllHours {
		all = peak
	}
	refit.gaps = newRefit("gamma", Interarrival, all, Options{By: r.Label}, m.Arrivals.Peak, false)
	return refit
}

// drawn are the values of the parameters in a draw, NaN where it does not have
// one.
func (f *classRefit) drawn(times []int64) []float64 {
	values := make([]float64, len(f.parameters))
	for i := range values {
		values[i] = math.NaN()
	}
	if f.busy < fewestWeeks {
		return values
	}
	for _, p := range parametersOfClass(f.fit(f.classWeeks.drawn(times))) {
		if at := slices.IndexFunc(f.parameters, func(q siteParameter) bool { return q.part == p.part && q.name == p.name }); at >= 0 {
			values[at] = p.value
		}
	}
	return values
}

// fit is fitClass without what describes the fits, and from the whole log's
// estimates on. What the jobs do not determine is not in the report.
func (f *classRefit) fit(c Class) (m model.Class, r ClassReport) {
	if sizes, report, _, err := lawOfSizes(c, f.o); err == nil {
		m.Sizes, r.Sizes = sizes, report
	}
	m.RunTimes, r.RunTimes = f.fitRunTimes(c)
	m.Arrivals, r.Arrivals = f.fitArrivals(c)
	if f.work != nil {
		if law, err := f.work(c.Sample(Work)); err == nil {
			m.Work.Law, r.Work = uncut(law.Law).(dist.HyperGamma), &WorkReport{}
		}
	}
	return m, r
}

func (f *classRefit) fitRunTimes(c Class) (m model.RunTimes, r RunTimesReport) {
	law, err := f.runTimes(c.Sample(RunTime))
	if err != nil {
		return m, r
	}
	m.Law = uncut(law.Law).(dist.HyperGamma)
	r.Law.Law = m.Law
	runs, _, _ := sizedDensities(c.Collector, m.Law, f.o.Rounding)
	r.Groups, r.Share = runs.likelyGroups(), f.report.RunTimes.Share
	if len(r.Groups) < 2 {
		m.PIntercept = m.Law.P
		return m, r
	}
	line := runs.likelyAs(r.Share, r.Groups)
	m.PSlope, m.PIntercept = line.Slope, line.Intercept
	return m, r
}

func (f *classRefit) fitArrivals(c Class) (m model.Arrivals, r ArrivalsReport) {
	all, peak := c.gapSamples(f.o)
	r.AllHours = f.report.Arrivals.AllHours
	sample := all
	if !r.AllHours {
		sample = peak
		m.ARAR = meanLn(all) / meanLn(peak)
	}
	if law, err := f.gaps(sample); err == nil {
		m.Peak, _ = uncut(law.Law).(dist.Gamma)
		r.Peak.Law = m.Peak
	}
	if f.clock.Known {
		r.Week = weekOf(c.Collector)
		jobs, _ := takeOff(c.slots, f.o.AutomaticPeaks)
		if cycle, ok := fitCycle(jobs); ok {
			m.Cycle, r.Cycle = cycle.Law, &cycle
		}
	}
	return m, r
}

// intervals takes the intervals from the values of the draws.
func (f *classRefit) intervals(draws [][]float64, level float64) ClassIntervals {
	out := ClassIntervals{Name: f.report.Name, Label: f.report.Label, Blocks: f.busy}
	for k, p := range f.parameters {
		i := SiteInterval{Part: p.part, Name: p.name, Value: p.value, Low: math.NaN(), High: math.NaN(), Why: p.fixed}
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
		switch fewest := fewestReplicates(level); {
		case f.busy < fewestWeeks:
			i.Why = fmt.Sprintf("the class has jobs in %d of the weeks, want at least %d", f.busy, fewestWeeks)
		case 3*(len(draws)-len(values)) >= len(draws):
			i.Why = fmt.Sprintf("%d of %d draws do not determine it", len(draws)-len(values), len(draws))
		case len(values) < fewest:
			i.Why = fmt.Sprintf("%d of %d draws determine it, want at least %d for the level %g", len(values), len(draws), fewest, level)
		default:
			i.Low, i.High = percentiles(values, level)
		}
		out.Of = append(out.Of, i)
	}
	return out
}
