package resample

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

func edited(jobs []workload.Job, edit func(i int, j *workload.Job)) []workload.Job {
	jobs = slices.Clone(jobs)
	for i := range jobs {
		edit(i, &jobs[i])
	}
	return jobs
}

// Twins of logs that lack data on which a twin is based. Each row has a name, the maximum number of
// jobs of the log, a column, the values that it gets in turn from job to job, and the resulting
// warning. In a value + adds to the job's own value, and # is the job's row.
func TestOddLogs(t *testing.T) {
	const cases = `no users | 99999 | user | ? | no-user
some users | 99999 | user | ? 1 2 | no-user
one user | 99999 | user | 1 | one-user
a user a job | 99999 | user | # |
ten days | 11 | submit | 0 86400 172800 259200 345600 432000 518400 604800 691200 777600 864000 | short-log
a day | 20 | user | 1 2 3 |
one job | 1 | user | 1 | short-log
one instant | 50 | submit | 5 | short-log
no sizes | 99999 | size | ? | no-work
no waits | 99999 | wait | NaN | no-waits
huge run times | 99999 | run | 1e308 | no-work
odd run times | 99999 | run | -1 NaN Inf 100 |
no submission times | 6 | submit | 0 NaN NaN NaN NaN NaN | no-submit-time
a clock that jumps | 99999 | submit | +0 +0 +-1.2e7 |
far apart | 2 | submit | 0 1e11 |
before its start | 99999 | submit | +-1e8 |`
	whole := madeUp(40, 40, 10)
	for _, c := range longtest.Rows(cases) {
		name, rule := c[0], c[4]
		most, _ := strconv.Atoi(c[1])
		column, values := workload.FindColumn(c[2]), strings.Fields(c[3])
		jobs := edited(whole[:min(most, len(whole))], func(i int, j *workload.Job) {
			value, added := strings.CutPrefix(values[i%len(values)], "+")
			x, _ := strconv.ParseFloat(value, 64)
			switch {
			case value == "#":
				column.SetInt(j, int64(i))
			case value == "?":
				column.SetInt(j, workload.Unknown)
			case !column.Float():
				column.SetInt(j, int64(x))
			case added:
				column.SetNumber(j, column.Number(j)+x)
			default:
				column.SetNumber(j, x)
			}
		})
		for _, o := range []Options{{Seed: 1}, {Seed: 1, Jobs: 3000}, {Seed: 1, Days: 3, UsersFactor: 2.2}, {Seed: 1, UsersFactor: .3}} {
			made, w := twin(t, jobs, zurich(), o)
			if o.Jobs > 0 && int64(len(made)) != o.Jobs {
				t.Errorf("%s, %+v: %d jobs", name, o, len(made))
			}
			last := math.Inf(-1)
			for i := range made {
				if !(made[i].Submit >= last) {
					t.Fatalf("%s, %+v: job %d is submitted at %g, after one of %g", name, o, made[i].ID, made[i].Submit, last)
				}
				last = made[i].Submit
			}
			if rule != "" && rules(w)[rule] == 0 {
				t.Errorf("%s: warnings %v, want %s", name, rules(w), rule)
			}
		}
	}
}

// A submission thousands of years after the others, by an error in the log, would require a lap of
// as many weeks.
func TestTooLong(t *testing.T) {
	for _, far := range []float64{2 * extent.MaxDays * day, -1e300, math.MaxFloat64} {
		for _, at := range []int{0, 99} { // known from the first job, or from the last
			jobs := edited(madeUp(10, 30, 4)[:100], func(i int, j *workload.Job) {
				if j.ID = int64(i + 1); i == at {
					j.Submit = far
				}
			})
			_, err := New(context.Background(), workload.JobsOf(jobs), zurich(), Options{})
			if err == nil {
				t.Errorf("job %d submitted at %g s: no error", at+1, far)
			} else if want := fmt.Sprintf("job %d", at+1); !strings.Contains(err.Error(), want) {
				t.Errorf("job %d submitted at %g s: %v, want %q in it", at+1, far, err, want)
			}
		}
	}
}

// A load so low that no job fits is an error, not an endless loop.
func TestTooLow(t *testing.T) {
	w, err := New(context.Background(), workload.JobsOf(madeUp(10, 30, 4)), zurich(), Options{Jobs: 10, UsersFactor: 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range w.Jobs(context.Background()) {
		if !errors.Is(err, errEmpty) {
			t.Error(err)
		}
	}
}
