package score

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// Four jobs with 90 % bounds, by hand: waits of 0, 60, 600 and 60 s, and bounds of 60, 120 and
// 300 s, and none.
func TestForecastsByHand(t *testing.T) {
	nan := math.NaN()
	jobs := []ForecastJob{{Actual: 0}, {Actual: 60, Submit: 1}, {Actual: 600, Submit: 2}, {Actual: 60, Submit: 3}}
	said := []Forecast{{Point: 30, Bound: 60, CRPS: 12}, {Point: 30, Bound: 120, CRPS: nan}, {Point: nan, Bound: 300, CRPS: 48}, {Point: 120, Bound: nan, CRPS: nan}}
	s := Forecasts(jobs, said, 0.9, []bool{true, true, false, false})
	// Losses: 0.1*60 = 6, 0.1*60 = 6, 0.9*300 = 270 s. Points: |30-0|, |30-60|, |120-60|.
	jobtest.CheckNumbers(t, s, map[string]float64{
		"jobs": 4, "predicted": 4, "bounded": 3, "coverage": 2. / 3, "coverage_nonzero": 1. / 2,
		"pinball_loss_min": 282. / 3 / 60, "pinball_loss_common_min": 6. / 60,
		"bound_mean_min": 480. / 3 / 60, "bound_median_min": 2, "crps_min": 0.5,
		"accuracy_mean": (0 + 0.5 + 0.5) / 3, "absolute_error_mean_min": 120. / 3 / 60, "absolute_error_median_min": 0.5,
		"coverage_worst_weeks": nan, "weeks": 0, // none has 50 jobs
	})
	if none := Forecasts(jobs, []Forecast{NoForecast(), NoForecast(), NoForecast(), NoForecast()}, 0.9, make([]bool, 4)); none.Predicted != 0 || !alike(none.QuantileLoss, nan) || !alike(none.AccuracyMean, nan) {
		t.Errorf("without forecasts: %+v", none)
	}
}

// Weeks have 60, 30, 30, 55 and 20 jobs, of which 0, 15, 3, 0 and 5 are missed: the second is
// merged with the third, and the last with the one before it.
func TestForecastStretches(t *testing.T) {
	var jobs []ForecastJob
	var said []Forecast
	for week, n := range []struct{ jobs, missed int }{{60, 0}, {30, 15}, {30, 3}, {55, 0}, {20, 5}} {
		for i := range n.jobs {
			f := Forecast{math.NaN(), 60, math.NaN()}
			if i < n.missed {
				f.Bound = 0
			}
			jobs = append(jobs, ForecastJob{Actual: 30, Submit: float64(7*86400*week + i)})
			said = append(said, f)
		}
	}
	all := ForecastStretches(jobs, said, 0.9)
	want := []struct {
		jobs    int
		covered float64
	}{{60, 1}, {60, 42. / 60}, {75, 70. / 75}}
	if len(all) != len(want) {
		t.Fatalf("%d stretches: %+v", len(all), all)
	}
	for i, w := range want {
		if all[i].Jobs != w.jobs || math.Abs(all[i].Covered-w.covered) > 1e-12 {
			t.Errorf("stretch %d: %+v, want %+v", i, all[i], w)
		}
	}
	s := Forecasts(jobs, said, 0.9, make([]bool, len(jobs)))
	if !alike(s.WorstWeeks, 0.7) || s.Weeks != 3 || s.WeakWeeks != 1 {
		t.Errorf("%+v", s)
	}
}
