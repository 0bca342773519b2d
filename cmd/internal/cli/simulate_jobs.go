package cli

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// simulateJobsSchema names the table of jobs and its version.
const simulateJobsSchema = "loadstone.simulate-jobs/1"

var simulateJobColumns = []columnar.PlainColumn{
	{Name: "job_id", Meaning: "the log's number of the job", Kind: columnar.PlainInt},
	{Name: "log_submit_time_s", Unit: "s", Meaning: "submission in the log", Kind: columnar.PlainFloat},
	{Name: "submit_time_s", Unit: "s", Meaning: "submission as simulated", Kind: columnar.PlainFloat},
	{Name: "wait_time_s", Unit: "s", Meaning: "wait as simulated", Kind: columnar.PlainFloat},
	{Name: "preceding_job_id", Meaning: "the job that it waited for", Kind: columnar.PlainInt},
	{Name: "think_time_s", Unit: "s", Meaning: "from the end of that to the submission, at least", Kind: columnar.PlainFloat},
}

// saveSchedule calls run with what writes a row for each job, nil where path is
// empty, to a file that appears when run is done.
func (a *app) saveSchedule(path string, run func(told func(*workload.Job, float64) error) error) error {
	if path == "" {
		return run(nil)
	}
	return a.savePlain("per-job", path, simulateJobsSchema, simulateJobColumns, func(t *columnar.PlainTable) error {
		return run(func(j *workload.Job, submit float64) error {
			t.Int(j.ID)
			t.Float(submit)
			t.Float(j.Submit)
			t.Float(j.Wait)
			t.Int(j.Preceding)
			t.Float(j.Think)
			return t.Err()
		})
	})
}
