package allocate_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// What do jobs save that choose how many processors to wait for? Five days of the paper's
// workload on 128 processors; each strategy is compared with avg.
func ExampleStudy() {
	w := allocate.PaperWorkload()
	w.Days = 5
	jobs, err := w.Jobs(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	o := allocate.DefaultOptions()
	study := allocate.Study{
		Machine:    allocate.Machine{Processors: w.Processors, Day: allocate.HalfDay, Night: allocate.HalfDay},
		Strategies: allocate.Strategies()[1:3],
		Rules:      o.Rules,
	}
	outcome, err := study.Run(jobs)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Jobs, "jobs")
	for _, r := range outcome.Rows {
		fmt.Printf("%s: %.0f s saved a job by %d that wait for more processors\n", r.Strategy.Name, r.Application.SavedPerJob, r.Application.Rebels)
	}
	// Output:
	// 1337 jobs
	// opt: 961 s saved a job by 186 that wait for more processors
	// pred: 938 s saved a job by 148 that wait for more processors
}
