package slurm_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func readSqueue(t *testing.T, text, zone string) (*workload.Log, []workload.Job) {
	t.Helper()
	l, err := logfile.OpenReader("q", strings.NewReader(text), workload.Options{TimeZone: zone})
	if err != nil {
		t.Fatal(err)
	}
	if l.Format != "squeue" {
		t.Fatalf("format %s", l.Format)
	}
	jobs := jobtest.Collect(t, l.Jobs())
	return l, jobs
}

// Midnight of 31 May 2024 in Zurich, two hours ahead of UTC: 1717106400 =
// date -d '2024-05-31T00:00+02:00' +%s. Seconds count from there.
func TestSqueue(t *testing.T) {
	l, jobs := readSqueue(t, logtest.SqueueBars, "Europe/Zurich")
	if got := l.Header.Get("UnixStartTime"); got != "1717106400" {
		t.Errorf("second 0 is %s", got)
	}
	nan := math.NaN()
	for i, want := range []struct {
		id                       int64
		submit, wait, run, limit float64
		size, status             int64
		line                     int64
	}{
		{101, 36000, 30, nan, 86400, 64, workload.Unknown, 2},
		{102, 32400, 7200, nan, nan, 1024, workload.Unknown, 3},
		{103, 41400, nan, nan, 1800, 8, workload.Unknown, 4},
		{103, 41400, nan, nan, nan, 8, workload.Unknown, 5},
		{105, 43140, 60, nan, 60, 4, workload.Unknown, 7},
		{106, 39600, 600, 1200, 3600, 4, workload.StatusCompleted, 8},
	} {
		j := jobs[i]
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if j.ID != want.id || j.Submit != want.submit || !same(j.Wait, want.wait) || !same(j.Run, want.run) || !same(j.Time, want.limit) ||
			j.Size != want.size || j.Status != want.status || l.Line(int64(i)) != want.line {
			t.Errorf("job %d in line %d: %+v, want %+v", i+1, l.Line(int64(i)), j, want)
		}
	}
	if len(jobs) != 6 {
		t.Errorf("%d jobs, want 6: the held one is left out", len(jobs))
	}
	// Jobs 101 and 102 show 12:00:30 and 12:00:31.
	if at, ok := l.Taken(); !ok || at != 43231 {
		t.Errorf("taken at %g, %v, want 43231", at, ok)
	}
	if names := l.Header.Names("Queue"); names[1] != "normal" || len(names) != 1 {
		t.Errorf("queues %v", names)
	}
	if names := l.Header.Names("Partition"); names[jobs[2].Partition] != "long" {
		t.Errorf("partitions %v", names)
	}
	rules := map[string]int64{}
	for _, w := range l.Warnings() {
		rules[w.Rule] = w.Count
	}
	if len(rules) != 1 || rules["held-jobs"] != 1 {
		t.Errorf("warnings %v", rules)
	}
}

func TestSqueueForms(t *testing.T) {
	blanks := `              JOBID     USER ST         SUBMIT_TIME          START_TIME  CPUS NODELIST(REASON)
                  7    alice  R 2024-05-31T10:00:00 2024-05-31T10:00:30    64 node[1-4]
          8_[0-9%2]    alice PD 2024-05-31T10:00:01                 N/A     4 (Nodes required for job are DOWN)
`
	l, jobs := readSqueue(t, blanks, "")
	if len(jobs) != 3 || jobs[0].Wait != 30 || jobs[1].Size != 4 || !math.IsNaN(jobs[1].Wait) || jobs[2].Size != 4 {
		t.Errorf("blanks: %+v", jobs)
	}
	var rules []string
	for _, w := range l.Warnings() {
		rules = append(rules, fmt.Sprint(w.Rule, " ", w.Count, " ", w.Saw))
	}
	if strings.Join(rules, "; ") != "no-time-zone 1 ; held-jobs 8 JobArrayTaskLimit 8" {
		t.Errorf("warnings %v", l.Warnings())
	}
	tabs := strings.ReplaceAll(strings.ReplaceAll(logtest.SqueueBars, "\n", "\r\n"), "|", " \t ")
	if _, jobs := readSqueue(t, "\xef\xbb\xbf"+tabs+strings.SplitN(tabs, "\n", 2)[0]+"\n\n", "UTC"); len(jobs) != 6 || jobs[0].Size != 64 {
		t.Errorf("tabs: %d jobs", len(jobs))
	}
}

