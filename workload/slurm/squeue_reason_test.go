package slurm_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// Every reason in Slurm's own list is known, and so are the longer texts that
// Slurm puts in the place of some.
func TestSqueueReasons(t *testing.T) {
	text, err := os.ReadFile("testdata/squeue-reasons.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"":             "queued",
		"(null)":       "queued",
		"(Resources)":  "queued",
		"((Priority))": "queued",
		"(Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)": "queued",
		"ReqNodeNotAvail, UnavailableNodes:n[1-3]":                                                      "held",
		"(ReqNodeNotAvail, May be reserved for other job)":                                              "held",
		"ReqNodeNotAvail(Unavailable:n7)":                                                               "held",
		"launch failed requeued held":                                                                   "held",
		"(job requeued in held state)":                                                                  "held",
		"BurstBufferOperation: setup failed":                                                            "held",
		"Reservation maintenance was deleted":                                                           "held",
		"QOSMaxGRESRunMinsPerUser":                                                                      "held", // later than the list
		"MaxCpuRunMinsPerAccount":                                                                       "held",
		"MpiPortsBusy":                                                                                  "unknown",
		"PriorityOfSomethingElse":                                                                       "unknown",
		"waits for the moon":                                                                            "unknown",
	}
	reasons := 0
	for _, line := range strings.Split(string(text), "\n") {
		if name, class, ok := strings.Cut(line, " "); ok && name != "#" {
			want[name], reasons = class, reasons+1
		}
	}
	if reasons != 199 {
		t.Errorf("%d reasons in the list, want 199", reasons)
	}
	for text, class := range want {
		if got := map[slurm.ReasonKind]string{slurm.ReasonQueued: "queued", slurm.ReasonHeld: "held", slurm.ReasonUnknown: "unknown"}[slurm.ReasonOf(text)]; got != class {
			t.Errorf("%q is %s, want %s", text, got, class)
		}
	}
}

// Held jobs are left out and counted by reason; those of an unknown reason are
// queued and counted; and where there is no REASON nobody can tell, which is a
// warning.
func TestSqueueHeldJobs(t *testing.T) {
	const head = "JOBID|STATE|SUBMIT_TIME|START_TIME|CPUS|REASON\n"
	pending := func(id int, state, reason string) string {
		return fmt.Sprintf("%d|%s|2024-05-31T10:00:00|N/A|4|%s\n", id, state, reason)
	}
	text := head + "1|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:30|64|None\n" +
		pending(2, "PENDING", "Resources") + pending(3, "PENDING", "AssocGrpCpuLimit") + pending(4, "PENDING", "QOSMaxJobsPerUserLimit") +
		pending(5, "PENDING", "AssocGrpCpuLimit") + pending(6, "PENDING", "MpiPortsBusy") + pending(7, "REQUEUE_HOLD", "None") +
		pending(8, "SPECIAL_EXIT", "None") + pending(9, "PENDING", "Licenses") + pending(10, "RESV_DEL_HOLD", "None")
	l, jobs := readSqueue(t, text, "UTC")
	if len(jobs) != 3 || jobs[1].ID != 2 || jobs[2].ID != 6 {
		t.Errorf("%d jobs, want 1, 2 and 6: %+v", len(jobs), jobs)
	}
	got := map[string]workload.Warning{}
	for _, w := range l.Warnings() {
		got[w.Rule] = w
	}
	if w := got["held-jobs"]; len(got) != 2 || w.Count != 7 || w.Line != 4 || w.Saw != "AssocGrpCpuLimit 2, Licenses 1, QOSMaxJobsPerUserLimit 1, REQUEUE_HOLD 1, RESV_DEL_HOLD 1 and 1 more" {
		t.Errorf("held: %+v", got)
	}
	if w := got["unknown-reasons"]; w.Count != 1 || w.Line != 7 || w.Saw != "MpiPortsBusy 1" {
		t.Errorf("unknown: %+v", w)
	}
	var bare []string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		bare = append(bare, line[:strings.LastIndex(line, "|")])
	}
	l, jobs = readSqueue(t, strings.Join(bare, "\n"), "UTC")
	rules := ""
	for _, w := range l.Warnings() {
		rules += fmt.Sprintf("%s %d ", w.Rule, w.Count)
	}
	if len(jobs) != 7 || rules != "held-jobs 3 no-reasons 6 " {
		t.Errorf("without REASON: %d jobs, warnings %s", len(jobs), rules)
	}
}

// squeue -l and squeue -i put the moment above the header line.
func TestSqueueLong(t *testing.T) {
	const long = "Fri May 31 11:00:05 2024\n             JOBID PARTITION     NAME     USER    STATE       TIME TIME_LIMI  NODES NODELIST(REASON)\n" +
		"               101     batch   md run   alice  RUNNING    1:00:05 1-00:00:00     64 n1\n"
	_, err := logfile.OpenReader("q", strings.NewReader(long), workload.Options{})
	if want := "q:2: header: saw "; err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "want SUBMIT_TIME, START_TIME, CPUS too: squeue -a -r -o") {
		t.Errorf("squeue -l: %v, want %q", err, want)
	}
	for _, date := range []string{"Fri May 31 12:00:40 2024", "\nFri May 31 12:00:40 2024\r"} {
		l, jobs := readSqueue(t, date+"\n"+logtest.SqueueBars, "Europe/Zurich")
		// The jobs' own times show 12:00:31, which is 43231 s.
		if at, ok := l.Taken(); !ok || at != 43240 || len(jobs) != 6 {
			t.Errorf("taken at %g, %v with %d jobs, want 43240 with 6", at, ok, len(jobs))
		}
		for _, w := range l.Warnings() {
			if w.Rule != "held-jobs" {
				t.Errorf("warning %+v", w)
			}
		}
	}
	for text, want := range map[string]bool{
		"Thu May  2 10:00:00 2024\nJOBID ST\n": true,
		"Thu May 02 10:00:00 2024\nJOBID ST\n": true,
		"Thu May 30 10:00:00 2024\n":           false,
		"Thu May 30 10:00:00 2024\n1 2 3\n":    false,
	} {
		if slurm.IsSqueue([]byte(text)) != want {
			t.Errorf("%q: %v, want %v", text, !want, want)
		}
	}
}
