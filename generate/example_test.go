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
	made, err := generate.New(site, generate.Options{Days: 7, Load: 0.8, Users: 20, Seed: 1})
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
			fmt.Printf("job %d: user %d, submitted at %g s, %d processors for %g s\n", j.ID, j.User, j.Submit, j.Size, j.Run)
		}
	}
	fmt.Println(n, "jobs for", made.Header.Get("MaxProcs"), "processors")
	// Output:
	// job 1: user 1, submitted at 16 s, 1 processors for 9 s
	// job 2: user 2, submitted at 16 s, 1 processors for 1619 s
	// job 3: user 1, submitted at 123 s, 16 processors for 1748 s
	// 1861 jobs for 128 processors
}
