package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/dist"
)

// withEstimates are models of the kinds of estimates.
func withEstimates(t *testing.T) map[string]Site {
	alter := func(e Estimates) Site {
		s := preset(t, Lublin1999Untyped)
		s.Classes[0].Estimates = e
		return s
	}
	return map[string]Site{
		"tsafrir": alter(TsafrirEstimates{Max: 64800, Distinct: 30, Given: []EstimateShare{{300, 0.25}, {64800, 0.5}}}),
		"plain":   alter(TsafrirEstimates{Max: 3600}),
		"uniform": alter(UniformEstimates{Factor: 2.5}),
		"log": alter(LogEstimates{RoundTo: 60, LeftOut: 1, Overrun: 3, Bins: []LogEstimate{
			{Time: 120, Jobs: 20, Accuracy: [AccuracyCells]int64{10: 10, 15: 5, 29: 5}},
			{Time: 1000.5, Jobs: 80, Accuracy: [AccuracyCells]int64{10: 40, 20: 40}},
		}}),
	}
}

func TestRoundTripEstimates(t *testing.T) {
	for name, s := range withEstimates(t) {
		text := encoded(t, s)
		got, err := Decode(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if diff := cmp.Diff(s, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for _, line := range strings.Split(text, "\n") {
			if n := strings.Count(line, ","); strings.Contains(line, "accuracy") && n != AccuracyCells-1 {
				t.Errorf("%s: the counts are not in one line: %s", name, line)
			}
		}
	}
	if strings.Contains(encoded(t, preset(t, Lublin1999)), "estimates") {
		t.Error("a model without estimates has a field for them")
	}
	// What looks like counts in a text is left as it is.
	s := withEstimates(t)["log"]
	s.Name = `"accuracy": [ 1,   2 ]`
	if got, err := Decode(strings.NewReader(encoded(t, s))); err != nil || got.Name != s.Name {
		t.Errorf("name %q, %v", got.Name, err)
	}
}

func TestEstimatesOutOfRange(t *testing.T) {
	const path = "classes[0].estimates."
	all := withEstimates(t)
	for _, tt := range []struct{ form, old, new, path, want string }{
		{"tsafrir", `"kind": "tsafrir"`, `"kind": "tsafir"`, "kind", `"tsafrir", "uniform" or "log"`},
		{"tsafrir", `"kind": "tsafrir"`, `"kind": ""`, "kind", `"tsafrir", "uniform" or "log"`},
		{"tsafrir", `"kind": "tsafrir",`, ``, "kind", "missing"},
		{"tsafrir", `"max_s": 64800,`, ``, "max_s", "missing"},
		{"tsafrir", `"max_s": 64800`, `"max_s": 60`, "max_s", "whole seconds from 3600"},
		{"tsafrir", `"max_s": 64800`, `"max_s": 64800.5`, "max_s", "whole seconds from 3600"},
		{"tsafrir", `"max_s": 64800`, `"max_s": 36000`, "given[1].time_s", "at most max_s, 36000"},
		{"tsafrir", `"distinct": 30`, `"distinct": 1`, "distinct", "from that of the given ones to 2048"},
		{"tsafrir", `"distinct": 30`, `"distinct": 3000`, "distinct", "from that of the given ones to 2048"},
		{"tsafrir", `"time_s": 300`, `"time_s": 0`, "given[0].time_s", "above 0"},
		{"tsafrir", `"time_s": 300`, `"time_s": 64800`, "given[1].time_s", "distinct times"},
		{"tsafrir", `"share": 0.25`, `"share": 0.75`, "given", "a sum of at most 1"},
		{"tsafrir", `"share": 0.25`, `"share": -0.25`, "given[0].share", "above 0, at most 1"},
		{"tsafrir", `"share": 0.25`, `"jobs": 25`, "given[0].share", "missing"},
		{"tsafrir", `"share": 0.25`, `"share": 0.25, "jobs": 25`, "given[0].jobs", "unknown field"},
		{"tsafrir", `"distinct": 30`, `"factor": 30`, "factor", "unknown field"},
		{"uniform", `"factor": 2.5`, `"factor": 0.5`, "factor", "from 1 to"},
		{"uniform", `"factor": 2.5`, `"factor": "2"`, "factor", "a number"},
		{"uniform", `"factor": 2.5`, `"factor": 2.5, "max_s": 3600`, "max_s", "unknown field"},
		{"log", `"round_s": 60,`, ``, "round_s", "missing"},
		{"log", `"round_s": 60`, `"round_s": -1`, "round_s", "at most 86400"},
		{"log", `"left_out": 1`, `"left_out": -1`, "left_out", "at least 0"},
		{"log", `"left_out": 1,`, ``, "left_out", "missing"},
		{"log", `"overrun": 3`, `"overrun": 6`, "overrun", "0 to the 5 jobs in the last cells"},
		{"log", `"time_s": 120`, `"time_s": 1001`, "bins[1].time_s", "ascending order"},
		{"log", `"time_s": 120,`, ``, "bins[0].time_s", "missing"},
		{"log", `"jobs": 20`, `"jobs": 21`, "bins[0].accuracy", "sum to the estimate's 21 jobs"},
		{"log", `"jobs": 80`, `"jobs": -80`, "bins[1].jobs", "from 1 to"},
		{"log", `"accuracy": [0, `, `"accuracy": [`, "bins[0].accuracy", "30, by share of the estimate"},
		{"log", `"accuracy": [0, `, `"accuracy": [null, `, "bins[0].accuracy[0]", "a whole number"},
		{"log", `"accuracy": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0`, `"accuracy": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, -1`, "bins[0].accuracy", "counts from 0"},
		{"log", `"bins": [`, `"more": [], "bins": [`, "more", "unknown field"},
		{"log", `"bins": [`, `"bins": [], "x": [`, "", ""},
	} {
		t.Run(tt.form+" "+tt.new, func(t *testing.T) {
			text := encoded(t, all[tt.form])
			altered := strings.Replace(text, tt.old, tt.new, 1)
			if altered == text {
				t.Fatalf("%q is not in the file:\n%s", tt.old, text)
			}
			_, err := Decode(strings.NewReader(altered))
			var f *FieldError
			if !errors.As(err, &f) || !strings.HasPrefix(f.Path, path+tt.path) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s and %q", err, path+tt.path, tt.want)
			}
		})
	}
	// What only Go can say is refused too.
	s := preset(t, Lublin1999Untyped)
	s.Classes[0].Estimates = TsafrirEstimates{Max: 3600, Given: manyGiven()}
	var f *FieldError
	if err := s.Validate(); !errors.As(err, &f) || f.Path != path+"given" {
		t.Errorf("too many given estimates: error %v", err)
	}
	s = preset(t, Downey1997Rigid)
	s.Classes[0].Estimates = UniformEstimates{Factor: 2}
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "malleable") {
		t.Errorf("estimates of malleable jobs: %v", err)
	}
}

