package laws_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/loadstone-examples/laws"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
)

// The law stands in a model file, from which jobs are generated. The law is fitted to
// their run times, beside laws of package fit.
func ExampleLogLogistic() {
	site, err := model.Preset(model.Lublin2003)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range site.Classes {
		site.Classes[i].RunTimes = &model.LawRunTimes{First: model.Law{Law: laws.LogLogistic{Scale: 600, Shape: 1.5}}}
	}
	file, err := site.Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	read, err := model.Decode("site.json", file, laws.Family)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := generate.New(read, generate.Options{Jobs: 20000, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	var runs []float64
	for j, err := range w.Jobs() {
		if err != nil {
			fmt.Println(err)
			return
		}
		runs = append(runs, j.Run)
	}
	ranked, _, err := fit.RankFamilies([]string{"weibull", "log-normal", "log-logistic"}, fit.RunTime,
		fit.NewSample(fit.RunTime, runs), fit.Options{Families: []fit.Family{laws.Fitted}, Replicates: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range ranked {
		fmt.Printf("%d %s\n", r.Place, r.Family)
	}
	// 20,000 jobs tell the median, whose standard error is 600 * 2 / 1.5 / sqrt(20000) =
	// 6 s or less, and the shape to 1 %.
	best := ranked[0].Law.(laws.LogLogistic)
	fmt.Println(math.Abs(best.Scale-600) < 20, math.Abs(best.Shape-1.5) < 0.05)

	// Output:
	// 1 log-logistic
	// 2 log-normal
	// 3 weibull
	// true true
}

// crooked has a distribution function that falls.
type crooked struct{ laws.LogLogistic }

func (c crooked) CDF(x float64) float64 { return c.Survival(x) }

// What is wrong with a law or a sample is an error with the family.
func TestFaults(t *testing.T) {
	wrong := laws.Family
	wrong.New = func(p []float64) (dist.Law, error) { return crooked{laws.LogLogistic{Scale: p[0], Shape: p[1]}}, nil }
	for _, c := range []struct {
		text   string
		family dist.Family
		want   string
	}{
		{`{"family":"log-logistic","parameters":{"scale":1,"shape":2}}`, laws.Family, ""},
		{`{"family":"log-logistic","parameters":{"scale":1,"shape":-2}}`, laws.Family, "log-logistic: shape is -2, want a finite number above 0"},
		{`{"family":"log-logistic","parameters":{"scale":1}}`, laws.Family, `log-logistic: parameter "shape" is missing, want numbers for scale, shape`},
		{`{"family":"log-logistic","parameters":{"scale":1,"shape":2}}`, wrong, "log-logistic: CDF(0.229416) is 0.95, want 0.05, of which it is the Quantile"},
	} {
		_, err := dist.Unmarshal([]byte(c.text), c.family)
		if got := fmt.Sprint(err); got != c.want && !(err == nil && c.want == "") {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	crookedFit := laws.Fitted
	crookedFit.Fit = func([]float64, []float64) (dist.Law, error) {
		return crooked{laws.LogLogistic{Scale: 1, Shape: 1}}, nil
	}
	sample := fit.NewSample(fit.RunTime, []float64{1, 2, 3})
	if _, err := fit.Fit("log-logistic", fit.RunTime, sample, fit.Options{Families: []fit.Family{crookedFit}}); err == nil || !strings.HasPrefix(err.Error(), "fit: family log-logistic: log-logistic: CDF(") {
		t.Error(err)
	}
	_, err := fit.Fit("log-logistic", fit.RunTime, fit.NewSample(fit.RunTime, []float64{5, 5}), fit.Options{Families: []fit.Family{laws.Fitted}})
	if degenerate := new(fit.DegenerateError); !errors.As(err, &degenerate) || !strings.Contains(err.Error(), "want two distinct values") {
		t.Error(err)
	}
	_, err = fit.Fit("log-logistic", fit.RunTime, sample, fit.Options{Families: []fit.Family{laws.Fitted}, Censored: true})
	if err == nil || !strings.Contains(err.Error(), "log-logistic is not fitted to jobs that were killed at their limit") {
		t.Error(err)
	}
}
