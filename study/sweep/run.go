package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Result holds the measures of a run.
type Result struct {
	Run
	Study    string             `json:"study"` // its identity
	Measures []Value            `json:"measures"`
	Warnings []workload.Warning `json:"warnings,omitempty"`
}

// Run does the run of a number from 1 to Runs.
func (p *Plan) Run(ctx context.Context, number int) (*Result, error) {
	if _, err := p.At(number); err != nil {
		return nil, err
	}
	j, err := p.read(ctx, number-1)
	if err != nil {
		return nil, err
	}
	return p.on(ctx, j, number-1)
}

// on does the k-th run on its jobs.
func (p *Plan) on(ctx context.Context, j *jobs, k int) (*Result, error) {
	r := &Result{Run: p.at(k), Study: p.Identity, Warnings: j.warnings}
	var (
		odd []workload.Warning
		err error
	)
	switch r.Kind {
	case KindRunTime:
		r.Measures, odd, err = r.scoreRunTimes(ctx, j)
	case KindWait:
		r.Measures, odd, err = r.scoreWaits(ctx, j)
	default:
		r.Measures, odd, err = r.schedule(ctx, j)
	}
	if err != nil {
		return nil, workload.About(fmt.Sprintf("run %d of study %s, %s", r.Number, p.Study.Name, p.describe(k)), plain(ctx, err))
	}
	r.Warnings = append(r.Warnings[:len(r.Warnings):len(r.Warnings)], odd...)
	return r, nil
}

func (r *Run) schedule(ctx context.Context, j *jobs) ([]Value, []workload.Warning, error) {
	processors := cmp.Or(r.Processors, j.processors)
	s, err := evaluate.Schedule(ctx, j.log(), evaluate.ScheduleOptions{Policy: r.Policy, Estimates: r.Estimates, Feedback: r.Feedback, Processors: processors})
	if errors.Is(err, sched.ErrNoEstimates) {
		err = fmt.Errorf("%w: estimates: [perfect], or a predictor such as last2, needs none in the workload", err)
	}
	if err != nil {
		return nil, nil, err
	}
	load := j.load
	if r.Processors > 0 {
		load *= float64(j.processors) / float64(processors)
	}
	return ofSchedules.values(&scheduled{stats.Number(load), &s.Whole}), s.Warnings, nil
}

func (r *Run) scoreRunTimes(ctx context.Context, j *jobs) ([]Value, []workload.Warning, error) {
	s, err := evaluate.RunTimes(ctx, j.log(), evaluate.RunTimesOptions{Predictors: []string{r.Predictor}, Classes: []string{r.Classes}})
	if err != nil {
		return nil, nil, err
	}
	return ofRunTimes.values(s.Score(r.Predictor, r.Classes)), s.Warnings, nil
}

func (r *Run) scoreWaits(ctx context.Context, j *jobs) ([]Value, []workload.Warning, error) {
	s, err := evaluate.Waits(ctx, j.log(), evaluate.WaitsOptions{Predictors: []string{r.Predictor}, Processors: j.processors})
	if err != nil {
		return nil, nil, err
	}
	return ofWaits.values(s.Score(r.Predictor)), s.Warnings, nil
}
