package sweep_test

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/study/sweep"
)

// A study of two policies under two seeds: four simulations of jobs drawn from a published model.
// Both policies simulate the same jobs.
func Example() {
	ctx := context.Background()
	plan, err := sweep.Prepare(ctx, "example.yaml", []byte(`
models: [lublin1999]
jobs: 500
loads: [0.8]
seeds: 2
policies: [fcfs, easy]
estimates: [perfect]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for k := 1; k <= plan.Runs(); k++ {
		result, err := plan.Run(ctx, k)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, m := range result.Measures {
			if m.Measure == "wait_mean_s" {
				fmt.Printf("run %d, seed %d, %s: mean wait %.0f s\n", result.Number, result.Seed, result.Policy, m.Value)
			}
		}
	}
	// Output:
	// run 1, seed 1, fcfs: mean wait 25887 s
	// run 2, seed 1, easy: mean wait 6197 s
	// run 3, seed 2, fcfs: mean wait 45975 s
	// run 4, seed 2, easy: mean wait 6318 s
}
