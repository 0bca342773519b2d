package tables

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// ScheduledJob is a job as simulated, and its submission in the log.
type ScheduledJob struct {
	job    *workload.Job
	submit float64 // s
}

// ScheduledJobs has a row for each job of a simulated schedule (SaveScheduled).
var ScheduledJobs = columnar.PlainForm[ScheduledJob]{Schema: "loadstone.simulate-jobs/1", Fields: []columnar.PlainField[ScheduledJob]{
	columnar.IntField("job_id", "", "the log's number of the job", func(r *ScheduledJob) int64 { return r.job.ID }),
	columnar.FloatField("log_submit_time_s", "s", "submission in the log", func(r *ScheduledJob) float64 { return r.submit }),
	columnar.FloatField("submit_time_s", "s", "submission as simulated", func(r *ScheduledJob) float64 { return r.job.Submit }),
	columnar.FloatField("wait_time_s", "s", "wait as simulated", func(r *ScheduledJob) float64 { return r.job.Wait }),
	columnar.IntField("preceding_job_id", "", "the job that it waited for", func(r *ScheduledJob) int64 { return r.job.Preceding }),
	columnar.FloatField("think_time_s", "s", "from the end of that to the submission, at least", func(r *ScheduledJob) float64 { return r.job.Think }),
}}

// SaveScheduled returns what saves a job that was submitted at submit in the log,
// nil where save is nil.
func SaveScheduled(save func(ScheduledJob) error) func(j *workload.Job, submit float64) error {
	if save == nil {
		return nil
	}
	return func(j *workload.Job, submit float64) error { return save(ScheduledJob{j, submit}) }
}
