package model

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/dist"
)

// otherForms has every optional form that a preset does not have.
func otherForms(t *testing.T) map[string]Site {
	day := preset(t, Downey1997).Classes[0].Arrivals.Cycle
	alter := func(f func(*Site, *Class)) Site {
		s := preset(t, Lublin2003)
		f(&s, &s.Classes[0])
		return s
	}
	return map[string]Site{
		"gamma sizes": alter(func(_ *Site, c *Class) {
			sizes := c.Lublin().Sizes
			sizes.Log2 = dist.Gamma{Shape: 4, Scale: 0.7}
			c.Sizes = sizes
		}),
		"shares": alter(func(_ *Site, c *Class) { c.Sizes = SizeTable{{1, 0.25}, {7, 0}, {128, 0.75}} }),
		"one distribution": alter(func(_ *Site, c *Class) {
			c.RunTimes = SecondsRunTimes{First: dist.Weibull{Shape: 0.5, Scale: 100}, Max: 5000}
		}),
		"two laws": alter(func(_ *Site, c *Class) {
			c.RunTimes = SecondsRunTimes{First: dist.Exponential{Mean: 10}, Second: dist.Ln{Inner: dist.Gamma{Shape: 9, Scale: 1}, MaxLn: 12}, Line: Line{PIntercept: 0.5, PSlope: -0.25, PForm: LogOdds}, Max: 90000}
		}),
		"amdahl": alter(func(_ *Site, c *Class) {
			c.Work = preset(t, Lublin2003Work).Classes[0].Work
			c.RunTimes = WorkRunTimes{Speedup: AmdahlSpeedup{SerialFraction: 0.125}, MaxLn: 12}
		}),
		"downey": alter(func(_ *Site, c *Class) {
			c.Work = preset(t, Lublin2003Work).Classes[0].Work
			c.RunTimes = WorkRunTimes{Speedup: DowneySpeedup{AverageParallelism: 30, Sigma: 0}, MaxLn: 12}
		}),
		"arrivals": alter(func(_ *Site, c *Class) {
			c.Arrivals = Arrivals{Method: SlotWeights, Gaps: SecondsGaps{Law: dist.LogNormal{Mu: 3, Sigma: 1}, Max: 5e4}, Cycle: day, Week: &[Weekdays]float64{0, 1.5, 1.5, 1, 1, 1, 1},
				Bags: &Bags{Size: dist.Pareto{XMin: 1, Alpha: 1.5}, Max: 500}}
		}),
		"method": alter(func(_ *Site, c *Class) { c.Arrivals.Method = ExpectedInterarrival }),
		"users": alter(func(s *Site, _ *Class) {
			s.Users = &Users{Count: 3, Exponent: 0, Applications: 2}
		}),
	}
}

