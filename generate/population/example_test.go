package population_test

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/generate/population"
	model "github.com/loadstone-hpc/loadstone/model/population"
)

// Draw four weeks of jobs from a model of users, at another load. A higher load means more users.
func Example() {
	m, err := model.Demo()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, load := range []float64{0.35, 0.7} {
		w, err := population.New(m, population.Options{Days: 28, Load: load, Seed: 1})
		if err != nil {
			fmt.Println(err)
			return
		}
		jobs, users, work := 0, map[int64]bool{}, 0.0
		for j, err := range w.Jobs(context.Background()) {
			if err != nil {
				fmt.Println(err)
				return
			}
			jobs++
			users[j.User] = true
			work += j.Run * float64(j.Size)
		}
		fmt.Printf("load %.2f: %d jobs of %d users\n", work/(28*86400*float64(m.Processors)), jobs, len(users))
	}
	// Output:
	// load 0.35: 2470 jobs of 40 users
	// load 0.70: 4530 jobs of 80 users
}
