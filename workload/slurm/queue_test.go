package slurm_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// A queue has held jobs, forecasts and what was cancelled; a job that cannot be read is
// counted.
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
	if err != nil || len(q.Jobs) != 8 {
		t.Fatalf("%+v, %v", q, err)
	}
	const submit = 1795433580 // date -ud 2026-11-23T11:33:00 +%s
	a, b, c, d := q.Jobs[0], q.Jobs[5], q.Jobs[6], q.Jobs[7]
	if a.Submit != submit || a.Expected != submit+420 || a.Held || a.Reason != "Priority" || a.Label != "7" || !math.IsNaN(a.Wait) {
		t.Errorf("%+v", a)
	}
	if !math.IsNaN(b.Expected) || !b.Held || b.Reason != "JobHeldUser" || b.Label != "8_5" || b.Array != 8 {
		t.Errorf("%+v", b)
	}
	if c.Wait != 60 || c.Reason != "" || !math.IsNaN(c.Expected) || c.Status != workload.Unknown {
		t.Errorf("%+v", c)
	}
	if !math.IsNaN(d.Wait) || d.Status != workload.StatusCancelled || !math.IsNaN(d.Withdrawn) { // the text does not say when
		t.Errorf("%+v", d)
	}
	if name, _ := q.Names.Text(workload.ColUser, b.User); name != "bob" || q.Taken != submit+60 { // the text has no TIME
		t.Errorf("%q, %v", name, q.Taken)
	}
	rules := map[string]int64{}
	for _, w := range q.Warnings {
		rules[w.Rule] = w.Count
	}
	if len(rules) != 1 || rules["unreadable-jobs"] != 1 {
		t.Errorf("%v", q.Warnings)
	}
}

// What has ended has the moment at which jobs were cancelled that never started; what waits or runs is left out.
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
		if err != nil || len(e.Jobs) != 2 {
			t.Fatalf("%+v, %v", e, err)
		}
		const submit = 1795433580
		a, b := e.Jobs[0], e.Jobs[1]
		if a.ID != 7 || a.Submit != submit || a.Wait != 60 || a.Run != 60 || !math.IsNaN(a.Withdrawn) {
			t.Errorf("%+v", a)
		}
		if b.ID != 8 || b.Submit != submit || !math.IsNaN(b.Wait) || b.Withdrawn != submit+120 {
			t.Errorf("%+v", b)
		}
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

// squeue prints fractions of the largest priority and whole numbers under one name: the
// whole numbers count.
func TestQueuePriority(t *testing.T) {
	q, err := slurm.ReadQueue("x", strings.NewReader("JOBID|PRIORITY|STATE|SUBMIT_TIME|START_TIME|CPUS|PRIORITY\n5|0.00000009|R|2024-06-01T00:00:00|2024-06-01T00:00:05|4|390\n6||PD|2024-06-01T00:00:00|N/A|4|\n"), workload.Options{TimeZone: "UTC"})
	if err != nil || len(q.Jobs) != 2 || q.Jobs[0].Priority != 390 || q.Jobs[1].Priority != workload.Unknown {
		t.Errorf("%+v, %v", q, err)
	}
}