func TestRoundTripOtherForms(t *testing.T) {
	for name, s := range otherForms(t) {
		text := encoded(t, s)
		got, err := Decode(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if diff := cmp.Diff(s, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestOtherFormsOutOfRange(t *testing.T) {
	const class = "classes[0]."
	all := otherForms(t)
	all["malleable"] = preset(t, Downey1997Rigid)
	for _, tt := range []struct{ form, old, new, path, want string }{
		{"shares", `"share": 0.75`, `"share": 0.5`, class + "sizes.shares", "shares with sum 1"},
		{"shares", `"size": 128`, `"size": 129`, class + "sizes.shares[2].size", "at most the 128 processors"},
		{"shares", `"size": 128`, `"size": 7`, class + "sizes.shares[2].size", "above the row before it"},
		{"shares", `"share": 0.25`, `"share": -0.25`, class + "sizes.shares[0].share", "from 0 to 1"},
		{"shares", `"shares": [`, `"serial_share": 0.5, "shares": [`, class + "sizes.serial_share", "unknown field"},
		{"shares", `"share": 0.25`, `"share": null`, class + "sizes.shares[0].share", "a number"},
		{"gamma sizes", `"shape": 4`, `"shape": 0`, class + "sizes.log2.parameters.shape", "above 0"},
		{"one distribution", `"max_s": 5000`, `"max_s": 0`, class + "run_times.max_s", "above 0"},
		{"one distribution", `"max_s": 5000`, `"max_s": 1e-9`, class + "run_times.max_s", "at least 0.001"},
		{"one distribution", `"max_s": 5000`, `"max_s": 5000, "p_slope": 0`, class + "run_times.p_slope", "unknown field"},
		{"one distribution", `"family": "weibull"`, `"family": "cauchy"`, class + "run_times.first", "weibull"},
		{"one distribution", `"shape": 0.5`, `"x": 0.5`, class + "run_times.first", "shape"},
		{"two laws", `"p_slope": -0.25`, `"p_slope": -101`, class + "run_times.p_slope", "from -100 to 100"},
		{"amdahl", `"serial_fraction": 0.125`, `"serial_fraction": 1.5`, class + "run_times.speedup.serial_fraction", "from 0 to 1"},
		{"amdahl", `"form": "amdahl"`, `"form": "superlinear"`, class + "run_times.speedup", ""},
		{"downey", `"average_parallelism": 30`, `"average_parallelism": 0.5`, class + "run_times.speedup.average_parallelism", "from 1 to"},
		{"downey", `"sigma": 0`, `"sigma": -1`, class + "run_times.speedup.sigma", "from 0 to"},
		{"arrivals", `"max": 500`, `"max": 0`, class + "arrivals.bags.max", "from 1 to 1000000"},
		{"arrivals", `"method": "slot-weights"`, `"method": "expected-slots"`, class + "arrivals.method", "where the distribution is of seconds"},
		{"arrivals", "\"day\": [\n          2", "\"day\": [\n          3", class + "arrivals.day", "weights with mean 1"},
		{"arrivals", "\"day\": [\n          2,", "\"day\": [", class + "arrivals.day", "48, from midnight on"},
		{"malleable", `"low": 0`, `"low": -1`, class + "malleable.sigma", "above 0"},
		{"malleable", `"t_min_s": 1,`, `"t_min_s": 0.5,`, class + "malleable.average_parallelism", "above 1"},
		{"malleable", `"allocation": "average-parallelism"`, `"allocation": "all"`, class + "malleable.allocation", "average-parallelism"},
		{"malleable", `"arrivals": {`, `"sizes": {}, "arrivals": {`, class + "sizes", "given for malleable jobs"},
		{"users", `"count": 3`, `"count": 0`, "users.count", "from 1 to 100000"},
		{"users", `"count": 3`, `"count": -3`, "users.count", "from 1 to 100000"},
		{"users", `"applications": 2`, `"applications": 0`, "users.applications", "from 1 to 1000"},
	} {
		t.Run(tt.form+" "+tt.new, func(t *testing.T) {
			text := encoded(t, all[tt.form])
			altered := strings.Replace(text, tt.old, tt.new, 1)
			if altered == text {
				t.Fatalf("%q is not in the file:\n%s", tt.old, text)
			}
			_, err := Decode(strings.NewReader(altered))
			var f *FieldError
			if !errors.As(err, &f) || !strings.HasPrefix(f.Path, tt.path) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s and %q", err, tt.path, tt.want)
			}
		})
	}
}

// What only Go can say is refused too.
func TestFormsThatContradict(t *testing.T) {
	all := otherForms(t)
	malleable := preset(t, Downey1997)
	for path, s := range map[string]Site{
		"classes[0].sizes": func() Site {
			s := malleable
			s.Classes = append([]Class(nil), s.Classes...)
			s.Classes[0].Sizes = SizeTable{{1, 1}}
			return s
		}(),
		"classes[0].run_times.speedup": func() Site {
			s := all["amdahl"]
			s.Classes[0].Work = nil
			return s
		}(),
		"classes[0].column": func() Site {
			s := all["users"]
			s.Classes[0].Column = "user_id"
			return s
		}(),
	} {
		err := s.Validate()
		var f *FieldError
		if !errors.As(err, &f) || f.Path != path {
			t.Errorf("%s: error %v", path, err)
		}
	}
}

// The quantiles and the distribution function of run times agree, in all forms
// and at the cut.
func TestRunTimeAt(t *testing.T) {
	all := otherForms(t)
	all["lublin2003"], all["work"] = preset(t, Lublin2003), preset(t, Lublin2003Work)
	for name, s := range all {
		for _, size := range []int64{1, 5, 128} {
			l := s.Classes[0].RunTimeAt(size)
			for _, p := range []float64{1e-6, 0.01, 0.3, 0.5, 0.77, 0.99, 0.999999} {
				if got := l.CDF(l.Quantile(p)); math.Abs(got-p) > 1e-9 {
					t.Errorf("%s, size %d: CDF of the quantile of %g is %.12g", name, size, p, got)
				}
			}
			if top := l.Quantile(1); l.CDF(top) < 1-1e-12 || math.IsInf(top, 1) {
				t.Errorf("%s, size %d: quantile of 1 is %g", name, size, top)
			}
		}
	}
	// By hand: half of exponential 10, of an odds ratio e^(0.5 - 0.25*2) = 1.
	c := all["two laws"].Classes[0]
	second := dist.Ln{Inner: dist.Gamma{Shape: 9, Scale: 1}, MaxLn: 12}
	kept := 0.5 + 0.5*second.CDF(90000)
	if got, want := c.RunTimeAt(2).CDF(20), (0.5*(1-math.Exp(-2))+0.5*second.CDF(20))/kept; math.Abs(got-want) > 1e-12 {
		t.Errorf("CDF %g, want %g", got, want)
	}
}

// The mean of a law of seconds that is cut, against integrals by hand.
func TestSecondsMean(t *testing.T) {
	for _, tt := range []struct {
		law       dist.Law
		max, want float64
	}{
		{dist.Exponential{Mean: 10}, 0, 10},
		{dist.Exponential{Mean: 10}, 10, 10 * (1 - 2/math.E) / (1 - 1/math.E)},
		{dist.Pareto{XMin: 1, Alpha: 1}, math.E, 1 / (1 - 1/math.E)}, // the integral of x/x^2
		{dist.UniformLog{TMin: 1, TMax: 100}, 1000, 99 / math.Log(100)},
		{dist.Uniform{Low: 2, High: 4}, 3, 2.5},
	} {
		if got := secondsMean(tt.law, tt.max); math.Abs(got-tt.want) > 1e-10*tt.want {
			t.Errorf("mean of %v up to %g is %.9g, want %.9g", tt.law, tt.max, got, tt.want)
		}
	}
}

func TestForProcessorsOfOtherForms(t *testing.T) {
	all := otherForms(t)
	for name, least := range map[string]int64{"shares": 128, "gamma sizes": 128} {
		_, err := all[name].ForProcessors(100)
		var s *ScaleError
		if !errors.As(err, &s) || s.Least != least || s.Why == "" {
			t.Errorf("%s on 100 processors: %v", name, err)
		}
		if got, err := all[name].ForProcessors(200); err != nil || got.Processors != 200 || got.Validate() != nil {
			t.Errorf("%s on 200 processors: %v", name, err)
		}
	}
	got, err := preset(t, Lublin2003Work).ForProcessors(256)
	if err != nil || got.Classes[0].Work == nil || got.Classes[0].Lublin().Log2.High != 8 {
		t.Errorf("work with a speedup on 256 processors: %v, %+v", err, got.Classes)
	}
	if got, err := preset(t, Downey1997Rigid).ForProcessors(16); err != nil || got.Classes[0].Malleable.Size(99.5, 16) != 16 {
		t.Errorf("malleable jobs on 16 processors: %v", err)
	}
}
