package dist

import (
	"fmt"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// adjacentStages is piecewise linear in ln t.
func adjacentStages() MultiStageUniformLog {
	return stages(WeightedUniformLog{0.25, UniformLog{3.5, 60}}, WeightedUniformLog{0.125, UniformLog{60, 3600}}, WeightedUniformLog{0.625, UniformLog{3600, 64800}})
}

// overlappingStages has an overlap from 40 to 300 and a gap from 1000 to 2000.
func overlappingStages() MultiStageUniformLog {
	return stages(WeightedUniformLog{0.5, UniformLog{40, 1000}}, WeightedUniformLog{0.125, UniformLog{5, 300}}, WeightedUniformLog{0.375, UniformLog{2000, 50000}})
}

func stages(s ...WeightedUniformLog) MultiStageUniformLog {
	m, err := NewMultiStageUniformLog(s...)
	if err != nil {
		panic(err)
	}
	return m
}

// multiStageReference is testdata/multistage.json: values of mpmath, by
// multistage.py.
type multiStageReference struct {
	Laws []struct {
		Law    JSON
		Mean   number
		Points []struct {
			X             float64
			LogPDF        number `json:"log_pdf"`
			CDF, Survival float64
		}
		Quantiles []struct {
			P, Quantile     float64
			InverseSurvival float64 `json:"inverse_survival"`
		}
		Given []struct {
			Age             float64
			MeanRemaining   float64 `json:"mean_remaining"`
			MedianRemaining float64 `json:"median_remaining"`
			Survival        []struct{ T, Survival float64 }
		}
	}
}

func TestMultiStageAgainstMpmath(t *testing.T) {
	for _, r := range longtest.ReadJSON[multiStageReference](t, "testdata/multistage.json").Laws {
		l, ok := r.Law.Law.(MultiStageUniformLog)
		if !ok {
			t.Fatalf("%T in testdata/multistage.json", r.Law.Law)
		}
		check := func(what string, at, got, want float64) {
			t.Helper()
			if !near(got, want, 1e-12) {
				t.Errorf("%d stages: %s of %.17g is %.17g, want %.17g", len(l.Parts()), what, at, got, want)
			}
		}
		check("mean", 0, Mean(l), float64(r.Mean))
		for _, p := range r.Points {
			check("log-density", p.X, l.LogPDF(p.X), float64(p.LogPDF))
			check("CDF", p.X, l.CDF(p.X), p.CDF)
			check("survival", p.X, l.Survival(p.X), p.Survival)
		}
		for _, q := range r.Quantiles {
			check("quantile", q.P, l.Quantile(q.P), q.Quantile)
			check("inverse survival", q.P, l.InverseSurvival(q.P), q.InverseSurvival)
		}
		for _, g := range r.Given {
			check("mean remaining lifetime", g.Age, l.MeanRemaining(g.Age), g.MeanRemaining)
			check("median remaining lifetime", g.Age, l.MedianRemaining(g.Age), g.MedianRemaining)
			for _, s := range g.Survival {
				check(fmt.Sprintf("survival of %g more at an age", s.T), g.Age, SurvivalGiven(l, g.Age, s.T), s.Survival)
			}
		}
	}
}

// TestStageProbabilities computes by hand the probabilities at the middle (in ln t) of the first
// of two stages, which half of its jobs outlast: 0.5 × 0.6 against 0.4. A job older than the
// first stage is in the second.
func TestStageProbabilities(t *testing.T) {
	m := stages(WeightedUniformLog{0.6, UniformLog{1, 100}}, WeightedUniformLog{0.4, UniformLog{100, 1e4}})
	for _, c := range []struct{ age, first, second float64 }{
		{0, 0.6, 0.4}, {1, 0.6, 0.4}, {10, 0.3 / 0.7, 0.4 / 0.7}, {100, 0, 1}, {5000, 0, 1}, {1e4, 0, 0}, {math.Inf(1), 0, 0},
	} {
		p, n := m.given(c.age)
		if n != 2 || !near(p[0], c.first, 1e-14) || !near(p[1], c.second, 1e-14) {
			t.Errorf("at age %g: %v, want %g and %g", c.age, p, c.first, c.second)
		}
	}
	// Pr{L > 100 | L > 10} is 0.4/0.7, and half as many survive 1000.
	if got := m.SurvivalGiven(10, 90); !near(got, 0.4/0.7, 1e-14) {
		t.Errorf("SurvivalGiven(10, 90) = %g", got)
	}
	if got := m.SurvivalGiven(10, 990); !near(got, 0.2/0.7, 1e-14) {
		t.Errorf("SurvivalGiven(10, 990) = %g", got)
	}
	for _, age := range []float64{1e4, 2e4, math.Inf(1)} {
		if !m.Outlived(age) || m.SurvivalGiven(age, 1) != 0 || m.MedianRemaining(age) != 0 || m.MeanRemaining(age) != 0 {
			t.Errorf("age %g: outlived %t, survival %g, remaining %g and %g; want true and zeros",
				age, m.Outlived(age), m.SurvivalGiven(age, 1), m.MedianRemaining(age), m.MeanRemaining(age))
		}
	}
}

func TestMultiStageJSON(t *testing.T) {
	data, err := Marshal(stages(WeightedUniformLog{0.75, UniformLog{10, 10800}}, WeightedUniformLog{0.25, UniformLog{10800, 54000}}))
	want := `{"family":"multi-stage-uniform-log","parameters":{"weight_1":0.75,"t_min_1_s":10,"t_max_1_s":10800,"weight_2":0.25,"t_min_2_s":10800,"t_max_2_s":54000}}`
	if err != nil || string(data) != want {
		t.Errorf("Marshal = %s, %v; want %s", data, err, want)
	}
}
