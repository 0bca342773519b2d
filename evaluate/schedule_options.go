package evaluate

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ScheduleOptions are the options of Schedule. The zero value is FCFS on the
// machine of the log's header.
type ScheduleOptions struct {
	// Policy names one of Policies, with its parameters if it has some, such as
	// "priority(queues=3,1)": see sched.PolicyNamed. "" stands for fcfs.
	Policy string
	// Policies are those that Policy can name; nil stands for sched.Policies().
	Policies []sched.Policy
	// Estimates are the run times that the policy plans with: "user" the log's
	// own, "perfect" the run times, or a predictor of package runtime; "" stands
	// for user.
	Estimates string
	// Classes is the classification of jobs by which a predictor learns; ""
	// means user.
	Classes string
	// Correct makes completions correct the estimates of running and waiting
	// jobs, as far as a predictor learns from them.
	Correct bool
	// Kill ends a job when it reaches the user's estimate.
	Kill bool
	// Feedback closes the loop: a job that waits for another is submitted when that
	// has ended and its think time has passed, and not before its time in the log.
	// Dependencies are the log's or, where it has none, those that package sessions
	// finds in its users' jobs.
	Feedback bool
	// Processors are the machine's; 0 stands for those of the header.
	Processors int64
	// Sites are the processors of the machine of each partition; other
	// partitions have Processors, or are left out where that is 0. nil is one
	// machine.
	Sites map[int64]int64
	// Cluster is a machine of several resources, in place of Processors and Sites.
	Cluster *sched.Cluster
	// Scheduled, if not nil, is called with the jobs and their simulated
	// waits, in order of simulated submission, and must read them to the end:
	// to stop before it without an error is an error of Schedule. An error that
	// it returns ends the simulation. A job that starts after more than a
	// million later submissions comes after them, with a warning.
	Scheduled func(workload.JobSeq) error
	// Queued, if not nil, is called with the number of jobs that wait on a
	// machine, at each change.
	Queued func(jobs int)
	// Watch, if not nil, wraps the stream of jobs in order of submission, for
	// example to show progress.
	Watch func(iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error]
}

// policy is that of valid options.
func (o *ScheduleOptions) policy() sched.Policy {
	p, err := PolicyNamed(o.Policy, o.Policies)
	if err != nil {
		return sched.FCFS{}
	}
	return p
}

func (o *ScheduleOptions) estimates() string {
	if o.Estimates == "" {
		return "user"
	}
	return o.Estimates
}

func (o *ScheduleOptions) classes() string {
	if o.Classes == "" {
		return "user"
	}
	return o.Classes
}

// Predicts reports whether the estimates come from a predictor.
func (o *ScheduleOptions) Predicts() bool {
	return o.estimates() != "user" && o.Estimates != "perfect"
}

// Classed reports whether the estimates are those of a predictor that learns by
// classes.
func (o *ScheduleOptions) Classed() bool { return o.Predicts() && o.Estimates != runtime.KernelName }

// UsesEstimates reports whether the policy uses estimates.
func (o *ScheduleOptions) UsesEstimates() bool { return o.policy().UsesEstimates() }

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *ScheduleOptions) Validate() error {
	fault := func(option, saw, want string) error {
		return &workload.OptionError{Option: option, Saw: saw, Want: want}
	}
	if _, err := PolicyNamed(o.Policy, o.Policies); err != nil {
		return err
	}
	switch {
	case o.Processors < 0:
		return fault("procs", strconv.FormatInt(o.Processors, 10), "1 or more")
	case o.Correct && !o.Predicts():
		return fault("correct", "true", "`estimates` of a predictor, which learns from completions: "+o.estimates()+" is none")
	case o.Cluster != nil && o.Processors > 0:
		return fault("procs", strconv.FormatInt(o.Processors, 10), "no `procs` with `machine`, whose file gives the processors")
	case o.Cluster != nil && o.Sites != nil:
		return fault("sites", "a machine for each partition", "no `sites` with `machine`, whose file gives the partitions")
	case o.Sites != nil && len(o.Sites) == 0 && o.Processors == 0:
		return fault("sites", "all", "`procs` with it, the processors of each site")
	}
	if o.Cluster != nil {
		if err := o.Cluster.Validate(); err != nil {
			return fault("machine", err.Error(), "a machine that can be simulated")
		}
	}
	if _, err := runtime.ClassesByName(o.classes()); err != nil {
		return err
	}
	if o.Predicts() && !slices.Contains(runtime.PredictorNames(), o.Estimates) {
		return fault("estimates", strconv.Quote(o.Estimates), "user, perfect, or one of "+strings.Join(runtime.PredictorNames(), ", "))
	}
	return nil
}

// config is the simulation that the options ask for.
func (o *ScheduleOptions) config(odd *workload.Warnings) (sched.Config, error) {
	c := sched.Config{Processors: o.Processors, Policy: o.policy(), Sites: o.Sites, Cluster: o.Cluster, Correct: o.Correct, Kill: o.Kill, Feedback: o.Feedback, Warnings: odd}
	switch o.estimates() {
	case "user":
		c.Estimator = sched.UserEstimates{}
	case "perfect":
		c.Estimator = sched.Perfect{}
	default:
		classes, err := runtime.ClassesByName(o.classes())
		if err != nil {
			return c, err
		}
		p, err := runtime.New(o.Estimates, classes, runtime.Options{})
		if err != nil {
			return c, err
		}
		c.Estimator = p
		if o.Estimates != runtime.KernelName { // which learns from all classes for all
			c.Estimator = classEstimator{p, classes}
		}
	}
	return c, nil
}

// classEstimator is a predictor whose predictions a job changes only within its
// class.
type classEstimator struct {
	runtime.Predictor
	classes runtime.Classes
}

var _ sched.Relater = classEstimator{}

// Related implements sched.Relater.
func (c classEstimator) Related(ended *workload.Job, r *workload.Request) bool {
	return c.classes.Key(&ended.Request) == c.classes.Key(r)
}
