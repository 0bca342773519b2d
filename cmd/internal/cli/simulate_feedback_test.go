package cli

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/stats"
)

// waiting is tiny, but job 3 waits for job 1, ended at 100, and thinks for 40 s, and
// job 4 waits for job 3 and thinks for 5 s. Job 2 runs from 100 to 150 on two
// processors, job 3 comes at 140 and runs beside it to 150, job 4 comes at 155 and
// ends at 175.
var waiting = strings.NewReplacer("3 20 80 10 2 -1 -1 2 10 -1 0 1 1 1 1 1 -1 -1", "3 20 80 10 2 -1 -1 2 10 -1 0 1 1 1 1 1 1 40",
	"4 30 80 20 4 -1 -1 4 20 -1 1 2 1 1 1 1 -1 -1", "4 30 80 20 4 -1 -1 4 20 -1 1 2 1 1 1 1 3 5").Replace(tiny)

func TestSimulateFeedbackByHand(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.swf")
	var s evaluate.ScheduleResult
	decode(t, &s, "-q", "simulate", writeLog(t, waiting), "--feedback", "-o", out)
	if f := s.Feedback; f == nil || f.Dependencies != "log" || f.Linked != 2 || f.Delayed != 2 || s.Whole.Throughput == nil {
		t.Fatalf("got %+v", f)
	}
	through := s.Whole.Throughput
	for _, c := range []struct {
		name string
		got  stats.Number
		want float64
	}{
		{"mean wait", s.Whole.Wait.Mean, 90.0 / 4},
		{"mean delay", s.Feedback.DelayMean, (120 + 125) / 2.0},
		{"longest delay", s.Feedback.DelayMax, 125},
		{"makespan", through.Makespan, 175},
		{"jobs a day", through.JobsPerDay, 4 * 86400 / 175.0},
		{"work a day", through.WorkPerDay, 600 * 86400 / 175.0},
	} {
		if math.Abs(float64(c.got)-c.want) > 1e-9*c.want {
			t.Errorf("%s is %g, want %g", c.name, c.got, c.want)
		}
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"\n3 140 0 10 2 ", "\n4 155 0 20 4 ", " 1 40\n", " 3 5\n",
		`; Note: submission and wait times are simulated: policy fcfs on 4 processors, feedback; the submission times before that are those of "tiny.swf", by job number`} {
		if !strings.Contains(string(text), line) {
			t.Errorf("want %q in\n%s", line, text)
		}
	}
	got := loadstone(t, "", "simulate", writeLog(t, waiting), "--feedback")
	for _, line := range []string{"\nthroughput: 1975 jobs and 82.29 processor hours a day, makespan 2.917 min\n",
		"\nfeedback: 2 jobs have a preceding job, by the log; 2 submitted later than in the log, by 2.042 min on average and 2.083 min at most\n"} {
		if !strings.Contains(got.out, line) {
			t.Errorf("want %q in\n%s", line, got.out)
		}
	}
	if open := loadstone(t, "", "simulate", writeLog(t, waiting)); strings.Contains(open.out, "feedback") || !strings.Contains(open.out, "  75.0%") {
		t.Errorf("without --feedback:\n%s", open.out)
	}
}

// Dependencies are those of the users where the log has none. On the eight
// processors of the log user 1's job 2 ended at 10, and job 3 came 5 s later. On
// four it waits for job 1 until 90 and ends at 100: job 3 comes at 105.
func TestSimulateFeedbackOfUsers(t *testing.T) {
	log := "; MaxProcs: 8\n" +
		"1 0 0 90 4 -1 -1 4 90 -1 1 2 1 1 1 1 -1 -1\n2 0 0 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n3 15 0 7 4 -1 -1 4 7 -1 1 1 1 1 1 1 -1 -1\n"
	var s evaluate.ScheduleResult
	decode(t, &s, "-q", "simulate", writeLog(t, log), "--procs", "4", "--feedback")
	if f := s.Feedback; f == nil || f.Dependencies != "users" || f.Linked != 1 || f.Delayed != 1 || f.DelayMax != 90 || s.Whole.Last != 112 {
		t.Errorf("got %+v, last end %g", f, s.Whole.Last)
	}
	// In tiny nobody's job has ended when the next one comes.
	var none evaluate.ScheduleResult
	decode(t, &none, "-q", "simulate", writeLog(t, tiny), "--feedback")
	if f := none.Feedback; f == nil || f.Linked != 0 || !math.IsNaN(float64(f.DelayMean)) || len(none.Warnings) == 0 || none.Warnings[0].Rule != "no-dependencies" {
		t.Errorf("got %+v, warnings %v", f, none.Warnings)
	}
}

// The waits of a real log whose users wait for their jobs, under EASY with perfect
// estimates, are those of an independent program: mean 4,465 s, 90 % 13,118 s, mean
// bounded slowdown 40.0. (Open it has 6,361 s, and this simulator 6,359 s: they break
// ties in another way.)
func TestSimulateFeedbackOfALog(t *testing.T) {
	var s evaluate.ScheduleResult
	decode(t, &s, "-q", "simulate", reallogs.Path(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz"), "--policy", "easy", "--estimates", "perfect", "--feedback")
	w := s.Whole
	if math.Abs(float64(w.Wait.Mean)/4465-1) > .001 || math.Abs(float64(w.Wait.Q90)/13118-1) > .001 || math.Abs(float64(w.BoundedSlowdown.Mean)/40-1) > .005 {
		t.Errorf("mean wait %g s, 90 %% %g s, slowdown %g, want 4465, 13118 and 40.0", w.Wait.Mean, w.Wait.Q90, w.BoundedSlowdown.Mean)
	}
}
