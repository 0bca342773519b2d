package evaluate

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// If all jobs are alike, schedules simulated from the ended jobs are exact: each job ahead takes
// 600 s. From the estimates each takes 1000 s, and the running job the rest of 1000 s. B and
// drawn use a distribution that fits only roughly.
func TestWaitsSampleByHand(t *testing.T) {
	const jobs = 200
	type key struct {
		predictor string
		job       int64
	}
	said := map[key]float64{}
	r := jobtest.Must(Waits(context.Background(), open(t, jobtest.OneAtATime(jobs, "; UnixStartTime: 820454400\n; TimeZoneString: UTC\n")), WaitsOptions{
		Predictors: []string{"simulated", "estimates", "bmbp"}, Sample: 1000, Policy: "fcfs",
		Predicted: func(p WaitPrediction) error {
			if p.Waits == LogWaits {
				said[key{p.Predictor, p.Request.ID}] = p.Seconds
			}
			return nil
		},
	}))
	a := r.Arrivals
	if a == nil || a.Jobs != 180 || a.Of != 180 || a.Policy != "fcfs" || len(a.Scores) != 3 || a.Common == 0 || a.Common == 180 {
		t.Fatalf("%+v", a)
	}
	for k := 20; k < jobs; k++ {
		// At 500 k s job n runs, because it started at 600 n s. A job that ends at this moment
		// has ended, and the next has not started.
		now := 500. * float64(k)
		n := math.Ceil(now/600) - 1
		ahead := float64(k) - n - 1 // number of waiting jobs
		left := 600*(n+1) - now
		if want := left + 600*ahead; said[key{"simulated", int64(k + 1)}] != want || want != 100*float64(k) {
			t.Fatalf("simulated, job %d: %g s, want %g", k+1, said[key{"simulated", int64(k + 1)}], want)
		}
		bound := left + 400
		if left == 0 {
			bound = 0
		}
		if got, want := said[key{"estimates", int64(k + 1)}], bound+1000*ahead; got != want {
			t.Fatalf("estimates, job %d: %g s, want %g", k+1, got, want)
		}
	}
	for _, s := range a.Scores {
		switch s.Predictor {
		case "simulated":
			if s.Predicted != 180 || s.Bounded != 0 || s.AbsoluteErrorMean != 0 || s.AccuracyMean != 1 {
				t.Errorf("%+v", s)
			}
		case "estimates":
			if s.Bounded != 180 || s.Coverage != 1 {
				t.Errorf("%+v", s)
			}
		case "bmbp": // every wait is longer than all earlier ones
			if s.Coverage != 0 || s.Bounded != a.Common {
				t.Errorf("%+v", s)
			}
		}
	}
}

// One job is drawn from each stretch of equally many jobs, not counting those for training.
func TestDrawSample(t *testing.T) {
	var jobs []workload.Job
	for i := range 110 {
		j := workload.UnknownJob()
		j.Row, j.Submit, j.Wait = int64(i), float64(i), 1
		if i%11 == 0 {
			j.Wait = math.NaN()
		}
		jobs = append(jobs, j)
	}
	s, err := DrawSample(workload.JobsOf(jobs), 9, 1, nil)
	if err != nil || s.of != 90 || len(s.at) != 9 {
		t.Fatalf("%v, %+v", err, s)
	}
	// 90 jobs follow from the eleventh with a wait, in row 11: ten of them take eleven rows.
	for row, i := range s.at {
		if stretch := (row - 11) / 11; stretch != int64(i) {
			t.Errorf("row %d is drawn %d", row, i)
		}
	}
	if s, err = DrawSample(workload.JobsOf(jobs), 1000, 1, nil); err != nil || len(s.jobs) != 90 || s.at[12] != 0 {
		t.Errorf("%v, %d jobs", err, len(s.jobs))
	}
	even := func(r *workload.Request) bool { return r.Row%2 == 0 } // 45 of the 90
	if s, err = DrawSample(workload.JobsOf(jobs), 30, 1, even); err != nil || s.Jobs() != 30 || s.Of() != 45 || slices.ContainsFunc(s.requests, func(r workload.Request) bool { return !even(&r) || r.Row < 11 }) {
		t.Errorf("%v, %d of %d jobs: %+v", err, s.Jobs(), s.Of(), s.requests)
	}
}

// TestSampleLosses computes losses by hand, for a sample of one job per day in twelve days. A
// 0.9-quantile of 10 s loses 0.9 s for each second that the wait is above it, and 0.1 s for each
// second below.
func TestSampleLosses(t *testing.T) {
	var s Sample
	var said []score.Forecast
	common := make([]bool, 12)
	for i := range 12 {
		s.jobs = append(s.jobs, score.ForecastJob{Submit: 86400 * float64(i), Actual: float64(2 * i)})
		said = append(said, score.Forecast{Bound: 10})
		common[i] = i != 3
	}
	c := s.losses(said, 0.9, common)
	// 0 to 8 s without 6: 0.1 (10+8+6+2); 10 s: 0; 12 to 22 s: 0.9 (2+4+...+12).
	if whole := (0.1*26 + 0.9*42) / 11 / 60; len(c) != 11 || math.Abs(c.Whole().LossMean()-whole) > 1e-12 {
		t.Errorf("%d days with a mean of %g min, want 11 with %g", len(c), c.Whole().LossMean(), whole)
	}
	if s.jobs = s.jobs[:5]; s.losses(said[:5], 0.9, common[:5]) != nil {
		t.Error("five days have an interval")
	}
}
