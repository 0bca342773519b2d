package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/loadstone-examples/policy"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// jobs come at 0, 60, 120, 180 and 240 s, two of 8 processors and then three of 4, and
// run for an hour.
func jobs() []workload.Job {
	var all []workload.Job
	for _, x := range []struct {
		submit float64
		size   int64
	}{{0, 8}, {60, 8}, {120, 4}, {180, 4}, {240, 4}} {
		j := workload.UnknownJob()
		j.ID, j.Row = int64(len(all)+1), int64(len(all))
		j.Submit, j.Size, j.Run = x.submit, x.size, 3600
		all = append(all, j)
	}
	return all
}

// The policy is found by its name, in a list to which it has been added. On 8 processors
// the smallest first lets jobs 3 to 5 pass job 2. Where a minute counts for 5 processors,
// it does not: job 2 came a minute before job 3, and is 4 processors larger.
func ExampleSmallestFirst() {
	policies := append(sched.Policies(), policy.SmallestFirst{})
	for _, name := range []string{"fcfs", "smallest", "smallest(ageing=300)"} {
		p, err := sched.PolicyNamed(name, policies)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(name, ":")
		for j, err := range sched.Simulate(workload.JobsOf(jobs()), sched.Config{Processors: 8, Policy: p}, nil) {
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Printf(" %d at %g s", j.ID, j.Start())
		}
		fmt.Println()
	}
	// Output:
	// fcfs: 1 at 0 s 2 at 3600 s 3 at 7200 s 4 at 7200 s 5 at 10800 s
	// smallest: 1 at 0 s 3 at 3600 s 4 at 3600 s 5 at 7200 s 2 at 10800 s
	// smallest(ageing=300): 1 at 0 s 2 at 3600 s 3 at 7200 s 4 at 7200 s 5 at 10800 s
}

// A policy that starts what does not fit is caught.
func TestStartsWhatDoesNotFit(t *testing.T) {
	for _, err := range sched.Simulate(workload.JobsOf(jobs()), sched.Config{Processors: 8, Policy: careless{}}, nil) {
		if err != nil {
			if !strings.Contains(err.Error(), "policy careless starts a job that is not waiting or does not fit") {
				t.Error(err)
			}
			return
		}
	}
	t.Error("no error")
}

// careless starts the first job at once.
type careless struct{ sched.FCFS }

func (careless) Name() string                       { return "careless" }
func (careless) Planner(*sched.State) sched.Planner { return careless{} }
func (careless) Next(m *sched.State) (p sched.Place, ok bool) {
	for p := range m.Waiting() {
		return p, true
	}
	return p, false
}
