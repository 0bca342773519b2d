package cli

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
)

// TestCutAndRoundedFitGivesTheModelBack: run times of the batch preset as they
// are generated, rounded down to whole seconds and cut at e^12 s, with a share
// of short jobs that falls with the size. A fit that knows of the rounding and
// the cut gives both Gammas back, and the share of all sizes together: over 10
// seeds each parameter's mean lies within 5.69 of its standard errors, which
// Student's law with 9 degrees of freedom leaves with probability 3e-4, 1.5e-3
// for the five parameters together.
func TestCutAndRoundedFitGivesTheModelBack(t *testing.T) {
	site, err := model.Preset("lublin1999-batch")
	if err != nil {
		t.Fatal(err)
	}
	run := site.Classes[0].Lublin().RunTimes
	want := []recovered{
		{name: "shape_1", want: run.Law.First.Shape}, {name: "scale_1", want: run.Law.First.Scale},
		{name: "shape_2", want: run.Law.Second.Shape}, {name: "scale_2", want: run.Law.Second.Scale},
		{name: "p less the true p"},
	}
	below := [2]float64{run.Law.First.CDF(run.MaxLn), run.Law.Second.CDF(run.MaxLn)}
	for seed := range uint64(10) {
		w, err := generate.New(site, generate.Options{Jobs: 5_000, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		var runs []float64
		// A size's law is p f1 + (1-p) f2, cut: the sizes' sum is a f1 + b f2
		// below the cut.
		var a, b float64
		for j, err := range w.Jobs() {
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, j.Run)
			p := run.P(j.Size)
			kept := p*below[0] + (1-p)*below[1]
			a, b = a+p/kept, b+(1-p)/kept
		}
		law := lawOf[dist.HyperGamma](t, "hyper-gamma", fit.RunTime, runs, fit.Options{Rounding: fit.RoundedDown, Max: math.Exp(run.MaxLn)})
		for i, v := range []float64{law.First.Shape, law.First.Scale, law.Second.Shape, law.Second.Scale, law.P - a/(a+b)} {
			want[i].got.Add(v)
		}
	}
	for _, r := range want {
		off := (r.got.Mean() - r.want) / r.standardError()
		t.Logf("%-20s true %9.5f  fitted %9.5f  %+.2f standard errors", r.name, r.want, r.got.Mean(), off)
		if !(math.Abs(off) <= 5.69) {
			t.Errorf("%s: mean %v over 10 seeds is %.2f standard errors from %v", r.name, r.got.Mean(), off, r.want)
		}
	}
}
