package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Jobs of 100 s that come every 10 s to one processor wait 90 s more each, 5,355 s on
// average; the log says 10 s, as long, a little less than twice as long, or more.
func TestSimulateUnlikeTheLog(t *testing.T) {
	for _, c := range []struct {
		wait func(i int) int
		said string
	}{
		{func(int) int { return 10 }, "the simulated mean wait is 535.5 times the log's, not between half and double"},
		{func(i int) int { return 90 * i }, ""},
		{func(i int) int { return 179 * i }, ""},
		{func(i int) int { return 181 * i }, "the simulated mean wait is 0.4972 times the log's"},
	} {
		text := "; MaxProcs: 1\n"
		for i := range 120 {
			text += fmt.Sprintf("%d %d %d 100 1 -1 -1 1 100 -1 1 1 1 1 1 -1 -1 -1\n", i+1, 10*i, c.wait(i))
		}
		got := loadstone(t, "", "simulate", writeLog(t, text))
		if !strings.Contains(got.out, c.said) || strings.Contains(got.out, "times the log's") != (c.said != "") || got.code != exitDone {
			t.Errorf("%s%s", got.out, got.err)
		}
		// The waits of another machine are no measure of the simulation.
		got = loadstone(t, "", "simulate", writeLog(t, text), "--procs", "2")
		if !strings.Contains(got.out, "\nlog: on its machine of 1 processor; compare") || strings.Contains(got.out, "times the log's") {
			t.Errorf("%s%s", got.out, got.err)
		}
	}
}

// The log's own waits: 0, 90, 80 and 80 s; responses 100, 140, 90 and 100 s;
// bounded slowdowns 1, 140/50, 90/10 and 100/20. On 64 processors nobody waits.
func TestSimulateShowsTheLogsOwnSchedule(t *testing.T) {
	var s evaluate.ScheduleResult
	decode(t, &s, "simulate", writeLog(t, tiny), "--procs", "64")
	l := s.InLog
	if l == nil || l.Jobs != 4 || s.Whole.Wait.Max != 0 {
		t.Fatalf("in the log %+v, simulated %+v", l, s.Whole)
	}
	for name, c := range map[string][2]float64{
		"mean wait":     {float64(l.Wait.Mean), 62.5},
		"mean response": {float64(l.Response.Mean), 107.5},
		"mean slowdown": {float64(l.BoundedSlowdown.Mean), (1 + 2.8 + 9 + 5) / 4},
		"waited":        {float64(l.WaitedPct), 75},
	} {
		if !near(stats.Number(c[0]), c[1]) {
			t.Errorf("%s is %g, want %g", name, c[0], c[1])
		}
	}
	some := strings.Replace(tiny, "2 10 90 ", "2 10 -1 ", 1)
	got := loadstone(t, "", "simulate", writeLog(t, some), "--procs", "64")
	// Of the three jobs whose wait it knows: 0, 80 and 80 s.
	if words := strings.Join(strings.Fields(got.out), " "); !strings.Contains(words, " log 3 53.33 s ") || !strings.Contains(words, " 66.7% ") {
		t.Errorf("want the log's waits in\n%s", got.out)
	}
	csv := loadstone(t, "", "simulate", writeLog(t, some), "--procs", "64", "--format", "csv")
	if !strings.Contains(csv.out, "\nsimulated,,4,64,") || !strings.Contains(csv.out, "\nlog,,3,,") {
		t.Errorf("the size of the machine in the log is unknown:\n%s", csv.out)
	}
	without := strings.NewReplacer("10 90 ", "10 -1 ", "0 0 100", "0 -1 100", " 80 ", " -1 ").Replace(tiny)
	if got := loadstone(t, "", "simulate", writeLog(t, without)); strings.Contains(got.out, "\nlog ") || got.code != exitDone {
		t.Errorf("a log without waits:\n%s%s", got.out, got.err)
	}
}

func TestSimulateFaults(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--policy", "priority"}, "--policy priority: want its queues"},
		{[]string{"--policy", "priority(queues=1,2,1)"}, "queues: queue numbers separated by commas, each once"},
		{[]string{"--policy", "easy", "--correct"}, "--correct true: want --estimates of a predictor"},
		{[]string{"--policy", "easy", "--classes", "site"}, "--classes is for predictors"},
		{[]string{"--estimates", "last2", "--classes", "shoe-size"}, `"shoe-size"`},
		{[]string{"--sites", "1"}, `"1": want all`},
		{[]string{"--sites", "1=0"}, `--sites "1=0"`},
		{[]string{"--sites", "1=4,1=5"}, `--sites "1=5"`},
		{[]string{"--sites", "all"}, "--sites all: want --procs with it"},
		{[]string{"--format", "swf", "-o", "x.swf"}, "use one of them"},
	} {
		got := loadstone(t, "", append([]string{"simulate", "a.swf"}, c.args...)...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, exitUsage, c.want)
		}
	}
	bare := strings.NewReplacer(" 4 200 ", " 4 -1 ", " 2 60 ", " 2 -1 ", " 2 10 -1", " 2 -1 -1", " 4 20 ", " 4 -1 ").Replace(tiny)
	got := loadstone(t, "", "simulate", writeLog(t, bare), "--policy", "easy")
	if got.code != exitFailed || got.out != "" || !strings.Contains(got.err, "policies that need none are fcfs and priority; --estimates perfect") {
		t.Errorf("no estimates: exit code %d, output %q, error %q", got.code, got.out, got.err)
	}
	if got := loadstone(t, "", "simulate", writeLog(t, bare), "--policy", "easy", "--estimates", "perfect"); got.code != exitDone {
		t.Errorf("perfect estimates: exit code %d, error %q", got.code, got.err)
	}
	if got := loadstone(t, "", "simulate", writeLog(t, tiny), "--estimates", "perfect"); !strings.Contains(got.err, "policy fcfs does not use estimates") {
		t.Errorf("estimates for FCFS: no warning in %q", got.err)
	}
}
