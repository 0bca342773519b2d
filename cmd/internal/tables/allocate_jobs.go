package tables

import (
	"cmp"
	"context"

	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// AllocatedJobs has a row a job, strategy and side (AddAllocated).
var AllocatedJobs = PlainFile{Schema: "loadstone.allocate-jobs/1", Columns: []columnar.PlainColumn{
	{Name: "swept_value", Meaning: "value of the parameter that --sweep varies", Kind: columnar.PlainFloat},
	{Name: "seed", Meaning: "seed of the workload", Kind: columnar.PlainInt},
	{Name: "job_id", Meaning: "number of the job", Kind: columnar.PlainInt},
	{Name: "strategy", Meaning: "the strategy", Kind: columnar.PlainText},
	{Name: "side", Meaning: "application: the job alone chose so on avg's schedule; system: all jobs did", Kind: columnar.PlainText},
	{Name: "kind", Meaning: "spoiled, docile or rebel", Kind: columnar.PlainText},
	{Name: "sequential_time_s", Unit: "s", Meaning: "run time on one processor", Kind: columnar.PlainFloat},
	{Name: "average_parallelism", Unit: "processors", Meaning: "average parallelism", Kind: columnar.PlainFloat},
	{Name: "sigma", Unit: "1", Meaning: "variance of parallelism", Kind: columnar.PlainFloat},
	{Name: "submit_time_s", Unit: "s", Meaning: "submission, from the first day's begin", Kind: columnar.PlainFloat},
	{Name: "wait_time_s", Unit: "s", Meaning: "time from the submission to the start", Kind: columnar.PlainFloat},
	{Name: "run_time_s", Unit: "s", Meaning: "run time on the processors it got", Kind: columnar.PlainFloat},
	{Name: "processors", Unit: "processors", Meaning: "processors it got", Kind: columnar.PlainInt},
	{Name: "offered_processors", Unit: "processors", Meaning: "free when it could first choose, at most what it can use", Kind: columnar.PlainInt},
	{Name: "chosen_processors", Unit: "processors", Meaning: "what it chose then", Kind: columnar.PlainInt},
	{Name: "saved_s", Unit: "s", Meaning: "how much sooner than under avg it ends after its submission", Kind: columnar.PlainFloat},
}}

// AddAllocated returns what adds the jobs of a workload.
func AddAllocated(ctx context.Context, t *columnar.PlainTable) func(value float64, seed int64, jobs []allocate.Job, o *allocate.Outcome) error {
	return func(value float64, seed int64, jobs []allocate.Job, o *allocate.Outcome) error {
		for i := range o.Rows {
			row := &o.Rows[i]
			for _, side := range []struct {
				name   string
				placed []allocate.Placement
			}{{"application", row.Alone}, {"system", row.Schedule}} {
				addSide(t, value, seed, row.Strategy.Name, side.name, jobs, side.placed, o.Schedule)
				if err := cmp.Or(t.Err(), ctx.Err()); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

func addSide(t *columnar.PlainTable, value float64, seed int64, strategy, side string, jobs []allocate.Job, placed, base []allocate.Placement) {
	for i := range jobs {
		j, p := &jobs[i], &placed[i]
		t.Float(value)
		t.Int(seed)
		t.Int(j.ID)
		t.Text(strategy)
		t.Text(side)
		t.Text(p.Kind())
		t.Float(j.Sequential)
		t.Float(j.Parallelism)
		t.Float(j.Sigma)
		t.Float(p.Submit)
		t.Float(p.Start - p.Submit)
		t.Float(p.Run)
		t.Int(int64(p.Size))
		t.Int(int64(p.Offered))
		t.Int(int64(p.Chosen))
		t.Float(p.Saved(&base[i]))
	}
}
