package reshape

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// A sample is of single jobs or of whole classes: users, as a rule, because a
// user's jobs resemble one another and come in sessions, which a sample of
// single jobs takes apart. Jobs stay in the log's order and as they are; a
// sample is drawn without replacement. One random number is drawn for each job
// or class, in the log's order, so that the same seed gives the same sample.

// SampleFraction keeps each job with probability p, from 0 to 1.
func SampleFraction(jobs workload.JobSeq, p float64, rng *rand.Rand) workload.JobSeq {
	return sift(jobs, func(*workload.Job) bool { return rng.Float64() < p })
}

// SampleJobs keeps n of the total jobs of a log, each choice of n as likely as
// any other; all where n is total or more. It holds no job: each is kept with
// the probability (jobs still wanted) / (jobs still to come). That is Fan,
// Muller and Rezucha (1962), "Development of sampling plans by using
// sequential (item by item) selection techniques": a reservoir's law in the
// memory of a counter, for which the total has to be known.
func SampleJobs(jobs workload.JobSeq, n, total int64, rng *rand.Rand) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		want, left := min(n, total), total
		pick := func(*workload.Job) bool {
			if left <= 0 {
				return false
			}
			chosen := rng.Int64N(left) < want
			if left--; chosen {
				want--
			}
			return chosen
		}
		for j, err := range sift(jobs, pick) {
			if !yield(j, err) || err != nil {
				return
			}
		}
		if left != 0 {
			yield(workload.Job{}, ErrChanged)
		}
	}
}

// Classes are how many jobs each value of an identifier column has. Use
// NewClasses.
type Classes struct {
	Column  int
	Jobs    map[int64]int64
	Unknown int64 // jobs of which the value is not known, and which have no class
}

// NewClasses returns an empty count of an identifier column's values.
func NewClasses(column int) *Classes {
	return &Classes{Column: column, Jobs: map[int64]int64{}}
}

// Add counts a job.
func (c *Classes) Add(j *workload.Job) {
	if n := *workload.ColumnAt(c.Column).IntIn(j); n != workload.Unknown {
		c.Jobs[n]++
	} else {
		c.Unknown++
	}
}

// shuffled are the values in a random order, which is that of the draws alone.
func (c *Classes) shuffled(rng *rand.Rand) []int64 {
	values := make([]int64, 0, len(c.Jobs))
	for v := range c.Jobs {
		values = append(values, v)
	}
	slices.Sort(values)
	rng.Shuffle(len(values), func(i, k int) { values[i], values[k] = values[k], values[i] })
	return values
}

// Choice is the classes of a column that are kept, and how many jobs they have.
type Choice struct {
	Column int
	Values map[int64]bool
	Jobs   int64
}

// ChooseFraction keeps each class with probability p: so a share p of the jobs
// is expected, but a large class makes the true share vary.
func (c *Classes) ChooseFraction(p float64, rng *rand.Rand) Choice {
	out := Choice{c.Column, map[int64]bool{}, 0}
	for _, v := range c.shuffled(rng) {
		if rng.Float64() < p {
			out.Values[v] = true
			out.Jobs += c.Jobs[v]
		}
	}
	return out
}

// ChooseJobs takes classes in random order until they have n jobs: the last
// one stays out if that comes nearer to n, but one class is always taken.
func (c *Classes) ChooseJobs(n int64, rng *rand.Rand) Choice {
	out := Choice{c.Column, map[int64]bool{}, 0}
	for _, v := range c.shuffled(rng) {
		more := out.Jobs + c.Jobs[v]
		if out.Jobs > 0 && more-n > n-out.Jobs {
			break
		}
		out.Values[v] = true
		if out.Jobs = more; more >= n {
			break
		}
	}
	return out
}

// SampleClasses keeps the jobs of the classes chosen.
func SampleClasses(jobs workload.JobSeq, c Choice) workload.JobSeq {
	return sift(jobs, func(j *workload.Job) bool {
		n := *workload.ColumnAt(c.Column).IntIn(j)
		return n != workload.Unknown && c.Values[n]
	})
}

// sift passes on the jobs for which the function is true. That none is left is
// an error, because no format's reader takes a log without jobs.
func sift(jobs workload.JobSeq, which func(*workload.Job) bool) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		var read, kept int64
		for j, err := range jobs {
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			read++
			if !which(&j) {
				continue
			}
			kept++
			if !yield(j, nil) {
				return
			}
		}
		if kept == 0 {
			yield(workload.Job{}, fmt.Errorf("%w are left of %d", workload.ErrNoJobs, read))
		}
	}
}
