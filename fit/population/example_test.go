package population_test

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
)

// Fit a model of users to a log: here two months of synthetic jobs of 20 users.
func ExampleFit() {
	site, err := model.Preset(model.Lublin1999)
	if err != nil {
		fmt.Println(err)
		return
	}
	log, err := generate.New(site, generate.Options{Days: 56, Users: 20, Sessions: true, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, warnings, err := population.Fit(context.Background(), log.Jobs(), &log.Header, "example", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d jobs in %g days, %d strata of users, %d processors\n", m.Log.Jobs, m.Log.Days, len(m.Users.Strata), m.Processors)
	for _, w := range warnings {
		fmt.Println(w.Rule, w.Count)
	}
	// Output:
	// 9704 jobs in 56 days, 4 strata of users, 128 processors
	// no-waits 1
}
