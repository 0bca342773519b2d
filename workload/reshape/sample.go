package reshape

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// byWords is the grouping with which SplitOptions.By and SampleOptions.By are parsed.
var byWords = workload.Grouping{Each: true, Measured: true}

func groupingOf(option string) *workload.Grouping {
	if option == "by" {
		return &byWords
	}
	return nil
}

// SampleOptions are the options of Sample. Exactly one of Fraction and Jobs is set.
type SampleOptions struct {
	Fraction float64 `opt:"fraction" in:"(0,1]" not:"jobs" common:"true" help:"probability with which each job, or user, is drawn"`
	Jobs     int64   `opt:"jobs" in:"[1,)" common:"true" help:"number of jobs"`
	// By is a comma-separated list of columns as workload.ParseClasses reads it: Sample
	// then draws whole classes of jobs, such as all jobs of a user. "" draws single jobs.
	By    string                `opt:"by" common:"true" help:"draw whole users, groups or other classes"`
	Named []workload.NamedClass `opt:"class"` // the classes that the word "class" in By stands for
	Seed  uint64                `opt:"seed" usual:"1" common:"true" help:"seed of the random numbers"`
}

// Grouping is that of ways to sort jobs.
func (o *SampleOptions) Grouping(option string) *workload.Grouping { return groupingOf(option) }

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *SampleOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	if o.Jobs == 0 && o.Fraction == 0 {
		return workload.OptionFault("jobs", "is missing, and so is `fraction`", "one of them")
	}
	if o.By == "" {
		return nil
	}
	_, err := byWords.ClassesBy(o.By, o.Named, nil)
	return err
}

// Sampled is a sample of a log.
type Sampled struct {
	*Stream
	What string // what was drawn, in words
}

// Sample draws a sample of single jobs, or of whole classes: users, as a rule, because a
// user's jobs resemble one another and come in sessions, which a sample of single jobs takes
// apart. Jobs stay in the log's order and as they are; a sample is drawn without
// replacement. One random number is drawn for each job or class, in order, so that the same
// seed gives the same sample. The log is opened twice, or once to draw single jobs
// with a probability. An invalid option is a *workload.OptionError.
func Sample(ctx context.Context, open func() (*workload.Log, error), o SampleOptions) (*Sampled, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	rng := random(o.Seed)
	s := &Sampled{What: fmt.Sprintf("each job with probability %g", o.Fraction)}
	keep := drawEach(o.Fraction, rng)
	var odd workload.Warnings
	total := int64(0)
	switch {
	case o.By != "":
		c := &classes{jobs: map[workload.ClassKey]int64{}}
		count := func(j *workload.Job) error {
			total++
			k := c.by.Key(j)
			if c.by.Unknown(k) {
				odd.Count(workload.Warning{Rule: "left-out", Text: "jobs are left out: their " + o.By + " is not known", Count: 1})
			} else {
				c.jobs[k]++
			}
			return nil
		}
		withClasses := func() (*workload.Log, error) {
			log, err := open()
			if err == nil {
				c.by, err = byWords.ClassesBy(o.By, o.Named, &log.Header)
			}
			return log, err
		}
		if _, err := eachJob(ctx, withClasses, count); err != nil {
			return nil, err
		}
		chosen := c.choose(o, rng)
		s.What = fmt.Sprintf("%d of %d values of %s, with all their jobs", len(chosen), len(c.jobs), o.By)
		keep = func(j *workload.Job) bool { return chosen[c.by.Key(j)] }
	case o.Jobs > 0:
		var err error
		if total, err = rows(ctx, open); err != nil {
			return nil, err
		}
		if total < o.Jobs {
			odd.Add("few-jobs", fmt.Sprintf("%d jobs are all there are, fewer than the %d to draw", total, o.Jobs), 0, "")
		}
		s.What = fmt.Sprintf("%d of %d jobs, all choices as likely", min(o.Jobs, total), total)
		keep = drawJobs(o.Jobs, total, rng)
	}
	log, err := open()
	if err != nil {
		return nil, err
	}
	s.Stream = streamOf(ctx, log, func(jobs workload.JobSeq) workload.JobSeq { return sift(jobs, keep) })
	s.odd, s.expected = odd, total
	return s, nil
}

// random is the generator of a seed.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// drawEach keeps each job with probability p.
func drawEach(p float64, rng *rand.Rand) func(*workload.Job) bool {
	return func(*workload.Job) bool { return rng.Float64() < p }
}

// drawJobs keeps n of the total jobs of a log, with equal probability for each set of n
// jobs; all jobs if n is total or more. It stores no jobs: each is kept with probability
// (jobs still wanted)/(jobs still to come), as in Fan, Muller and Rezucha (1962),
// "Development of sampling plans by using sequential (item by item) selection techniques".
// Unlike reservoir sampling it needs to know the total.
func drawJobs(n, total int64, rng *rand.Rand) func(*workload.Job) bool {
	want, left := min(n, total), total
	return func(*workload.Job) bool {
		if left <= 0 {
			return false // more than the total, which the stream reports
		}
		chosen := rng.Int64N(left) < want
		if left--; chosen {
			want--
		}
		return chosen
	}
}

// classes are those of a log's jobs.
type classes struct {
	by   *workload.Classifier
	jobs map[workload.ClassKey]int64
}

// choose draws classes in random order: each with the probability asked for, so that the
// share of jobs varies widely where some are large; or as many as have the jobs asked for. Then
// the last one is left out if that is nearer to the number, but at least one is taken.
func (c *classes) choose(o SampleOptions, rng *rand.Rand) map[workload.ClassKey]bool {
	order := slices.SortedFunc(maps.Keys(c.jobs), workload.ClassKey.Compare)
	rng.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	chosen, jobs := map[workload.ClassKey]bool{}, int64(0)
	for _, k := range order {
		if o.Jobs == 0 {
			if rng.Float64() < o.Fraction {
				chosen[k] = true
			}
			continue
		}
		more := jobs + c.jobs[k]
		if jobs > 0 && (jobs >= o.Jobs || more-o.Jobs > o.Jobs-jobs) {
			break
		}
		chosen[k], jobs = true, more
	}
	return chosen
}
