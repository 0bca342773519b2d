package generate_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
)

// Generate a week of jobs from a published model, scaled to an offered load of 0.8. The same
// seed always gives the same jobs.
func Example() {
	site, err := model.Preset(model.Lublin1999)
	if err != nil {
		fmt.Println(err)
		return
	}
	made, err := generate.New(site, generate.Options{Days: 7, Load: 0.8, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := 0
	for j, err := range made.Jobs() {
		if err != nil {
			fmt.Println(err)
			return
		}
		if n++; n <= 3 {
			fmt.Printf("job %d: submitted at %g s, %d processors for %g s\n", j.ID, j.Submit, j.Size, j.Run)
		}
	}
	fmt.Println(n, "jobs for", made.Header.Get("MaxProcs"), "processors")
	// Output:
	// job 1: submitted at 15 s, 8 processors for 2 s
	// job 2: submitted at 15 s, 2 processors for 29000 s
	// job 3: submitted at 112 s, 2 processors for 90 s
	// 1981 jobs for 128 processors
}
