package plan_test

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A machine of four processors: two are held for another 1000 s, and a job waits that needs
// all four for 600 s. Before any job has ended, all run as long as they ask for.
func Example() {
	planner, err := plan.NewPlanner(plan.Options{})
	if err != nil {
		panic(err)
	}
	job := func(row, size int64, limit float64) workload.Request {
		j := workload.UnknownJob()
		j.Row, j.Size, j.Time = row, size, limit
		return j.Request
	}
	holds := job(1, 2, 2000)
	machine := plan.Machine{Snapshot: predict.Snapshot{
		Time: 50_000, Processors: 4,
		Running: []predict.Occupant{{Request: &holds, Size: 2, Age: 1000}},
		Queued:  []workload.Request{job(2, 4, 600)},
	}}
	p, err := planner.Plan(context.Background(), []plan.Machine{machine})
	if err != nil {
		panic(err)
	}
	start, _ := p.Start(2)
	fmt.Printf("the job starts at %.0f s\n", start.Expected)
	for _, limit := range []float64{900, 3600} {
		wait, err := p.Wait(job(3, 2, limit))
		if err != nil {
			panic(err)
		}
		fmt.Printf("a request of 2 processors for %.0f s waits %.0f s\n", limit, wait.Expected)
	}
	// Output:
	// the job starts at 51000 s
	// a request of 2 processors for 900 s waits 0 s
	// a request of 2 processors for 3600 s waits 1600 s
}
