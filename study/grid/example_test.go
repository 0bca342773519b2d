package grid_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Two clusters under a broker that sends a job to the fastest one with enough idle
// processors. The second job finds it busy and takes the slow one.
func ExampleSimulate() {
	g, err := grid.Decode([]byte(`{"schema": "loadstone.grid/1", "name": "example", "clusters": [
		{"name": "slow", "processors": 8},
		{"name": "fast", "processors": 4, "speed": 2}
	]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var jobs []workload.Job
	for i, submit := range []float64{0, 10, 60} {
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.Run, j.Size = int64(i+1), int64(i), submit, 100, 4
		jobs = append(jobs, j)
	}
	for p, err := range grid.Simulate(workload.JobsOf(jobs), grid.Config{Grid: g, Policy: grid.FPF{}}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("job %d: %s from %g s to %g s\n", p.Job.ID, g.Clusters[p.Cluster].Name, p.Job.Start(), p.Job.End())
	}
	// Output:
	// job 1: fast from 0 s to 50 s
	// job 2: slow from 10 s to 110 s
	// job 3: fast from 60 s to 110 s
}
