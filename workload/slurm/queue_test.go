package slurm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// A queue has held jobs, forecasts and cancelled jobs; a job that cannot be read is counted.
func TestReadQueue(t *testing.T) {
	text := `JOBID|STATE|SUBMIT_TIME|START_TIME|CPUS|REASON|USER|NODELIST
7|PENDING|2026-11-23T11:33:00|2026-11-23T11:40:00|4|Priority|ann|
8_[1-5%2]|PENDING|2026-11-23T11:33:00|N/A|4|JobHeldUser|bob|
9|RUNNING|2026-11-23T11:33:00|2026-11-23T11:34:00|4|None|ann|n1
10|DREAMING|2026-11-23T11:33:00|2026-11-23T11:34:00|4|None|ann|n1
11|CANCELLED|2026-11-23T11:33:00|2026-11-23T11:34:00|4|None|ann|
`
	if !slurm.IsQueue(strings.NewReader(text)) {
		t.Fatal("no queue")
	}
	q, err := slurm.ReadQueue("x", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	const submit = 1795433580 // date -ud 2026-11-23T11:33:00 +%s
	checkListed(t, q, submit, `7 wait NaN run NaN expected 420 withdrawn NaN held false Priority
8_1 wait NaN run NaN expected NaN withdrawn NaN held true JobHeldUser
8_2 wait NaN run NaN expected NaN withdrawn NaN held true JobHeldUser
8_3 wait NaN run NaN expected NaN withdrawn NaN held true JobHeldUser
8_4 wait NaN run NaN expected NaN withdrawn NaN held true JobHeldUser
8_5 wait NaN run NaN expected NaN withdrawn NaN held true JobHeldUser
9 wait 60 run NaN expected NaN withdrawn NaN held false
11 wait NaN run NaN expected NaN withdrawn NaN held false
`) // the text form does not give the time at which the last one was cancelled
	b, c, d := q.Jobs[5], q.Jobs[6], q.Jobs[7]
	if b.Array != 8 || c.Status != workload.Unknown || d.Status != workload.StatusCancelled {
		t.Errorf("%+v %+v %+v", b, c, d)
	}
	if name, _ := q.Names.Text(workload.ColUser, b.User); name != "bob" || q.Taken != submit+60 { // the text form has no TIME
		t.Errorf("%q, %v", name, q.Taken)
	}
	if w := q.Warnings; len(w) != 1 || w[0].Rule != "unreadable-jobs" || w[0].Count != 1 {
		t.Errorf("%v", w)
	}
}

// checkListed compares the jobs of a listing, all submitted at one time, with a text.
func checkListed(t *testing.T, listing *slurm.Listing, submit float64, want string) {
	t.Helper()
	got := ""
	for _, j := range listing.Jobs {
		line := fmt.Sprintf("%s wait %g run %g expected %g withdrawn %g held %t %s", j.Label, j.Wait, j.Run, j.Expected-submit, j.Withdrawn-submit, j.Held, j.Reason)
		if got += strings.TrimSpace(line) + "\n"; j.Submit != submit {
			t.Errorf("submitted at %g: %s", j.Submit, line)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Ended jobs include those that were cancelled before they started, with the time of cancellation;
// waiting and running jobs are omitted.
func TestReadEnded(t *testing.T) {
	for _, text := range []string{
		`JobID|JobIDRaw|State|Submit|Start|End|User|NCPUS
7|7|COMPLETED|2026-11-23T11:33:00|2026-11-23T11:34:00|2026-11-23T11:35:00|ann|4
8|8|CANCELLED by 0|2026-11-23T11:33:00|None|2026-11-23T11:35:00|ann|0
9|9|RUNNING|2026-11-23T11:33:00|2026-11-23T11:34:00|Unknown|ann|4
10|10|PENDING|2026-11-23T11:33:00|Unknown|Unknown|ann|4
`,
		`{"meta": {"Slurm": {}}, "jobs": [
{"job_id": 7, "state": {"current": "COMPLETED"}, "time": {"submission": 1795433580, "start": 1795433640, "end": 1795433700, "elapsed": 60}, "user": "ann", "nodes": "n1", "array": {}},
{"job_id": 8, "state": {"current": "CANCELLED"}, "time": {"submission": 1795433580, "start": null, "end": 1795433700, "elapsed": 0}, "user": "ann", "nodes": "None assigned", "array": {}},
{"job_id": 9, "state": {"current": "RUNNING"}, "time": {"submission": 1795433580, "start": 1795433640, "end": 0, "elapsed": 9}, "user": "ann", "nodes": "n1", "array": {}},
{"job_id": 10, "state": {"current": "PENDING"}, "time": {"submission": 1795433580, "start": 0, "end": 0, "elapsed": 0}, "user": "ann", "nodes": "None assigned", "array": {}}]}`,
	} {
		e, err := slurm.ReadEnded("x", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
		if err != nil {
			t.Fatal(err)
		}
		checkListed(t, e, 1795433580, `7 wait 60 run 60 expected NaN withdrawn NaN held false
8 wait NaN run NaN expected NaN withdrawn 120 held false
`)
	}
	if e, err := slurm.ReadEnded("x", strings.NewReader(`{"meta": {"plugin": {"type": "openapi/dbv0.0.38"}, "Slurm": {}}, "errors": [], "jobs": []}`), workload.Options{}); err != nil || len(e.Jobs) != 0 {
		t.Errorf("%+v, %v", e, err)
	}
	for _, text := range []string{"", "{}", "x", "[]", `{"jobs": [{"job_id": 7, "job_state": "PENDING"}]}`} {
		var fault *workload.InputError
		if _, err := slurm.ReadEnded("x", strings.NewReader(text), workload.Options{}); !errors.As(err, &fault) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// squeue prints the priority as a fraction of the largest and as a whole number under one name: the
// whole number is used.
func TestQueuePriority(t *testing.T) {
	q, err := slurm.ReadQueue("x", strings.NewReader("JOBID|PRIORITY|STATE|SUBMIT_TIME|START_TIME|CPUS|PRIORITY\n5|0.00000009|R|2024-06-01T00:00:00|2024-06-01T00:00:05|4|390\n6||PD|2024-06-01T00:00:00|N/A|4|\n"), workload.Options{TimeZone: "UTC"})
	if err != nil || len(q.Jobs) != 2 || q.Jobs[0].Priority != 390 || q.Jobs[1].Priority != workload.Unknown {
		t.Errorf("%+v, %v", q, err)
	}
}
