package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
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
	// No bound could be made for any past job: a column of dashes is said to be that.
	got = slurmWait(t, "-q", "--size", "1")
	if want := "\ncovered: unknown, as no predictor had a 95% bound for any of "; got.code != exitDone || !strings.Contains(got.out, want) {
		t.Errorf("exit %d %s, no %q in\n%s", got.code, got.err, want, got.out)
	}
}
