package allocate

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Replicate studies the workloads of that many seeds, from first on, and
// returns the outcomes in the order of the seeds. The study's Workers share the
// seeds, each done by one worker unless there are fewer seeds than workers.
//
// Each, if it is not nil, gets every outcome with its jobs, in the order of the
// seeds; what Study.Keep keeps is dropped when it returns, and its error ends
// the study.
func (s Study) Replicate(w Workload, first uint64, seeds int, each func(seed uint64, jobs []Job, o *Outcome) error) ([]*Outcome, error) {
	if seeds < 1 || seeds > MaxSeeds {
		return nil, fmt.Errorf("%d seeds, want 1 to %d", seeds, MaxSeeds)
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := w.Validate(); err != nil {
		return nil, err
	}
	workers := par.Workers(s.Workers)
	s.Workers = max(1, workers/seeds)
	type studied struct {
		seed uint64
		jobs []Job
		out  *Outcome
	}
	var outcomes []*Outcome
	for x, err := range par.Map(min(workers, seeds), par.Numbers(context.Background(), seeds), func(i int) (studied, error) {
		seed := first + uint64(i)
		jobs, err := w.jobs(seed, s.Stop)
		if err != nil {
			return studied{}, err
		}
		if len(jobs) == 0 {
			return studied{}, fmt.Errorf("seed %d draws no jobs (days %d, load %g), want more of either", seed, w.Days, w.Load)
		}
		o, err := s.Run(jobs)
		if err != nil {
			return studied{}, fmt.Errorf("%w (seed %d)", err, seed)
		}
		if each == nil {
			jobs = nil
			o.drop()
		}
		return studied{seed, jobs, o}, nil
	}, nil) {
		if err == nil && each != nil {
			err = each(x.seed, x.jobs, x.out)
			x.out.drop()
		}
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, x.out)
	}
	return outcomes, nil
}

// MaxSeeds is the largest number of seeds of a study.
const MaxSeeds = 100_000

// drop lets go of what Study.Keep keeps.
func (o *Outcome) drop() {
	o.Schedule = nil
	for i := range o.Rows {
		r := &o.Rows[i]
		r.Alone, r.Schedule, r.AloneForecasts, r.ScheduleForecasts = nil, nil, nil, nil
	}
}

// Interval is a mean over seeds with its 95 % interval by Student's t: all are
// NaN without a value, and Low and High with fewer than two.
type Interval struct {
	Mean          stats.Number `json:"mean"`
	Low           stats.Number `json:"low"`
	High          stats.Number `json:"high"`
	Half          stats.Number `json:"-"` // half its width, before its ends are clipped to the possible range
	StandardError float64      `json:"-"`
	Seeds         int          `json:"-"` // number of seeds with a value
}

// IntervalOf returns the interval of values; NaN are left out.
func IntervalOf(values []float64) Interval {
	var m stats.Moments
	for _, x := range values {
		if !math.IsNaN(x) {
			m.Add(x)
		}
	}
	nan := stats.Number(math.NaN())
	v := Interval{Mean: stats.Number(m.Mean()), Low: nan, High: nan, Half: nan, StandardError: math.NaN(), Seeds: m.N()}
	if m.N() < 2 {
		return v
	}
	v.StandardError = m.StdDev() / math.Sqrt(float64(m.N()))
	v.Half = stats.Number(v.StandardError * distuv.StudentsT{Sigma: 1, Nu: float64(m.N() - 1)}.Quantile(0.975))
	v.Low, v.High = v.Mean-v.Half, v.Mean+v.Half
	return v
}

// Over returns the interval of a quantity of the outcomes.
func Over(outcomes []*Outcome, quantity func(*Outcome) float64) Interval {
	values := make([]float64, len(outcomes))
	for i, o := range outcomes {
		values[i] = quantity(o)
	}
	return IntervalOf(values)
}
