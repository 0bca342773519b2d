package cli

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// recovered is a parameter that a fit is to give back.
type recovered struct {
	name string
	want float64
	got  stats.Moments // over the seeds
}

// laws is the batch preset with what hides its laws taken out: one share of
// short jobs for all sizes, no daily cycle.
func laws(t *testing.T) model.Site {
	t.Helper()
	site, err := model.Preset("lublin1999-batch")
	if err != nil {
		t.Fatal(err)
	}
	c := &site.Classes[0]
	lublin(func(l *model.Lublin) { l.RunTimes.PIntercept, l.RunTimes.PSlope = l.RunTimes.Law.P, 0 })(c)
	lublin(func(l *model.Lublin) { l.Gaps.ARAR = 1 })(c)
	c.Arrivals = c.Arrivals.WithoutCycle()
	return site
}

// recover generates a workload once a seed, fits it, and gathers the
// parameters: of the two Gammas of ln run time at the true p, of the Gamma of
// ln interarrival time, the serial share and the share of powers of two.
func recoverLaws(t *testing.T, site model.Site, exact bool, seeds, jobs int) []*recovered {
	t.Helper()
	c := site.Classes[0]
	run, peak := c.Lublin().RunTimes.Law, c.Lublin().Gaps.Peak
	all := []*recovered{
		{name: "shape_1", want: run.First.Shape}, {name: "scale_1", want: run.First.Scale},
		{name: "shape_2", want: run.Second.Shape}, {name: "scale_2", want: run.Second.Scale},
		{name: "interarrival shape", want: peak.Shape}, {name: "interarrival scale", want: peak.Scale},
		{name: "serial share", want: c.Lublin().Sizes.SerialShare}, {name: "power of two share", want: c.Lublin().Sizes.PowerOfTwoShare},
	}
	for seed := range seeds {
		w, err := generate.New(site, generate.Options{Jobs: int64(jobs), Seed: uint64(seed), Exact: exact})
		if err != nil {
			t.Fatal(err)
		}
		var runs, gaps []float64
		var serial, parallel, powers float64
		last := math.NaN()
		for j, err := range w.Jobs() {
			if err != nil {
				t.Fatal(err)
			}
			runs, gaps = append(runs, j.Run), append(gaps, j.Submit-last)
			last = j.Submit
			switch {
			case j.Size == 1:
				serial++
			case j.Size&(j.Size-1) == 0:
				powers++
				parallel++
			case j.Size != workload.Unknown:
				parallel++
			}
		}
		gamma := lawOf[dist.Gamma](t, "gamma", fit.Interarrival, gaps, fit.Options{Resolution: -1})
		mixture := lawOf[dist.HyperGamma](t, "hyper-gamma", fit.RunTime, runs, fit.Options{Resolution: -1})
		for i, x := range []float64{
			mixture.First.Shape, mixture.First.Scale, mixture.Second.Shape, mixture.Second.Scale,
			gamma.Shape, gamma.Scale, serial / (serial + parallel), powers / parallel,
		} {
			all[i].got.Add(x)
		}
	}
	return all
}

// lawOf fits a family and returns its law.
func lawOf[L dist.Law](t *testing.T, family string, a fit.Attribute, values []float64, o fit.Options) L {
	t.Helper()
	r, err := fit.Fit(family, a, fit.NewSample(a, values), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != fit.Converged {
		t.Errorf("%s of %s: %s", family, a, r.Status)
	}
	law, ok := r.Law.(L)
	if !ok {
		t.Fatalf("%s of %s is a %T", family, a, r.Law)
	}
	return law
}

func (r *recovered) standardError() float64 {
	return r.got.StdDev() / math.Sqrt(float64(r.got.N()))
}

// TestFitGivesTheModelBack: without cuts and rounding, the mean of each
// parameter over 20 seeds lies within three standard errors of the true one.
func TestFitGivesTheModelBack(t *testing.T) {
	for _, r := range recoverLaws(t, laws(t), true, 20, 50_000) {
		off := (r.got.Mean() - r.want) / r.standardError()
		t.Logf("%-20s true %9.5f  fitted %9.5f  %+.2f standard errors", r.name, r.want, r.got.Mean(), off)
		if !(math.Abs(off) <= 3) {
			t.Errorf("%s: mean %v over %d seeds is %.2f standard errors from %v", r.name, r.got.Mean(), r.got.N(), off, r.want)
		}
	}
}

// TestShiftByCutsAndRounding reports how far the generator's normal output,
// run times in whole seconds and cut at e^12 s, moves the fitted parameters.
// The plain likelihood does not know of either. That there is a shift is
// checked, so that it cannot come to be hidden: the first shape, of short
// jobs, feels whole seconds most.
func TestShiftByCutsAndRounding(t *testing.T) {
	all := recoverLaws(t, laws(t), false, 5, 50_000)
	for _, r := range all {
		t.Logf("%-20s true %9.5f  fitted %9.5f  shift %+.2f %%", r.name, r.want, r.got.Mean(), 100*(r.got.Mean()/r.want-1))
	}
	if first := all[0]; math.Abs(first.got.Mean()-first.want) <= 3*first.standardError() {
		t.Errorf("%s: no shift from %v to %v: is the output still rounded and cut?", first.name, first.want, first.got.Mean())
	}
}
