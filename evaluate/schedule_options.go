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
	// Policy names one of Policies, with its parameters if any, such as
	// "priority(queues=3,1)": see sched.PolicyNamed. "" means fcfs.
	Policy string `opt:"policy" default:"fcfs" open:"true" common:"true" help:"scheduling policy ('loadstone wait' assumes easy; 'loadstone sweep' compares several)"`
	// Policies are the policies that Policy can name; nil means sched.Policies().
	Policies []sched.Policy
	// Estimates selects the run times with which the policy plans: "user" for the log's
	// estimates, "perfect" for the actual run times, or a predictor of package runtime. ""
	// means user.
	Estimates string `opt:"estimates" default:"user" open:"true" common:"true" help:"run times that the policy plans with" brief:"run times that the policy plans with: user, perfect, or a predictor of 'loadstone runtime', such as last2"`
	// Classes is the classification of jobs by which a predictor learns; ""
	// means user.
	Classes string `opt:"classes" default:"user" help:"<classes> of jobs that a predictor learns from: site, user, user-site, user-app-size-site, all, or up to four columns joined by +"`
	// Correct updates the estimates of running and waiting jobs at each completion
	// from which the predictor learns.
	Correct bool `opt:"correct" help:"correct the estimates of running and queued jobs at each completion"`
	// Kill ends a job when it reaches its user's estimate.
	Kill bool `opt:"kill" help:"kill jobs that reach the user's estimate"`
	// Feedback closes the loop: a job that depends on another is submitted when the other
	// has ended and the think time has passed, but not before its submission in the log.
	// The dependencies are those of the log or, if it has none, those that package sessions
	// finds in its users' jobs.
	Feedback bool `opt:"feedback" common:"true" help:"submit a job that depends on another when that one has ended"`
	// Processors is the size of the machine; 0 means that of the header.
	Processors int64 `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`
	// Sites gives each partition a machine of its own, with these numbers of processors;
	// other partitions have Processors, or are left out if that is 0. nil means one
	// machine for all jobs.
	Sites sched.Sites `opt:"sites" help:"a machine for each partition: all, each of --procs processors, or <sizes> such as 1=64,2=128; other partitions have --procs processors or, without it, are left out"`
	// Cluster is a machine of several resources, in place of Processors and Sites.
	Cluster *sched.Cluster
	// Scheduled, if not nil, is called with the jobs and their simulated
	// waits, in order of simulated submission. It must read all jobs or return an
	// error; otherwise Schedule fails. An error that it returns ends the simulation.
	// A job that starts only after a million jobs submitted later comes out of order,
	// with a warning.
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

// Classed reports whether the estimates come from a predictor that learns by class.
func (o *ScheduleOptions) Classed() bool {
	rule, err := EstimatesNamed(o.Estimates)
	return err == nil && rule != nil && runtime.HasClasses(rule)
}

// EstimatesNamed returns the predictor of run times named by text, a value of
// ScheduleOptions.Estimates, with its parameters if any; nil for "user", "perfect" and "". An
// unknown name is a *workload.OptionError.
func EstimatesNamed(text string) (runtime.Rule, error) {
	if text == "" || slices.Contains(plainEstimates, text) {
		return nil, nil
	}
	rule, err := runtime.RuleNamed(text, nil)
	return rule, workload.OptionNamed("estimates", err)
}

// plainEstimates are the values of Estimates that do not name a predictor.
var plainEstimates = []string{"user", "perfect"}

// EstimatesNames returns the possible values of ScheduleOptions.Estimates.
func EstimatesNames() []string { return slices.Concat(plainEstimates, runtime.PredictorNames()) }

// UsesEstimates reports whether the policy uses estimates.
func (o *ScheduleOptions) UsesEstimates() bool {
	p, err := PolicyNamed(o.Policy, o.Policies)
	return err == nil && p.UsesEstimates()
}

// Choices returns the names that an option accepts; nil if they are not listed.
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

// config returns the configuration of the simulation. Warnings about jobs are added to odd.
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

// classEstimator is a predictor by class: a job that ends changes predictions only for its own
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

// policyNames returns the names of the policies; nil means those of sched.Policies().
func policyNames(policies []sched.Policy) []string {
	if policies == nil {
		policies = sched.Policies()
	}
	return opt.Names(policies)
}

// PolicyNamed returns the policy named by text, such as "priority(queues=3,1)", among policies;
// nil means sched.Policies(). An empty text means fcfs. See sched.PolicyNamed.
func PolicyNamed(text string, policies []sched.Policy) (sched.Policy, error) {
	if policies == nil {
		policies = sched.Policies()
	}
	return sched.PolicyNamed(cmp.Or(text, sched.FCFS{}.Name()), policies)
}

// Describe describes the simulation in one line, for a header or a message.
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

// Capacity returns the number of processors of the machine; 0 if there are several machines.
func (o *ScheduleOptions) Capacity() int64 {
	switch {
	case o.Cluster != nil:
		return o.Cluster.Capacity(sched.Processors)
	case o.Sites != nil:
		return 0
	}
	return o.Processors
}
