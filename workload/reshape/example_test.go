package reshape_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

const hourly = `; MaxProcs: 8
1     0  0 1800  4 -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1
2  3600  0    0  4 -1 -1 -1 -1 -1 0 2 -1 -1 -1 -1 -1 -1
3  7200 60 1800  8 -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1
4 14400  0 3600  2 -1 -1 -1 -1 -1 1 3 -1 -1 -1 -1 -1 -1
`

func openHourly() (*workload.Log, error) {
	return logfile.OpenReader("jobs.swf", strings.NewReader(hourly), workload.Options{})
}

// Remove the jobs that did not run and those of one user. Every removed job is counted and
// passed to a function with the filter that removed it.
func ExampleClean() {
	log, err := openHourly()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	var filters []reshape.Filter
	for _, text := range []string{"run <= 0", "user = 3"} {
		f, err := reshape.ParseFilter(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		filters = append(filters, f)
	}
	removed := func(r reshape.Removal) error {
		fmt.Printf("removed job %d by %q\n", r.Job, r.Filter)
		return nil
	}
	cleaned, err := reshape.Clean(context.Background(), log, filters, removed)
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, err := range cleaned.Jobs {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("kept job", j.ID)
	}
	fmt.Printf("kept %d of %d\n", cleaned.Kept(), cleaned.Records())
	// Output:
	// kept job 1
	// removed job 2 by "run <= 0"
	// kept job 3
	// removed job 4 by "user = 3"
	// kept 2 of 4
}

// Halve the offered load of a log by drawing a sample of its jobs. The log is opened twice, so that
// it need not fit in memory.
func ExampleScale() {
	site, err := model.Preset(model.Lublin1999)
	if err != nil {
		fmt.Println(err)
		return
	}
	made, err := generate.New(site, generate.Options{Days: 14, Load: 0.8, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	open := func() (*workload.Log, error) {
		log, reading := workload.NewLog("example", "generated")
		log.Header, reading.Batches = made.Header, made.Batches()
		reading.Declare(made.Optional())
		return log, nil
	}
	scaled, err := reshape.Scale(context.Background(), open, reshape.ScaleOptions{Load: reshape.LoadTarget{Load: 0.4}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, err := range scaled.Jobs {
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("load %.2f before, %.2f after\n", scaled.Before, scaled.Reached())
	// Output:
	// load 0.80 before, 0.40 after
}
