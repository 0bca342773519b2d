package dist

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestUniformLogOfLine(t *testing.T) {
	// Downey (1997), figure 1: tmin = 5.8 s, tmax = 24.2 h; the unrounded intercept and slope are
	// -0.1828 and 0.10398.
	u, err := NewUniformLog(-0.1828, 0.10398)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(u.TMin-5.8) > 0.05 || math.Abs(u.TMax/3600-24.2) > 0.05 {
		t.Errorf("bounds %.3f s and %.3f h, want 5.8 s and 24.2 h", u.TMin, u.TMax/3600)
	}
	if !near(u.Intercept(), -0.1828, 1e-14) || !near(u.Slope(), 0.10398, 1e-14) {
		t.Errorf("line %g + %g ln t, want -0.1828 + 0.10398 ln t", u.Intercept(), u.Slope())
	}
	// F(t) = b0 + b1 ln t at an hour, by hand.
	if want := -0.1828 + 0.10398*math.Log(3600); !near(u.CDF(3600), want, 1e-14) {
		t.Errorf("CDF(3600) = %g, want %g", u.CDF(3600), want)
	}
	for _, c := range []struct {
		intercept, slope float64
		parameter        string
	}{
		{math.NaN(), 0.1, "t_min_s"}, {0, 0, "slope"}, {0, -0.1, "slope"}, {0, math.NaN(), "slope"},
		{0, math.Inf(1), "t_max_s"}, {0, 1e-4, "t_max_s"}, {-1e5, 1, "t_min_s"}, {1e5, 1, "t_min_s"},
	} {
		var e *ParameterError
		if _, err := NewUniformLog(c.intercept, c.slope); !errors.As(err, &e) {
			t.Errorf("line %g + %g ln t: error %v", c.intercept, c.slope, err)
		} else if e.Parameter != c.parameter && !(c.intercept == -1e5 || c.intercept == 1e5) {
			t.Errorf("line %g + %g ln t: error names %s, want %s", c.intercept, c.slope, e.Parameter, c.parameter)
		}
	}
}

func TestUniformLogGivenAge(t *testing.T) {
	u := UniformLog{10, 1e5}
	rapid.Check(t, func(t *rapid.T) {
		age := rapid.Float64Range(0, 0.999e5).Draw(t, "age")
		wait := rapid.Float64Range(0, 2e5).Draw(t, "t")
		// Pr{L > age+t} / Pr{L > age}, from the definition.
		want := u.Survival(age+wait) / u.Survival(age)
		if got := u.SurvivalGiven(age, wait); math.Abs(got-want) > 1e-11 {
			t.Fatalf("SurvivalGiven(%g, %g) = %g, want %g", age, wait, got, want)
		}
		m := u.MedianRemaining(age)
		if s := u.SurvivalGiven(age, m); math.Abs(s-0.5) > 1e-9 {
			t.Fatalf("survives its median remaining %g with probability %g at age %g", m, s, age)
		}
	})
	// Mean remaining at age 1000, by hand: (1e5-1000)/ln(100) - 1000.
	if got, want := u.MeanRemaining(1000), 99000/math.Log(100)-1000; !near(got, want, 1e-14) {
		t.Errorf("MeanRemaining(1000) = %g, want %g", got, want)
	}
	// Below TMin, F(age) is 0, but the age still counts.
	if got, want := u.MeanRemaining(4), u.Mean()-4; !near(got, want, 1e-12) {
		t.Errorf("MeanRemaining(4) = %g, want %g", got, want)
	}
	if got, want := u.SurvivalGiven(4, 96), u.Survival(100); got != want {
		t.Errorf("SurvivalGiven(4, 96) = %g, want %g", got, want)
	}
	for _, age := range []float64{1e5, 2e5, math.Inf(1)} {
		if !u.Outlived(age) || u.SurvivalGiven(age, 1) != 0 || u.MedianRemaining(age) != 0 || u.MeanRemaining(age) != 0 {
			t.Errorf("age %g: outlived %t, survival %g, remaining %g and %g; want true and zeros",
				age, u.Outlived(age), u.SurvivalGiven(age, 1), u.MedianRemaining(age), u.MeanRemaining(age))
		}
	}
	if u.Outlived(99999) {
		t.Error("outlived below TMax")
	}
	// A wait of 1e-9 s at an age of 5e4 s: no cancellation.
	if got, want := 1-u.SurvivalGiven(50000, 1e-6), 1e-6/50000/math.Ln2; !near(got, want, 1e-4) {
		t.Errorf("1 - SurvivalGiven(50000, 1e-6) = %g, want %g", got, want)
	}
}

func TestSurvivalGivenOfOtherLaws(t *testing.T) {
	// The exponential law has no memory.
	if got, want := SurvivalGiven(Exponential{90}, 500, 30), math.Exp(-30.0/90); !near(got, want, 1e-12) {
		t.Errorf("exponential: %g, want %g", got, want)
	}
	if got := SurvivalGiven(Uniform{0, 10}, 11, 1); got != 0 {
		t.Errorf("beyond the support: %g, want 0", got)
	}
	if got := SurvivalGiven(UniformLog{10, 1e5}, 1e6, 1); got != 0 {
		t.Errorf("uniform-log beyond its support: %g, want 0", got)
	}
}
