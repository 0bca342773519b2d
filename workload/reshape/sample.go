package reshape

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// SampleOptions are the options of Sample. Exactly one of Fraction and Jobs is set.
type SampleOptions struct {
	Fraction float64 `opt:"fraction" in:"(0,1]" not:"jobs" common:"true" help:"probability with which each job, or user, is drawn"`
	Jobs     int64   `opt:"jobs" in:"[1,)" common:"true" help:"number of jobs"`
	// By is a comma-separated list of columns, as read by workload.ParseClasses: Sample then draws
	// whole classes of jobs, such as all jobs of a user. "" draws single jobs.
	By    string                `opt:"by" classes:"each measured" common:"true" help:"draw whole users, groups or other classes"`
	Named []workload.NamedClass `opt:"class"` // the classes that the word "class" in By stands for
	Seed  uint64                `opt:"seed" usual:"1" common:"true" help:"seed of the random numbers"`
}

// Validate returns a *workload.OptionError for the first invalid option.
func (o *SampleOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	if o.Jobs == 0 && o.Fraction == 0 {
		return workload.OptionFault("jobs", "is missing, and so is `fraction`", "one of them")
	}
	return nil
}

// Sample draws a sample of single jobs or of whole classes. Classes are usually users: a user's
// jobs resemble one another and come in sessions, which a sample of single jobs breaks up. Jobs are
// unchanged and stay in the log's order; a sample is drawn without replacement. One random number
// is drawn for each job or class, in order, so that the same seed gives the same sample. The log is
// opened twice, or once to draw single jobs with a probability. An invalid option is a
// *workload.OptionError.
func Sample(ctx context.Context, open func() (*workload.Log, error), o SampleOptions) (*Stream, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s, rng := &Stream{}, random(o.Seed)
	what := fmt.Sprintf("each job with probability %g", o.Fraction)
	keep := func(*workload.Job) bool { return rng.Float64() < o.Fraction }
	var err error
	switch {
	case o.By != "":
		var classes *workload.Classifier
		jobs := map[workload.ClassKey]int64{}
		_, err = workload.WithLog(open, func(log *workload.Log) (err error) {
			if classes, err = classesOf(log, o.By, &o); err != nil {
				return err
			}
			return eachJob(ctx, log, func(j *workload.Job) {
				s.expected++
				if k := classes.Key(j); classes.Unknown(k) {
					s.odd.Add("left-out", "jobs are left out: their "+o.By+" is not known", 0, "")
				} else {
					jobs[k]++
				}
			})
		})
		chosen := o.choose(jobs, rng)
		what = fmt.Sprintf("%d of %d values of %s, with all their jobs", len(chosen), len(jobs), o.By)
		keep = func(j *workload.Job) bool { return chosen[classes.Key(j)] }
	case o.Jobs > 0:
		s.expected, err = rows(ctx, open)
		if s.expected < o.Jobs {
			s.odd.Add("few-jobs", fmt.Sprintf("the log has %s, fewer than the %d to draw", words.Counted(s.expected, "job"), o.Jobs), 0, "")
		}
		what = fmt.Sprintf("%d of %s, drawn uniformly at random", min(o.Jobs, s.expected), words.Counted(s.expected, "job"))
		keep = drawJobs(o.Jobs, s.expected, rng)
	}
	if err != nil {
		return nil, err
	}
	log, err := open()
	if err != nil {
		return nil, err
	}
	s.note = func() []string {
		return []string{fmt.Sprintf("a sample: %s, seed %d; the offered load is the sample's", what, o.Seed)}
	}
	s.alter(ctx, log, func(j *workload.Job) (bool, error) { return keep(j), nil })
	return s, nil
}

// drawJobs returns a function that keeps n of the total jobs of a log, with equal probability for
// each set of n jobs; all jobs if n is total or more. It stores no jobs: each is kept with
// probability (jobs still wanted)/(jobs still to come), as in Fan, Muller and Rezucha (1962),
// "Development of sampling plans by using sequential (item by item) selection techniques". Unlike
// reservoir sampling it needs to know the total.
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

// choose draws classes in random order; jobs has the number of jobs of each. By Fraction, each
// class is drawn with that probability, so that the share of jobs varies widely if some classes are
// large. By Jobs, classes are drawn until they have that number of jobs; the last one is then left
// out if the number is nearer without it, but at least one class is drawn.
func (o *SampleOptions) choose(jobs map[workload.ClassKey]int64, rng *rand.Rand) map[workload.ClassKey]bool {
	order := slices.SortedFunc(maps.Keys(jobs), workload.ClassKey.Compare)
	rng.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	chosen, sum := map[workload.ClassKey]bool{}, int64(0)
	for _, k := range order {
		over := sum + jobs[k] - o.Jobs
		switch {
		case o.Jobs > 0 && sum > 0 && (sum >= o.Jobs || over > o.Jobs-sum):
			return chosen
		case o.Jobs > 0 || rng.Float64() < o.Fraction:
			chosen[k] = true
			sum += jobs[k]
		}
	}
	return chosen
}
