package resample_test

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/generate/population"
	model "github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload/resample"
)

// Make a twin of a log that is twice as long: the same users submit their jobs in other weeks.
func Example() {
	site, err := model.Demo()
	if err != nil {
		fmt.Println(err)
		return
	}
	log, err := population.New(site, population.Options{Days: 28, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	header := log.Header(new(population.Made), "example")
	twin, err := resample.New(ctx, log.Jobs(ctx), header, resample.Options{Days: 56, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	var made resample.Made
	for _, err := range twin.Counted(ctx, &made) {
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("%d jobs in %.0f days, load %.1f\n", made.Jobs, made.Last/86400, made.Load(twin.Processors()))
	// Output:
	// 9062 jobs in 56 days, load 0.7
}
