package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/score"
)

// A log that was generated from the model beside it, with the same seed, has the same jobs.
func TestCompareSameJobs(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.swf")
	if got := loadstone(t, "", "-q", "generate", "--model", "lublin1999-batch", "--jobs", "300", "-o", log); got.code != exitDone {
		t.Fatal(got.err)
	}
	drawn := "; the jobs of lublin1999-batch were drawn with seed 1, as those of log.swf were: --seed N draws others"
	for _, c := range []struct {
		args []string
		want string // "" for no warning
	}{
		{[]string{log, "lublin1999-batch", "--jobs", "300"}, "log.swf and lublin1999-batch have the same jobs: all distances are 0" + drawn},
		{[]string{"lublin1999-batch", log, "--jobs", "300"}, "lublin1999-batch and log.swf have the same jobs: all distances are 0" + drawn},
		{[]string{log, log}, " have the same jobs: all distances are 0 (same-jobs)\n"},
		{[]string{log, "lublin1999-batch", "--jobs", "300", "--seed", "2"}, ""},
		{[]string{log, "lublin1999-batch", "--jobs", "301"}, ""},
	} {
		got := loadstone(t, "", append([]string{"compare"}, c.args...)...)
		if got.code != exitDone || !strings.Contains(got.err, c.want) || c.want == "" && strings.Contains(got.err, "the same jobs") {
			t.Errorf("%v: exit %d, no %q in %s", c.args, got.code, c.want, got.err)
		}
	}
}

// A model of users draws the time of its log unless --jobs says how many jobs.
func TestCompareDrawsTheTimeOfTheUsersLog(t *testing.T) {
	dir := t.TempDir()
	log, model := filepath.Join(dir, "log.swf"), filepath.Join(dir, "users.json")
	for _, args := range [][]string{
		{"generate", "--model", "demo", "--days", "28", "--load", "0.3", "-o", log},
		{"fit", log, "--form", "users", "-o", model},
	} {
		if got := loadstone(t, "", append([]string{"-q"}, args...)...); got.code != exitDone {
			t.Fatal(got.err)
		}
	}
	var d score.Compared
	decode(t, &d, "-q", "compare", log, model)
	if a, b := d.Workloads[0], d.Workloads[1]; float64(b.Months) < 0.8*float64(a.Months) || float64(b.Months) > 1.2*float64(a.Months) {
		t.Errorf("%g months beside %g", float64(b.Months), float64(a.Months))
	}
	decode(t, &d, "-q", "compare", log, model, "--jobs", "500")
	if d.Workloads[1].Jobs != 500 {
		t.Errorf("%d jobs, want 500", d.Workloads[1].Jobs)
	}
}
