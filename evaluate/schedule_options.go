package evaluate

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ScheduleOptions are the options of Schedule. The zero value is FCFS on the
// machine of the log's header.
type ScheduleOptions struct {
	// Policy names one of Policies, with its parameters if it has some, such as
	// "priority(queues=3,1)": see sched.PolicyNamed. "" stands for fcfs.
	Policy string `opt:"policy" default:"fcfs" open:"true" common:"true" help:"scheduling policy ('loadstone wait' assumes easy; 'loadstone sweep' compares several)"`
	// Policies are those that Policy can name; nil stands for sched.Policies().
	Policies []sched.Policy
	// Estimates are the run times that the policy plans with: "user" the log's
	// own, "perfect" the run times, or a predictor of package runtime; "" stands
	// for user.
	Estimates string `opt:"estimates" default:"user" open:"true" common:"true" help:"run times that the policy plans with" brief:"run times that the policy plans with: user, perfect, or a predictor of 'loadstone runtime', such as last2"`
	// Classes is the classification of jobs by which a predictor learns; ""
	// means user.
	Classes string `opt:"classes" default:"user" help:"<classes> of jobs that a predictor learns from: site, user, user-site, user-app-size-site, all, or up to four columns joined by +"`
	// Correct makes completions correct the estimates of running and waiting
	// jobs, as far as a predictor learns from them.
	Correct bool `opt:"correct" help:"correct the estimates of running and queued jobs at each completion"`
	// Kill ends a job when it reaches the user's estimate.
	Kill bool `opt:"kill" help:"kill jobs that reach the user's estimate"`
	// Feedback closes the loop: a job that waits for another is submitted when that
	// has ended and its think time has passed, and not before its time in the log.
	// Dependencies are the log's or, where it has none, those that package sessions
	// finds in its users' jobs.
	Feedback bool `opt:"feedback" common:"true" help:"submit a job that depends on another when that one has ended"`
	// Processors are the machine's; 0 stands for those of the header.
	Processors int64 `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`
	// Sites are the processors of the machine of each partition; other
	// partitions have Processors, or are left out where that is 0. nil is one
	// machine.
	Sites sched.Sites `opt:"sites" help:"a machine for each partition: all, each of --procs processors, or <sizes> such as 1=64,2=128, other partitions having --procs or, without it, being left out"`
	// Cluster is a machine of several resources, in place of Processors and Sites.
	Cluster *sched.Cluster
	// Scheduled, if not nil, is called with the jobs and their simulated
	// waits, in order of simulated submission, and must read them to the end:
	// to stop before it without an error is an error of Schedule. An error that
	// it returns ends the simulation. A job that starts after more than a
	// million later submissions comes after them, with a warning.
	Scheduled func(workload.JobSeq) error
	// Watch, if not nil, wraps the stream of jobs in order of submission, for
	// example to show progress.
	Watch func(iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error]

	isSorted bool // the log's jobs are in order of submission
}

// Predicts reports whether the estimates come from a predictor.
func (o *ScheduleOptions) Predicts() bool {
	return o.Estimates != "" && o.Estimates != "user" && o.Estimates != "perfect"
}

// Classed reports whether the estimates are those of a predictor that learns by
// classes.
func (o *ScheduleOptions) Classed() bool {
	rule, err := EstimatesNamed(o.Estimates)
	return err == nil && rule != nil && runtime.HasClasses(rule)
}

// EstimatesNamed returns the predictor of run times that text, a value of Estimates, names,
// with its parameters if any; nil for the user's and perfect ones.
func EstimatesNamed(text string) (runtime.Rule, error) {
	if text == "" || slices.Contains(plainEstimates, text) {
		return nil, nil
	}
	rule, err := runtime.RuleNamed(text, nil)
	return rule, workload.OptionNamed("estimates", err)
}

// plainEstimates are those that no predictor makes.
var plainEstimates = []string{"user", "perfect"}

// EstimatesNames returns the names of what policies can plan with.
func EstimatesNames() []string { return slices.Concat(plainEstimates, runtime.PredictorNames()) }

// UsesEstimates reports whether the policy uses estimates.
func (o *ScheduleOptions) UsesEstimates() bool {
	p, err := PolicyNamed(o.Policy, o.Policies)
	return err == nil && p.UsesEstimates()
}

