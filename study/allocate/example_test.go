package allocate_test

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// How much do jobs save by choosing how many processors to wait for? Five days of the paper's
// workload on 128 processors; each strategy is compared with avg.
func ExampleCompute() {
	o := allocate.DefaultOptions()
	o.Seeds, o.Days, o.Strategies = 1, 5, []string{"opt", "pred"}
	r, err := allocate.Compute(context.Background(), o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Jobs.Mean, "jobs")
	for _, x := range r.Strategies {
		fmt.Printf("%s: %.0f s saved a job by %v that wait for more processors\n", x.Name, x.Application.SavedPerJob.Mean, x.Application.Rebels.Mean)
	}
	// Output:
	// 1337 jobs
	// opt: 961 s saved a job by 186 that wait for more processors
	// pred: 938 s saved a job by 148 that wait for more processors
}
