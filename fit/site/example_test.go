package site_test

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Fit several laws to the run times and the sizes of a log, and rank them by BIC. The log
// is generated from a published model.
func ExampleCompute() {
	preset, err := model.Preset(model.Lublin1999)
	if err != nil {
		fmt.Println(err)
		return
	}
	made, err := generate.New(preset, generate.Options{Jobs: 2000, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	log, reading := workload.NewLog("example", "generated")
	log.Header, reading.Batches = made.Header, made.Batches()
	reading.Declare(made.Optional())
	result, err := site.Compute(context.Background(), log, site.Options{
		Families:   []string{"gamma", "hyper-gamma", "log-normal"},
		Attributes: []fit.Attribute{fit.RunTime},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range result.Fits {
		fmt.Printf("%d. %s of %s: D %.3f\n", r.Place, r.Family, r.Attribute, r.KS.D)
	}
	// Output:
	// 1. hyper-gamma of run_time: D 0.036
	// 2. gamma of run_time: D 0.052
	// 3. log-normal of run_time: D 0.133
}