// Choices are the values of options that take one of some.
func (o *ScheduleOptions) Choices(option string) []string {
	switch option {
	case "policy":
		return policyNames(o.Policies)
	case "estimates":
		return EstimatesNames()
	}
	return nil
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *ScheduleOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	if _, err := o.config(nil); err != nil {
		return err
	}
	fault := workload.OptionFault
	switch {
	case o.Correct && !o.Predicts():
		return fault("correct", "true", "`estimates` of a predictor, which learns from completions: %s is none", cmp.Or(o.Estimates, "user"))
	case o.Cluster != nil && o.Processors > 0:
		return fault("procs", o.Processors, "no `procs` with `machine`, whose file gives the processors")
	case o.Cluster != nil && o.Sites != nil:
		return fault("sites", o.Sites.String(), "no `sites` with `machine`, whose file gives the partitions")
	case o.Sites != nil && len(o.Sites) == 0 && o.Processors == 0:
		return fault("sites", "all", "`procs` with it, the processors of each site")
	}
	if o.Cluster != nil {
		if err := o.Cluster.Validate(); err != nil {
			return fault("machine", err, "a machine that can be simulated")
		}
	}
	return nil
}

// config is the simulation that the options ask for.
func (o *ScheduleOptions) config(odd *workload.Warnings) (sched.Config, error) {
	c := sched.Config{Processors: o.Processors, Sites: o.Sites, Cluster: o.Cluster, Correct: o.Correct, Kill: o.Kill, Feedback: o.Feedback, Warnings: odd}
	var err error
	if c.Policy, err = PolicyNamed(o.Policy, o.Policies); err != nil {
		return c, err
	}
	rule, err := EstimatesNamed(o.Estimates)
	if err != nil {
		return c, err
	}
	classes, err := runtime.ClassesByName(cmp.Or(o.Classes, "user"))
	switch {
	case err != nil:
		return c, err
	case o.Estimates == "perfect":
		c.Estimator = sched.Perfect{}
		return c, nil
	case rule == nil:
		c.Estimator = sched.UserEstimates{}
		return c, nil
	}
	p, err := runtime.New(o.Estimates, classes)
	if err != nil {
		return c, err
	}
	c.Estimator = p
	if runtime.HasClasses(rule) {
		c.Estimator = classEstimator{p, classes}
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

// policyNames are those that an option can name.
func policyNames(policies []sched.Policy) []string {
	if policies == nil {
		policies = sched.Policies()
	}
	return opt.Names(policies)
}

// PolicyNamed returns the policy that text names among policies, such as
// "priority(queues=3,1)"; nil means sched.Policies(). See sched.PolicyNamed. An empty text
// means fcfs.
func PolicyNamed(text string, policies []sched.Policy) (sched.Policy, error) {
	if policies == nil {
		policies = sched.Policies()
	}
	return sched.PolicyNamed(cmp.Or(text, sched.FCFS{}.Name()), policies)
}

// Describe says what was simulated, for a header and for people.
func (o *ScheduleOptions) Describe() string {
	text := fmt.Sprintf("policy %s on %d processors", o.Policy, o.Processors)
	switch {
	case o.Cluster != nil:
		text = fmt.Sprintf("policy %s on %s", o.Policy, o.Cluster)
	case o.Sites != nil && len(o.Sites) == 0:
		text = fmt.Sprintf("policy %s on %d processors a site", o.Policy, o.Processors)
	case o.Sites != nil:
		text = fmt.Sprintf("policy %s on the sites %s", o.Policy, &o.Sites)
		if o.Processors > 0 {
			text += fmt.Sprintf(" and others of %d processors", o.Processors)
		}
	}
	if o.UsesEstimates() {
		text += ", estimates " + o.Estimates
		if o.Classed() {
			text += " by " + o.Classes
		}
		if o.Correct {
			text += ", corrected"
		}
	}
	if o.Kill {
		text += ", jobs killed at the user's estimate"
	}
	if o.Feedback {
		text += ", feedback"
	}
	return text
}

// Capacity is how many processors the machine has; 0 where there are several machines.
func (o *ScheduleOptions) Capacity() int64 {
	switch {
	case o.Cluster != nil:
		return o.Cluster.Capacity(sched.Processors)
	case o.Sites != nil:
		return 0
	}
	return o.Processors
}
