package lifetimes_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Fit one law of run times to each queue. Queue 1 runs up to an hour, queue 2 up to a day.
func ExampleFit() {
	var jobs []workload.Job
	for i := range 400 {
		queue := int64(1 + i%2)
		law := dist.UniformLog{TMin: 10, TMax: []float64{3600, 86400}[i%2]}
		j := workload.UnknownJob()
		j.ID, j.Submit, j.Queue = int64(i+1), float64(60*i), queue
		j.Run = law.Quantile((float64(i/2) + 0.5) / 200)
		jobs = append(jobs, j)
	}
	by, err := workload.ParseClasses([]string{"queue"}, workload.Grouping{})
	if err != nil {
		fmt.Println(err)
		return
	}
	classes, warnings, err := lifetimes.Collect(workload.JobsOf(jobs), lifetimes.Options{By: by})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(warnings), "warnings")
	fitted, err := lifetimes.Fit(classes, "uniform-log", fit.Options{}, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range fitted {
		law := f.Report.Law.(dist.UniformLog)
		fmt.Printf("%s: %d jobs, %.0f s to %.0f s\n", f.Class.Label, f.Class.Jobs, law.TMin, law.TMax)
	}
	// Output:
	// 0 warnings
	// queue_id=1: 200 jobs, 10 s to 3600 s
	// queue_id=2: 200 jobs, 10 s to 86400 s
}

// How much longer does a job run that has run for 10 minutes or for an hour? Under Downey's law
// the median remaining time grows with the age a: sqrt(a TMax) - a.
func ExampleRemainingAt() {
	remaining, err := lifetimes.RemainingAt(dist.UniformLog{TMin: 1, TMax: 86400}, fit.Sample{}, []float64{600, 3600})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range remaining {
		fmt.Printf("after %g s: median %.0f s\n", r.Age, r.MedianModel)
	}
	// Output:
	// after 600 s: median 6600 s
	// after 3600 s: median 14036 s
}
