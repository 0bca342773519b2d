package judge

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Workload holds the properties of a workload that the tests compare.
type Workload struct {
	traits  *score.Traits
	profile *score.Profile
}

// schedule is a policy with the estimates that it plans with.
type schedule struct {
	name      string
	policy    sched.Policy
	estimates sched.Estimator
}

var (
	easy             = schedule{"easy", sched.EASY{}, sched.Perfect{}}
	easyUser         = schedule{"easy user", sched.EASY{}, sched.UserEstimates{}}
	conservative     = schedule{"conservative", sched.Conservative{}, sched.Perfect{}}
	conservativeUser = schedule{"conservative user", sched.Conservative{}, sched.UserEstimates{}}
	fcfs             = schedule{"fcfs", sched.FCFS{}, nil}
)

// Measure returns the properties of jobs. They must be in order of submission, and have their
// dependencies set.
func (s Site) Measure(t testing.TB, jobs []workload.Job) *Workload {
	t.Helper()
	tally := score.NewTraitsTally(s.Processors)
	profile := score.NewProfile(score.ProfileOptions{})
	for i := range jobs {
		tally.Add(&jobs[i])
		profile.Add(&jobs[i])
	}
	traits := tally.Finish()
	for _, x := range s.schedules {
		for _, loop := range []string{score.OpenLoop, score.ClosedLoop} {
			config := sched.Config{Processors: s.Processors, Policy: x.policy, Estimator: x.estimates, Feedback: loop == score.ClosedLoop}
			var waits score.ScheduleTally
			for j, err := range sched.Simulate(workload.JobsOf(jobs), config, nil) {
				if err != nil {
					t.Fatal(err)
				}
				waits.Add(&j)
			}
			traits.AddSchedule(x.name, loop, waits.Result())
		}
	}
	return &Workload{traits, profile}
}
