package evaluate

import (
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// VerdictOptions are the options of the verdict on a twin of a log.
type VerdictOptions struct {
	// Policies are names of sched.Policies under which both workloads are
	// scheduled; none is allowed.
	Policies []string `opt:"schedule" common:"true" help:"also compare the waits of A and B under these policies"`
	// Feedback schedules each workload closed too (ScheduleOptions.Feedback), beside
	// the open schedule.
	Feedback bool `opt:"feedback" for:"schedule" help:"also schedule both closed: a job is submitted when those it depends on have ended"`
	// Estimates are the run times that policies plan with: "user", the jobs' own, or
	// "perfect". "" stands for user where jobs of both workloads have estimates, else
	// for perfect: Verdict.Estimates tells which.
	Estimates string `opt:"estimates" open:"true" for:"schedule" help:"run times that the policies plan with (default: user where A and B have estimates, else perfect)"`
	// Processors are those of the machine on which both are scheduled; 0 stands for
	// those of the log's header. Offered loads take them where a header has none.
	Processors int64 `opt:"procs" in:"[1,)" help:"processors of the machine (default: those of A's header)"`
	// Replicas is the number of twins among which the log is ranked, including
	// the one compared with it, which is the first; 0 means no ranking. The
	// second input must be a model, or have CompareInput.Like.
	Replicas int `opt:"replicas" in:"[1,10000]" help:"number of twins, from a model or with --like, to rank A among"`
	// Bootstraps is the number of times that the log's weeks are drawn; 0
	// means DefaultVerdictBootstraps or, of a log of more than 50,000 jobs, as many as
	// have ten million jobs, but no fewer than 50.
	Bootstraps int
	// Curves keeps the curves of the log and its twins, for figures.
	Curves  bool
	Workers int // goroutines; 0 means one for each core. The result does not depend on it
}

const (
	// DefaultVerdictBootstraps is the default of VerdictOptions.Bootstraps. It
	// gives the ends of a 90 % interval within a few percentage points.
	DefaultVerdictBootstraps = 200
	// MaxVerdictJobs is the largest number of jobs of a workload, which are
	// held in memory.
	MaxVerdictJobs = 4_000_000
)

// The default number of bootstraps of a log with many jobs: mostBootstrapJobs is the number
// of jobs in all draws, as far as there are leastBootstraps.
const mostBootstrapJobs, leastBootstraps = 10_000_000, 50

// bootstraps is the number of draws of a log's weeks.
func (o *VerdictOptions) bootstraps(jobs int) int {
	if o.Bootstraps == 0 {
		return min(DefaultVerdictBootstraps, max(leastBootstraps, mostBootstrapJobs/jobs))
	}
	return o.Bootstraps
}

// Choices are the values of options that take one of some.
func (o *VerdictOptions) Choices(option string) []string {
	switch option {
	case "schedule":
		return VerdictPolicies()
	case "estimates":
		return []string{"user", "perfect"}
	}
	return nil
}

// Validate returns a *workload.OptionError for an option that cannot be used.
func (o *VerdictOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	switch {
	case o.Feedback && len(o.Policies) == 0:
		return workload.OptionFault("feedback", true, "policies in `schedule`")
	case o.Bootstraps < 0:
		return workload.OptionFault("bootstraps", o.Bootstraps, "1 or more")
	}
	return nil
}

// VerdictPolicies returns the names of the policies that a verdict can use:
// those without queues as a parameter.
func VerdictPolicies() []string {
	var names []string
	for _, p := range sched.Policies() {
		if _, ok := p.(sched.Priority); !ok {
			names = append(names, p.Name())
		}
	}
	return names
}
