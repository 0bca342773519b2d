package slurm_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TestFormsFaults checks where and how each form says what is wrong.
func TestFormsFaults(t *testing.T) {
	const job = `{"job_id": 1, "time": {"submission": 1717200000, "start": 0}, "state": {"current": "PENDING"}, "steps": []}`
	const queued = `{"job_id": 1, "job_state": "PENDING", "submit_time": 1717200000, "cpus": 4}`
	sacct := func(old, new string) string { return `{"jobs": [` + strings.Replace(job, old, new, 1) + `]}` }
	squeue := func(old, new string) string { return `{"jobs": [` + strings.Replace(queued, old, new, 1) + `]}` }
	for text, want := range map[string]string{
		`{"jobs": [` + job[:len(job)-13]:                                              `log:1: at byte 104: saw the end of the text, want the rest of "jobs": it was cut short`,
		sacct(`1717200000`, `"then"`):                                                 `log:1: jobs[0].time.submission at byte 10: saw "then", want a time such as 2021-12-10T14:23:28 (unset SLURM_TIME_FORMAT)`,
		sacct(`1717200000`, `[1]`):                                                    `log:1: jobs[0].time.submission at byte 47: saw an array, want a number or a string`,
		sacct(`1717200000`, `{"a": 1}`):                                               `log:1: jobs[0].time.submission at byte 47: saw an object with "a", want a number, or an object with set, infinite and number`,
		sacct(`1717200000`, `17 17`):                                                  `log:1: jobs[0].time.submission at byte 50: saw "17, \"start\": 0}, \"state\""..., want a comma or }`,
		sacct(`"job_id": 1`, `"job_id": "x"`):                                         `log:1: jobs[0].job_id at byte 10: saw "x", want a job's number, such as 123, 123_4, 123_[0-9], 12+0 or 123.batch`,
		sacct(`"job_id": 1`, `"job_id": null`):                                        `log:1: jobs[0].job_id at byte 10: saw no value (missing, null, NaN, not set or 0), want a job's number, such as 123, 123_4, 123_[0-9], 12+0 or 123.batch`,
		sacct(`"start": 0`, `"limit": -5`):                                            `log:1: jobs[0].time.limit at byte 10: saw "-5", want a time of the form [DD-[HH:]]MM:SS`,
		sacct(`"start": 0`, `"elapsed": 1.5`):                                         `log:1: jobs[0].time.elapsed at byte 10: saw "1.5", want a whole number of 0 or more`,
		sacct(`"steps": []`, `"steps": [4]`):                                          `log:1: jobs[0].steps at byte 115: saw "4]}]", want an object`,
		sacct(`"steps": []`, `"x": `+strings.Repeat("[", 99)+strings.Repeat("]", 99)): `log:1: jobs[0].x at byte 172: saw more than 64 nested arrays and objects, want fewer`,
		`{"jobs": [` + job + ",\n" + job + ",\n" + strings.Replace(job, "1717200000", "x", 1) + "]}": `log:3: jobs[2].time.submission: saw "x, \"start\": 0}, \"state\":"..., want a value`,
		`{"jobs": [` + job + `, 5]}`: `log:1: jobs[1] at byte 119: saw "5]", want an object`,
		`{"jobs": [` + job + `]} x`:  `log:1: at byte 120: saw "x", want an object`,

		squeue(`4`, `"many"`):                   `log:1: jobs[0].cpus at byte 10: saw "many", want a whole number of 0 or more`,
		squeue(`PENDING`, `DREAMING`):           `log:1: jobs[0].job_state at byte 10: saw "DREAMING", want a state of Slurm's, such as PENDING or R`,
		squeue(`1717200000`, `0`):               `log:1: jobs[0].submit_time at byte 10: saw no value (missing, null, NaN, not set or 0), want a time such as 2021-12-10T14:23:28`,
		squeue(`4`, `NaN`):                      `log:1: jobs[0].cpus at byte 10: saw no value (missing, null, NaN, not set or 0), want a number of processors`,
		job + "\n" + queued:                     `log:2: jobs[1].time.submission: saw no value (missing, null, NaN, not set or 0), want a time, as of every job that sacct --json prints`,
		`{"jobs": null, "meta": {"Slurm": {}}}`: `log:1: at byte 9: saw "null", want an array "jobs"`,
		"[" + queued + ",\n" + queued + "]":     `log:2: jobs[1].job_id: saw 1, which is in line 1 too, want each job once`,
		queued + "\n" + queued[:20]:             `log:2: saw the end of the text, want the rest of the objects: it was cut short`,
		job + "\n" + job + ",\n{}":              `log:2: jobs[2]: saw ",\n{}", want an object`,
		squeue(`PENDING`, `RUNNING`):            `log:1: jobs[0].start_time at byte 10: saw no value (missing, null, NaN, not set or 0), want a time, of a job that is RUNNING`,
		squeue(`"cpus": 4`, `"cpus": [4]`):      `log:1: jobs[0].cpus at byte 83: saw an array, want a number or a string`,
		squeue(`}`, "}, "+queued):               `log:1: jobs[1].job_id at byte 87: saw 1, which is in line 1 too, want each job once`,
		`{"jobs": [` + queued[:len(queued)-5]:   `log:1: at byte 80: saw the end of the text, want the rest of "jobs": it was cut short`,

		"JobId=1 JobName=a\n   JobState=PENDING\n":                                                                             `log:1: job 1: saw no SubmitTime, want all that scontrol show job prints of a job`,
		"JobId=1 JobName=a\n   JobState=PENDING SubmitTime=x\n   StartTime=Unknown\n   NumCPUs=1\n":                            `log:1: SubmitTime: saw "x", want a time such as 2021-12-10T14:23:28 (unset SLURM_TIME_FORMAT)`,
		"JobId=1 JobName=a\n   JobState=RUNNING SubmitTime=2024-06-01T00:00:00\n   StartTime=Unknown NumCPUs=1\nslurm error\n": `log:1: StartTime: saw "Unknown", want a time, of a job that is RUNNING`,
	} {
		_, err := readText(text, workload.Options{})
		var fault *workload.InputError
		if !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("%s:\n%v, want\n%s", text, err, want)
		}
	}
}