func TestSqueueFaults(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(logtest.SqueueBars, old, new, 1) }
	for _, c := range []struct{ name, text, want string }{
		{"a column missing", "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n1 a b c R 1:00 1 n1\n", `q:1: header: saw "JOBID PARTITION NAME USER ST TIME NODES "... (56 bytes), want SUBMIT_TIME, START_TIME, CPUS too: squeue -a -r -o`},
		{"twice", change("105|", "101|"), "q:7: JOBID: saw 101, which is in line 2 too, want each job once"},
		{"a step", change("101|", "101.batch|"), `q:2: JOBID: saw "101.batch"`},
		{"a queued job that has run", change("|N/A|0:00|30:00|", "|N/A|4:00|30:00|"), `q:4: TIME: saw "4:00", want 0:00, of a job that is PENDING`},
		{"a running job that has not started", change("|2024-05-31T10:00:30|", "|N/A|"), `q:2: START_TIME: saw "N/A", want a time, of a job that is RUNNING`},
		{"no submission", change("|2024-05-31T10:00:00|", "|N/A|"), `q:2: SUBMIT_TIME: saw "N/A"`},
		{"not a state", change("|RUNNING|", "|WALKING|"), `q:2: STATE: saw "WALKING"`},
		{"no processors", change("|64|", "|0|"), `q:2: CPUS: saw "0", want a number of processors`},
		{"not a length", change("|2:00:00|", "|two hours|"), `q:2: TIME: saw "two hours"`},
		{"not a limit", change("|30:00|", "|soon|"), `q:4: TIME_LIMIT: saw "soon"`},
		{"not a time", change("2024-05-31T10:00:30", "10:00"), `q:2: START_TIME: saw "10:00"`},
		{"a bar in a state", change("|RUNNING|", "|RUN|NING|"), "q:2: saw 14 columns, want 13 columns"},
		{"a column less", change("|64|", "|"), "q:2: saw 12 columns, want 13 columns"},
		{"binary", logtest.SqueueBars + "1|\x00", "q:9: "},
		{"a long line", logtest.SqueueBars + strings.Repeat("x", parse.MaxLine+1), "q:9: "},
	} {
		l, err := logfile.OpenReader("q", strings.NewReader(c.text), workload.Options{})
		if err == nil { // one job of eight
			for _, w := range l.Warnings() {
				if w.Rule == "unreadable-jobs" && w.Count == 1 {
					err = errors.New(w.Saw)
				}
			}
			l.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := logfile.OpenReader("q", strings.NewReader(logtest.SqueueBars), workload.Options{TimeZone: "Mars/Olympus"}); err == nil {
		t.Error("an unknown zone: no error")
	}
}

// A sacct log says the moment at which it was taken, by how long its running
// jobs have run.
func TestSacctTaken(t *testing.T) {
	text := "JobID|State|Submit|Start|End|ElapsedRaw|Suspended|NCPUS\n" +
		"1|COMPLETED|2024-05-31T10:00:00|2024-05-31T10:00:10|2024-05-31T10:00:20|10|00:00:00|4\n" +
		"2|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:10|Unknown|50|00:00:00|4\n" +
		"3|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:00|Unknown|40|00:00:19|4\n" +
		"4|PENDING|2024-05-31T10:00:30|Unknown|Unknown|0|00:00:00|4\n"
	l, err := logfile.OpenReader("s", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range l.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
	}
	if at, ok := l.Taken(); !ok || at != 36060 {
		t.Errorf("taken at %g, %v, want 36060: 10:00:10 and 50 s", at, ok)
	}
	ended, _ := logfile.OpenReader("s", strings.NewReader(strings.SplitAfter(text, "\n")[0]+strings.SplitAfter(text, "\n")[1]), workload.Options{TimeZone: "UTC"})
	for range ended.Jobs() {
	}
	if at, ok := ended.Taken(); ok {
		t.Errorf("without a running job, taken at %g", at)
	}
}
