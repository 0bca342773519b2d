package resample

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/workload"
)

func edited(jobs []workload.Job, edit func(i int, j *workload.Job)) []workload.Job {
	jobs = slices.Clone(jobs)
	for i := range jobs {
		edit(i, &jobs[i])
	}
	return jobs
}

// What is made of logs that lack what a twin rests on.
func TestOddLogs(t *testing.T) {
	whole := madeUp(40, 40, 10)
	instant := edited(whole[:50], func(_ int, j *workload.Job) { j.Submit = 5 })
	for _, c := range []struct {
		name string
		jobs []workload.Job
		rule string // the warning that tells of it
	}{
		{"no users", edited(whole, func(_ int, j *workload.Job) { j.User = workload.Unknown }), "no-user"},
		{"some users", edited(whole, func(i int, j *workload.Job) {
			if i%3 == 0 {
				j.User = workload.Unknown
			}
		}), "no-user"},
		{"one user", edited(whole, func(_ int, j *workload.Job) { j.User = 1 }), "one-user"},
		{"a user a job", edited(whole, func(i int, j *workload.Job) { j.User = int64(i) }), ""},
		{"ten days", madeUp(20, 2, 4), "short-log"},
		{"a day", whole[:20], ""},
		{"one job", whole[:1], "short-log"},
		{"one instant", instant, "short-log"},
		{"no sizes", edited(whole, func(_ int, j *workload.Job) { j.Size = workload.Unknown }), "no-work"},
		{"no waits", edited(whole, func(_ int, j *workload.Job) { j.Wait = math.NaN() }), "no-waits"},
		{"huge run times", edited(whole, func(_ int, j *workload.Job) { j.Run = 1e308 }), "no-work"},
		{"odd run times", edited(whole, func(i int, j *workload.Job) { j.Run = []float64{-1, math.NaN(), math.Inf(1), 100}[i%4] }), ""},
		{"no submission times", edited(whole, func(i int, j *workload.Job) {
			if i > 0 {
				j.Submit = math.NaN()
			}
		}), "no-submit-time"},
		{"a clock that jumps", edited(whole, func(i int, j *workload.Job) {
			if i > 200 {
				j.Submit -= 20 * week
			}
		}), ""},
		{"far apart", edited(whole[:2], func(i int, j *workload.Job) { j.Submit = float64(i) * 1e11 }), ""},
		{"before its start", edited(whole, func(_ int, j *workload.Job) { j.Submit -= 1e8 }), ""},
	} {
		for _, o := range []Options{{Seed: 1}, {Seed: 1, Jobs: 3000}, {Seed: 1, Days: 3, UsersFactor: 2.2}, {Seed: 1, UsersFactor: .3}} {
			made, w := twin(t, c.jobs, zurich(), o)
			if o.Jobs > 0 && int64(len(made)) != o.Jobs {
				t.Errorf("%s, %+v: %d jobs", c.name, o, len(made))
			}
			last := math.Inf(-1)
			for i := range made {
				if !(made[i].Submit >= last) {
					t.Fatalf("%s, %+v: job %d is submitted at %g, after one of %g", c.name, o, made[i].ID, made[i].Submit, last)
				}
				last = made[i].Submit
			}
			if c.rule != "" && rules(w)[c.rule] == 0 {
				t.Errorf("%s: warnings %v, want %s", c.name, rules(w), c.rule)
			}
		}
	}
}

// A submission thousands of years from the others, a slip of the log, would have a
// lap of as many weeks.
func TestTooLong(t *testing.T) {
	for _, far := range []float64{2 * extent.MaxDays * day, -1e300, math.MaxFloat64} {
		for _, at := range []int{0, 99} { // where it is known from the first job, or from the last
			jobs := edited(madeUp(10, 30, 4)[:100], func(i int, j *workload.Job) {
				if j.ID = int64(i + 1); i == at {
					j.Submit = far
				}
			})
			w, err := New(context.Background(), workload.JobsOf(jobs), zurich(), Options{})
			if err == nil {
				w.Close()
				t.Errorf("job %d submitted at %g s: no error", at+1, far)
			} else if want := fmt.Sprintf("job %d", at+1); !strings.Contains(err.Error(), want) {
				t.Errorf("job %d submitted at %g s: %v, want %q in it", at+1, far, err, want)
			}
		}
	}
}

// A load so low that no job fits is told, not waited for.
func TestTooLow(t *testing.T) {
	w, err := New(context.Background(), workload.JobsOf(madeUp(10, 30, 4)), zurich(), Options{Jobs: 10, UsersFactor: 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, err := range w.Jobs(context.Background()) {
		if !errors.Is(err, errEmpty) {
			t.Error(err)
		}
	}
}
