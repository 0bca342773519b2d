package tables

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// ScheduledJobs has a row a job of a simulated schedule (AddScheduled).
var ScheduledJobs = PlainFile{Schema: "loadstone.simulate-jobs/1", Columns: []columnar.PlainColumn{
	{Name: "job_id", Meaning: "the log's number of the job", Kind: columnar.PlainInt},
	{Name: "log_submit_time_s", Unit: "s", Meaning: "submission in the log", Kind: columnar.PlainFloat},
	{Name: "submit_time_s", Unit: "s", Meaning: "submission as simulated", Kind: columnar.PlainFloat},
	{Name: "wait_time_s", Unit: "s", Meaning: "wait as simulated", Kind: columnar.PlainFloat},
	{Name: "preceding_job_id", Meaning: "the job that it waited for", Kind: columnar.PlainInt},
	{Name: "think_time_s", Unit: "s", Meaning: "from the end of that to the submission, at least", Kind: columnar.PlainFloat},
}}

// AddScheduled returns what adds a job that was submitted at submit in the log.
func AddScheduled(t *columnar.PlainTable) func(j *workload.Job, submit float64) error {
	return func(j *workload.Job, submit float64) error {
		t.Int(j.ID)
		t.Float(submit)
		t.Float(j.Submit)
		t.Float(j.Wait)
		t.Int(j.Preceding)
		t.Float(j.Think)
		return t.Err()
	}
}
