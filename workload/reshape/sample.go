package reshape

import (
	"fmt"
	"maps"
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

// SampleJobs keeps n of the total jobs of a log, with equal probability for each set of n
// jobs; all jobs if n is total or more. It stores no jobs: each is kept with probability
// (jobs still wanted)/(jobs still to come), as in Fan, Muller and Rezucha (1962),
// "Development of sampling plans by using sequential (item by item) selection techniques".
// Unlike reservoir sampling it needs to know the total.
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

// Classes counts the jobs of each class. Use NewClasses.
type Classes struct {
	By      *workload.Classifier        // sorts the jobs into classes
	Jobs    map[workload.ClassKey]int64 // jobs of each class
	Unknown int64                       // jobs without a known value in any column, which have no class
}

// NewClasses returns an empty count of classes.
func NewClasses(by *workload.Classifier) *Classes {
	return &Classes{By: by, Jobs: map[workload.ClassKey]int64{}}
}

// Add counts a job.
func (c *Classes) Add(j *workload.Job) {
	if k := c.By.Key(j); c.By.Unknown(k) {
		c.Unknown++
	} else {
		c.Jobs[k]++
	}
}

// shuffled are the classes in a random order, which is that of the draws alone.
func (c *Classes) shuffled(rng *rand.Rand) []workload.ClassKey {
	values := slices.SortedFunc(maps.Keys(c.Jobs), workload.ClassKey.Compare)
	rng.Shuffle(len(values), func(i, k int) { values[i], values[k] = values[k], values[i] })
	return values
}

// Choice is a selection of classes, and the number of their jobs.
type Choice struct {
	By     *workload.Classifier       // sorts the jobs into classes
	Values map[workload.ClassKey]bool // true for the classes that are kept
	Jobs   int64                      // jobs of these classes
}

// ChooseFraction keeps each class with probability p. The expected share of jobs is p, but
// with large classes the actual share varies widely.
func (c *Classes) ChooseFraction(p float64, rng *rand.Rand) Choice {
	out := Choice{c.By, map[workload.ClassKey]bool{}, 0}
	for _, v := range c.shuffled(rng) {
		if rng.Float64() < p {
			out.Values[v] = true
			out.Jobs += c.Jobs[v]
		}
	}
	return out
}

// ChooseJobs takes classes in random order until they have n jobs. The last class is left
// out if that is nearer to n, but at least one class is taken.
func (c *Classes) ChooseJobs(n int64, rng *rand.Rand) Choice {
	out := Choice{c.By, map[workload.ClassKey]bool{}, 0}
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

// SampleClasses keeps the jobs of the chosen classes.
func SampleClasses(jobs workload.JobSeq, c Choice) workload.JobSeq {
	return sift(jobs, func(j *workload.Job) bool { return c.Values[c.By.Key(j)] })
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
