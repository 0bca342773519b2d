package standing_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// One job of 8 of 10 processors has run for 100 s of the 2000 s that it asked for. How long
// would requests of 2 and of 4 processors wait?
func Example() {
	running := workload.UnknownJob().Request
	running.Size, running.Time = 8, 2000
	m := &predict.Snapshot{Processors: 10, Running: []predict.Occupant{{Request: &running, Size: 8, Age: 100}}}
	predictors, err := standing.New([]string{standing.Estimates}, &standing.Options{Processors: 10, Policy: sched.FCFS{}, Quantiles: []float64{0.95}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range predictors {
		for _, size := range []int64{2, 4} {
			r := workload.UnknownJob().Request
			r.Size, r.Time = size, 600
			f, err := p.Ask(m, &r)
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Printf("%s, %d processors: %g s\n", p.Name(), size, f.Expected)
		}
	}
	// Output:
	// estimates, 2 processors: 0 s
	// estimates, 4 processors: 1900 s
}
