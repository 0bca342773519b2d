package change_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/change"
	"github.com/loadstone-hpc/loadstone/workload"
)

// runTimes returns the run times of 500 jobs as a series: uniform in their logarithm, from
// 10 s to an upper end.
func runTimes(longest float64, seed uint64) (change.Series, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	law := dist.UniformLog{TMin: 10, TMax: longest}
	var jobs []workload.Job
	for i := range 500 {
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.Run = int64(i+1), int64(i), float64(600*i), law.Rand(rng)
		jobs = append(jobs, j)
	}
	series, err := change.CollectSeries(workload.JobsOf(jobs), []fit.Attribute{fit.RunTime}, change.SeriesOptions{})
	if err != nil {
		return change.Series{}, err
	}
	return series[0], nil
}

// Did run times change between two logs? In the second they are up to three times as long.
func ExampleCompare() {
	a, err := runTimes(10_000, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := runTimes(30_000, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := change.Compare(a, b, change.CompareOptions{Replicates: 99, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, number := range c.Changes[:2] {
		fmt.Printf("%s: %.0f s, then %.0f s; differs: %v\n", number.Name, number.A.Value, number.B.Value, number.Differs)
	}
	fmt.Printf("same law: p %.2f\n", c.KS.PValue)
	// Output:
	// mean: 1440 s, then 3769 s; differs: true
	// median: 300 s, then 432 s; differs: false
	// same law: p 0.01
}
