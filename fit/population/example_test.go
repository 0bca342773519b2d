package population_test

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/fit/population"
	generated "github.com/loadstone-hpc/loadstone/generate/population"
	model "github.com/loadstone-hpc/loadstone/model/population"
)

// Fit a model of users to a log: here two months of jobs of a synthetic site.
func ExampleFit() {
	site, err := model.Demo()
	if err != nil {
		fmt.Println(err)
		return
	}
	log, err := generated.New(site, generated.Options{Days: 56, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	header := log.Header(new(generated.Made), "example")
	m, warnings, err := population.Fit(ctx, log.Jobs(ctx), &header, "example", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d jobs in %g days, %d strata of users, %d processors\n", m.Log.Jobs, m.Log.Days, len(m.Users.Strata), m.Processors)
	for _, w := range warnings {
		fmt.Println(w.Rule, w.Count)
	}
	// Output:
	// 8905 jobs in 56 days, 5 strata of users, 128 processors
	// no-waits 1
}
