//go:build long

package sched

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// What docs/findings/waits.md says of the two logs whose waits are another EASY's.
// The plain EASY with our rules gives our schedule of them. If jobs start after
// each finish instead of after all of an instant, nearly all of SDSC's waits are
// the other program's, and the mean of CTC's is near its own. If a job may not
// end exactly when the head can start, fewer are.
func TestFindingTies(t *testing.T) {
	for _, c := range []struct {
		log          string
		processors   int64
		ours, each   float64 // % of jobs with the other program's wait, at least
		strict       float64 // at most
		mean, within float64 // % between the means, with each
	}{
		{"CTC-SP2-1996.simulated-waits.swf.gz", 338, 79.5, 70, 72, 14273, 0.5},
		{"SDSC-SP2-1998.simulated-waits.swf.gz", 128, 95, 99.5, 85, 20498, 0.05},
	} {
		jobs := jobtest.InOrder(t, c.log)
		slices.SortStableFunc(jobs, func(a, b workload.Job) int {
			return cmp.Or(cmp.Compare(a.Submit, b.Submit), cmp.Compare(a.ID, b.ID))
		})
		alike := func(name string, rules tieRules) (same, mean float64) {
			at := plainEASY(jobs, c.processors, rules)
			if rules == (tieRules{}) && !slices.Equal(at, starts(t, jobs, Config{Processors: c.processors, Policy: EASY{}}, nil)) {
				t.Errorf("%s: another schedule by our rules", c.log)
			}
			for i, j := range jobs {
				if at[i] == j.Submit+j.Wait {
					same++
				}
				mean += at[i] - j.Submit
			}
			same, mean = 100*same/float64(len(jobs)), mean/float64(len(jobs))
			t.Logf("%s, %s: %.1f %% of the jobs agree, mean wait %.0f s (%+.2f %%)", c.log, name, same, mean, 100*(mean/c.mean-1))
			return same, mean
		}
		if same, _ := alike("our rules", tieRules{}); same < c.ours {
			t.Errorf("%s: %.1f %% agree with our rules, want %g", c.log, same, c.ours)
		}
		same, mean := alike("after each finish", tieRules{each: true})
		if same < c.each || 100*math.Abs(mean/c.mean-1) > c.within {
			t.Errorf("%s, after each finish: %.1f %% agree, mean %.0f s; want %g %% and %g s within %g %%", c.log, same, mean, c.each, c.mean, c.within)
		}
		if same, _ := alike("not ending with the head's start", tieRules{strict: true}); same > c.strict {
			t.Errorf("%s: %.1f %% agree where a job may not end exactly when the head starts, want at most %g", c.log, same, c.strict)
		}
	}
}
