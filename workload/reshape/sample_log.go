package reshape

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

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
	*Altered
	What string // what was drawn, in words
}

// Sample draws a sample of single jobs, or of the values of a column with all their jobs.
// The same seed gives the same sample. The log is opened twice, or once to draw single jobs
// with a probability. An invalid option is a *workload.OptionError.
func Sample(ctx context.Context, open func() (*workload.Log, error), o SampleOptions) (*Sampled, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	rng := random(o.Seed)
	s := &Sampled{}
	var odd workload.Warnings
	var draw func(workload.JobSeq) workload.JobSeq
	switch {
	case o.By != "":
		var classes *Classes
		if _, err := workload.WithLog(open, func(log *workload.Log) error {
			by, err := byWords.ClassesBy(o.By, o.Named, &log.Header)
			if err != nil {
				return err
			}
			classes = NewClasses(by)
			return classes.count(ctx, log)
		}); err != nil {
			return nil, err
		}
		if classes.Unknown > 0 {
			odd.Count(workload.Warning{Rule: "left-out", Text: "jobs are left out: their " + o.By + " is not known", Count: classes.Unknown})
		}
		choice := classes.choose(o, rng)
		s.What = fmt.Sprintf("%d of %d values of %s, with all their jobs", len(choice.Values), len(classes.Jobs), o.By)
		draw = func(jobs workload.JobSeq) workload.JobSeq { return SampleClasses(jobs, choice) }
	case o.Jobs > 0:
		var total int64
		if _, err := workload.WithLog(open, func(log *workload.Log) (err error) { total, err = rows(ctx, log); return err }); err != nil {
			return nil, err
		}
		if total < o.Jobs {
			odd.Add("few-jobs", fmt.Sprintf("%d jobs are all there are, fewer than the %d to draw", total, o.Jobs), 0, "")
		}
		s.What = fmt.Sprintf("%d of %d jobs, all choices as likely", min(o.Jobs, total), total)
		draw = func(jobs workload.JobSeq) workload.JobSeq { return SampleJobs(jobs, o.Jobs, total, rng) }
	default:
		s.What = fmt.Sprintf("each job with probability %g", o.Fraction)
		draw = func(jobs workload.JobSeq) workload.JobSeq { return SampleFraction(jobs, o.Fraction, rng) }
	}
	var err error
	s.Altered, err = alter(ctx, open, func(jobs workload.JobSeq) (workload.JobSeq, error) { return draw(jobs), nil })
	if err != nil {
		return nil, err
	}
	s.odd = odd
	return s, nil
}

// count counts the jobs of a log by class.
func (c *Classes) count(ctx context.Context, log *workload.Log) error {
	for j, err := range workload.Until(ctx, log.Jobs()) {
		if err != nil {
			return err
		}
		c.Add(&j)
	}
	return nil
}

func (c *Classes) choose(o SampleOptions, rng *rand.Rand) Choice {
	if o.Jobs > 0 {
		return c.ChooseJobs(o.Jobs, rng)
	}
	return c.ChooseFraction(o.Fraction, rng)
}

// random is the generator of a seed.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
