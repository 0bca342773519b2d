package grid_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Two clusters under a broker that sends a job to the fastest one with enough idle
// processors. The second job finds it busy and takes the slow one.
func ExampleCompute() {
	o := grid.DefaultOptions()
	o.Policies, o.NoSites = []string{"fpf"}, true
	var err error
	if o.Grid, err = grid.Decode("example.json", []byte(`{"schema": "loadstone.grid/1", "name": "example", "clusters": [
		{"name": "slow", "processors": 8},
		{"name": "fast", "processors": 4, "speed": 2}
	]}`)); err != nil {
		fmt.Println(err)
		return
	}
	const jobs = "job_id,submit_time_s,run_time_s,allocated_processors\n1,0,100,4\n2,10,100,4\n3,60,100,4\n"
	r, err := grid.Compute(context.Background(), func() (*workload.Log, error) {
		return logfile.OpenReader("jobs.csv", strings.NewReader(jobs), workload.Options{})
	}, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	r.EachPlaced(func(j grid.PlacedJob) error {
		fmt.Printf("job %d: %s from %g s to %g s\n", j.JobID, j.Cluster, j.Submit+j.Wait, j.Submit+j.Wait+j.Run)
		return nil
	})
	// Output:
	// job 1: fast from 0 s to 50 s
	// job 2: slow from 10 s to 110 s
	// job 3: fast from 60 s to 110 s
}
