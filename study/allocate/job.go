package allocate

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/model"
)

// Job is a malleable job: one that can be given any number of processors when
// it starts, and keeps them. Its run time on n of them is Sequential / S(n),
// with S the speedup of model.DowneyS.
type Job struct {
	ID int64
	// Day is the day of the submission, counted from 0, and Offset the seconds
	// since that day began, at least 0. From one job to the next, Day must not
	// decrease, nor Offset within a day. The beginning of a day depends on the
	// schedule: see Machine.Night.
	Day    int
	Offset float64

	Sequential  float64 // L, the run time on one processor, in seconds, above 0
	Parallelism float64 // A, the average parallelism, at least 1
	Sigma       float64 // the variance of parallelism, at least 0
}

// maxDay bounds the days that a simulation passes through one by one.
const maxDay = 10_000_000

// maxSeconds is the longest time of a job, 30,000 years.
const maxSeconds = 1e12

// Validate returns an error for the first field that is out of range.
func (j *Job) Validate() error {
	fail := func(name string, saw float64, want string) error {
		return fmt.Errorf("job %d: %s is %g, want %s", j.ID, name, saw, want)
	}
	switch {
	case j.Day < 0 || j.Day > maxDay:
		return fail("day", float64(j.Day), fmt.Sprintf("0 to %d", maxDay))
	case !(j.Offset >= 0 && j.Offset <= maxSeconds):
		return fail("offset in the day", j.Offset, fmt.Sprintf("seconds from 0 to %g", maxSeconds))
	case !(j.Sequential > 0 && j.Sequential <= maxSeconds):
		return fail("sequential run time", j.Sequential, fmt.Sprintf("seconds above 0, at most %g", maxSeconds))
	case !(j.Parallelism >= 1) || math.IsInf(j.Parallelism, 1):
		return fail("average parallelism", j.Parallelism, "a number of 1 or more")
	case !(j.Sigma >= 0) || math.IsInf(j.Sigma, 1):
		return fail("sigma", j.Sigma, "a number of 0 or more")
	}
	return nil
}

// task is a job as a machine meets it.
type task struct {
	number                         int // of the job
	most                           int // processors at most
	sequential, parallelism, sigma float64
}

// task rounds the average parallelism up, as the most processors that the job is
// given and in its speedup: the rule that meets the paper's figures of AVG.
func (m Machine) task(j *Job) task {
	a := math.Ceil(j.Parallelism)
	return task{0, int(min(a, float64(m.Processors))), j.Sequential, a, j.Sigma}
}

// run is R(n), the run time on n processors in seconds.
func (t *task) run(n int) float64 {
	return t.sequential / model.DowneyS(float64(n), t.parallelism, t.sigma)
}
