package sched_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Simulate a machine of 4 processors under two policies. Job 2 needs all processors and waits for
// job 1. EASY backfilling starts job 3 meanwhile, because it ends before job 1.
func ExampleSimulate() {
	var jobs []workload.Job
	for i, of := range []struct {
		submit, run float64
		size        int64
	}{{0, 100, 3}, {10, 50, 4}, {20, 60, 1}} {
		j := workload.UnknownJob()
		j.ID, j.Row = int64(i+1), int64(i)
		j.Submit, j.Run, j.Time, j.Size = of.submit, of.run, of.run, of.size
		jobs = append(jobs, j)
	}
	for _, policy := range []sched.Policy{sched.FCFS{}, sched.EASY{}} {
		fmt.Println(policy.Name())
		config := sched.Config{Processors: 4, Policy: policy}
		for j, err := range sched.Simulate(workload.JobsOf(jobs), config, nil) {
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Printf("  job %d starts at %g s\n", j.ID, j.Start())
		}
	}
	// Output:
	// fcfs
	//   job 1 starts at 0 s
	//   job 2 starts at 100 s
	//   job 3 starts at 150 s
	// easy
	//   job 1 starts at 0 s
	//   job 3 starts at 20 s
	//   job 2 starts at 100 s
}
