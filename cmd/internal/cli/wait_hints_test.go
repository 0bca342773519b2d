package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/live/forecast"
)

// slurmWait asks about the listings of one cluster at one moment.
func slurmWait(t *testing.T, args ...string) outcome {
	t.Helper()
	state, past := reallogs.Path(t, "slurm-json/squeue-all-22.05.txt"), reallogs.Path(t, "slurm-json/sacct-22.05.json")
	return loadstone(t, "", append([]string{"wait", state, past, "--procs", "64", "--time", "1:00:00"}, args...)...)
}

// Where nothing is recommended, the lines below the table say why, and what is needed. 59 is
// the least n with 0.95^n <= 0.05.
func TestWaitSaysWhyNothingIsRecommended(t *testing.T) {
	state, past := writeFile(t, "state.swf", nowState1), writeFile(t, "past.swf", nowPast())
	few := nowPast()
	few = few[:strings.Index(few, "121 ")] // 20 of the 60
	args := []string{"-q", "wait", state, "--at", "200", "--size", "4", "--time", "500", "--policy", "fcfs", "--predictors", "bmbp,drawn", "--procs", "10"}
	for _, c := range []struct {
		history string
		more    []string
		want    []string
	}{
		{writeFile(t, "few.swf", few), nil, []string{
			"\nNo predictor is recommended: the history has 19 past jobs to judge predictors on; at least 50 are needed.\n",
			"\nA 95% bound from past waits needs at least 59 of them, for a confidence of 95%.\n"}},
		{past, []string{"--judged", "20"}, []string{"\nNo predictor is recommended: predictors were judged on 20 past jobs only; at least 50 are needed (--judged).\n"}},
	} {
		got := loadstone(t, "", append(append(args, c.history), c.more...)...)
		for _, want := range c.want {
			if got.code != exitDone || !strings.Contains(got.out, want) {
				t.Errorf("%v: exit %d %s, no %q in\n%s", c.more, got.code, got.err, want, got.out)
			}
		}
	}
	// 60 jobs have no 95% bound but for the last ones; with 300 there is a recommendation.
	got := loadstone(t, "", append(args, past)...)
	if want := "\nNo predictor is recommended: none has a 95% bound for this request and had one for at least half of the past jobs.\n"; !strings.Contains(got.out, want) {
		t.Errorf("no %q in\n%s", want, got.out)
	}
	many := "; MaxProcs: 10\n"
	for i := range 300 {
		many += fmt.Sprintf("%d %d %d 1 1 -1 -1 1 100 -1 1 2 1 1 1 1 -1 -1\n", 100+i, i/2, 1+i%40)
	}
	if got := loadstone(t, "", append(args, writeFile(t, "many.swf", many))...); got.code != exitDone || strings.Contains(got.out, "No predictor") || strings.Contains(got.out, "needs at least") {
		t.Errorf("exit %d %s\n%s", got.code, got.err, got.out)
	}
	// If no past job had a bound, a line explains the column of dashes.
	got = slurmWait(t, "-q", "--size", "1")
	if want := "\ncovered: unknown, as no predictor had a 95% bound for any of "; got.code != exitDone || !strings.Contains(got.out, want) {
		t.Errorf("exit %d %s, no %q in\n%s", got.code, got.err, want, got.out)
	}
}

// A state read in another zone than its history lies before all of it.
func TestWaitWarnsOfAnotherZone(t *testing.T) {
	const want = "submitted after the state (2026-11-22 14:46:24 JST)"
	got := slurmWait(t, "--size", "4", "--timezone", "Asia/Tokyo")
	if got.code != exitDone || !strings.Contains(got.err, want) || !strings.Contains(got.err, "--timezone") || !strings.Contains(got.err, "the first at 2026-11-2") {
		t.Errorf("exit %d, no %q in %s", got.code, want, got.err)
	}
	// What is left is one wait of the state. 5 is the least n with 0.5^n <= 0.05.
	if want := "no bmbp: 1 past wait in group \"all\": too few for a bound, which needs at least 5\n"; !strings.Contains(got.out, want) {
		t.Errorf("no %q in\n%s", want, got.out)
	}
	if got := slurmWait(t, "--size", "4", "--timezone", "UTC"); strings.Contains(got.err, "after the state") {
		t.Error(got.err)
	}
}

// A range ends at the machine's size, with a note; a size that was typed does not fit.
func TestWaitRangeEndsAtTheMachine(t *testing.T) {
	state := writeFile(t, "state.swf", nowState1) // on 10 processors
	args := []string{"wait", state, "--at", "200", "--time", "60", "--predictors", "estimates", "--size"}
	got := loadstone(t, "", append(args, "1-64,3")...)
	if want := "--size 1-64: the machine has 10 processors, where the range ends\n"; got.code != exitDone || !strings.Contains(got.err, want) {
		t.Errorf("exit %d, no %q in %s", got.code, want, got.err)
	}
	var answer forecast.Answer
	decode(t, &answer, append(append([]string{"-q"}, args...), "1-64,3")...)
	if got, want := answer.Request.Processors, []int64{1, 2, 4, 8, 10, 3}; len(got) != len(want) || got[4] != 10 || got[5] != 3 {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, sizes := range []string{"16", "1-4,16", "11-64"} {
		if got := loadstone(t, "", append(args, sizes)...); got.code != exitFailed || !strings.Contains(got.err, "the machine has 10 processors") {
			t.Errorf("%s: exit %d, %s", sizes, got.code, got.err)
		}
	}
}

// all stands for every predictor that can be asked, or scored.
func TestAllWaitPredictors(t *testing.T) {
	state, past := writeFile(t, "state.swf", nowState1), writeFile(t, "past.swf", nowPast())
	wait := []string{"-q", "wait", state, past, "--at", "200", "--size", "4", "--time", "500"}
	usual := loadstone(t, "", wait...)
	if got := loadstone(t, "", append(wait, "--predictors", "all")...); got.code != exitDone || got.out != usual.out {
		t.Errorf("wait: exit %d %s\n%s\nwant\n%s", got.code, got.err, got.out, usual.out)
	}
	for _, c := range []struct {
		args []string
		want []string
		not  string
	}{
		{nil, []string{"downey-a ", "bmbp ", "bmbp-authors ", "qbets "}, "drawn"},
		{[]string{"--sample", "5"}, []string{"bmbp-authors ", "drawn "}, ""},
	} {
		got := loadstone(t, "", append([]string{"-q", "predict", past, "--predictors", "all"}, c.args...)...)
		if got.code != exitDone || c.not != "" && strings.Contains(got.out, c.not) {
			t.Errorf("predict %v: exit %d %s\n%s", c.args, got.code, got.err, got.out)
		}
		for _, want := range c.want {
			if !strings.Contains(got.out, want) {
				t.Errorf("predict %v: no %q in\n%s", c.args, want, got.out)
			}
		}
	}
	if got := loadstone(t, "", append(wait, "--predictors", "all,bmbp")...); got.code != exitUsage || !strings.Contains(got.err, "all") {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
}