func manyGiven() (g []EstimateShare) {
	for i := range MaxGivenEstimates + 1 {
		g = append(g, EstimateShare{float64(60 * (i + 1)), 0.01})
	}
	return g
}

// Run times above the largest estimate count as it: laws, means and load, in
// all forms of run times. By hand: the mean of exponential 10 cut to 5.
func TestRunTimesCutToTheLargestEstimate(t *testing.T) {
	all := otherForms(t)
	all["lublin2003"], all["work"] = preset(t, Lublin2003), preset(t, Lublin2003Work)
	for name, s := range all {
		if s.Users != nil {
			continue
		}
		plain := s.Classes[0]
		c := plain
		c.Estimates = TsafrirEstimates{Max: 3600}
		for _, size := range []int64{1, 128} {
			l, whole := c.RunTimeAt(size), plain.RunTimeAt(size)
			if l.CDF(3600) != 1 || l.CDF(3599) != whole.CDF(3599) || l.Quantile(1) > 3600 {
				t.Errorf("%s: not cut to 3600 s: %g, %g, %g", name, l.CDF(3600), l.CDF(3599), l.Quantile(1))
			}
			// The mean is the integral of the quantiles: both sides of it by
			// sums over equal parts.
			const n = 400
			low, high := 0.0, 0.0
			for i := range n {
				low += l.Quantile(float64(i) / n)
				high += l.Quantile(float64(i+1) / n)
			}
			if mean := c.RunTimes.mean(c.Work, 3600)(size); !(mean >= low/n*(1-1e-9) && mean <= high/n*(1+1e-9)) {
				t.Errorf("%s: mean %g of size %d, want %g to %g", name, mean, size, low/n, high/n)
			}
		}
		if got, want := c.Means(s.Processors).Area, plain.Means(s.Processors).Area; got > want {
			t.Errorf("%s: area %g, without estimates %g", name, got, want)
		}
	}
	r := SecondsRunTimes{First: dist.Exponential{Mean: 10}}
	if got, want := r.mean(nil, 5)(1), 10*(1-math.Exp(-0.5)); math.Abs(got-want) > 1e-12*want {
		t.Errorf("exponential 10 cut to 5 has mean %g, want %g", got, want)
	}
}

// Between counts a cell's jobs in proportion: by hand.
func TestBetween(t *testing.T) {
	b := LogEstimate{Time: 1000, Jobs: 80, Accuracy: [AccuracyCells]int64{10: 40, 20: 40}} // 25 to 50 s, 500 to 550 s
	var got []float64
	for _, x := range [][2]float64{{0, 25}, {25, 30}, {0, 1000}, {40, 510}, {550, 1000}, {2000, 3000}} {
		got = append(got, b.Between(x[0], x[1]))
	}
	if want := []float64{0, 8, 80, 24, 0, 0}; !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
		t.Error(fmt.Sprint(got), "want", want)
	}
}
