package population_test

import (
	"context"
	"fmt"

	fitpopulation "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/generate/population"
	"github.com/loadstone-hpc/loadstone/model"
	modelpopulation "github.com/loadstone-hpc/loadstone/model/population"
)

// users returns a model of users, fitted to two months of synthetic jobs.
func users() (m modelpopulation.Model, err error) {
	site, err := model.Preset(model.Lublin1999)
	if err != nil {
		return m, err
	}
	log, err := generate.New(site, generate.Options{Days: 56, Users: 20, Sessions: true, Load: 0.7, Seed: 1})
	if err != nil {
		return m, err
	}
	m, _, err = fitpopulation.Fit(context.Background(), log.Jobs(), &log.Header, "example", 0)
	return m, err
}

// Draw four weeks of jobs from a model of users, at another load. More load is more users.
func Example() {
	m, err := users()
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
	// load 0.35: 3921 jobs of 11 users
	// load 0.70: 8503 jobs of 22 users
}
