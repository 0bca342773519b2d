package tables

import (
	"context"

	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// AllocatedJob is a job of a workload under a strategy.
type AllocatedJob struct {
	value          float64
	seed           int64
	strategy, side string
	job            *allocate.Job
	placed, base   *allocate.Placement
}

// AllocatedJobs has a row for each job, strategy and side (SaveAllocated).
var AllocatedJobs = columnar.PlainForm[AllocatedJob]{Schema: "loadstone.allocate-jobs/1", Fields: []columnar.PlainField[AllocatedJob]{
	columnar.FloatField("swept_value", "", "value of the parameter that --sweep varies", func(r *AllocatedJob) float64 { return r.value }),
	columnar.IntField("seed", "", "seed of the workload", func(r *AllocatedJob) int64 { return r.seed }),
	columnar.IntField("job_id", "", "number of the job", func(r *AllocatedJob) int64 { return r.job.ID }),
	columnar.TextField("strategy", "the strategy", func(r *AllocatedJob) string { return r.strategy }),
	columnar.TextField("side", "application: the job alone chose so on avg's schedule; system: all jobs did", func(r *AllocatedJob) string { return r.side }),
	columnar.TextField("kind", "spoiled, docile or rebel", func(r *AllocatedJob) string { return r.placed.Kind() }),
	columnar.FloatField("sequential_time_s", "s", "run time on one processor", func(r *AllocatedJob) float64 { return r.job.Sequential }),
	columnar.FloatField("average_parallelism", "processors", "average parallelism", func(r *AllocatedJob) float64 { return r.job.Parallelism }),
	columnar.FloatField("sigma", "1", "variance of parallelism", func(r *AllocatedJob) float64 { return r.job.Sigma }),
	columnar.FloatField("submit_time_s", "s", "submission, from the first day's begin", func(r *AllocatedJob) float64 { return r.placed.Submit }),
	columnar.FloatField("wait_time_s", "s", "time from the submission to the start", func(r *AllocatedJob) float64 { return r.placed.Start - r.placed.Submit }),
	columnar.FloatField("run_time_s", "s", "run time on the processors it got", func(r *AllocatedJob) float64 { return r.placed.Run }),
	columnar.IntField("processors", "processors", "processors it got", func(r *AllocatedJob) int64 { return int64(r.placed.Size) }),
	columnar.IntField("offered_processors", "processors", "free when it could first choose, at most what it can use", func(r *AllocatedJob) int64 { return int64(r.placed.Offered) }),
	columnar.IntField("chosen_processors", "processors", "what it chose then", func(r *AllocatedJob) int64 { return int64(r.placed.Chosen) }),
	columnar.FloatField("saved_s", "s", "how much sooner than under avg it ends after its submission", func(r *AllocatedJob) float64 { return r.placed.Saved(r.base) }),
}}

// SaveAllocated returns what saves the jobs of a workload, nil where save is nil.
func SaveAllocated(ctx context.Context, save func(AllocatedJob) error) func(value float64, seed int64, jobs []allocate.Job, o *allocate.Outcome) error {
	if save == nil {
		return nil
	}
	return func(value float64, seed int64, jobs []allocate.Job, o *allocate.Outcome) error {
		for k := range o.Rows {
			row := &o.Rows[k]
			for _, side := range []struct {
				name   string
				placed []allocate.Placement
			}{{"application", row.Alone}, {"system", row.Schedule}} {
				for i := range jobs {
					if err := save(AllocatedJob{value, seed, row.Strategy.Name, side.name, &jobs[i], &side.placed[i], &o.Schedule[i]}); err != nil {
						return err
					}
				}
				if err := ctx.Err(); err != nil {
					return err
				}
			}
		}
		return nil
	}
}
