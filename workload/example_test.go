package workload_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Three jobs in the standard workload format: number, submission, wait, run time, processors, and
// 13 more fields, of which only the user (12th) is known here.
const threeJobs = `; MaxProcs: 4
1 0   0  100 2 -1 -1 -1 -1 -1 -1 7 -1 -1 -1 -1 -1 -1
2 60 40   50 4 -1 -1 -1 -1 -1 -1 7 -1 -1 -1 -1 -1 -1
3 90 -1   -1 1 -1 -1 -1 -1 -1 -1 8 -1 -1 -1 -1 -1 -1
`

// A log yields its jobs one by one. Unknown values are NaN or workload.Unknown.
func Example() {
	log, err := logfile.OpenReader("jobs.swf", strings.NewReader(threeJobs), workload.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	processors, _ := log.Header.Processors()
	fmt.Println(processors, "processors")
	for j, err := range log.Jobs() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("job %d of user %d: %d processors from %g s to %g s\n", j.ID, j.User, j.Size, j.Start(), j.End())
	}
	// Output:
	// 4 processors
	// job 1 of user 7: 2 processors from 0 s to 100 s
	// job 2 of user 7: 4 processors from 100 s to 150 s
	// job 3 of user 8: 1 processors from NaN s to NaN s
}

// A timeline replays jobs as events in order of time. At the same instant jobs end before others
// start.
func ExampleTimeline() {
	var jobs []workload.Job
	for i, times := range [][3]float64{{0, 0, 100}, {60, 40, 50}} {
		j := workload.UnknownJob()
		j.ID, j.Row = int64(i+1), int64(i)
		j.Submit, j.Wait, j.Run = times[0], times[1], times[2]
		jobs = append(jobs, j)
	}
	names := map[workload.EventKind]string{workload.Submit: "submit", workload.Start: "start", workload.Finish: "finish"}
	for e, err := range workload.Timeline(workload.InOrder(workload.JobsOf(jobs), nil)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%3g s: %s job %d\n", e.Time, names[e.Kind], e.Job.ID)
	}
	// Output:
	//   0 s: submit job 1
	//   0 s: start job 1
	//  60 s: submit job 2
	// 100 s: finish job 1
	// 100 s: start job 2
	// 150 s: finish job 2
}

// Jobs created by a program become a log that can be passed to any function that reads logs.
func ExampleLogOf() {
	var jobs []workload.Job
	for i, run := range []float64{100, 50, 200} {
		j := workload.UnknownJob()
		j.ID, j.User, j.Processors = int64(i+1), 7, 2
		j.Submit, j.Wait, j.Run = 300*float64(i), 0, run
		jobs = append(jobs, j)
	}
	var header workload.Header
	header.Set("MaxProcs", "4")
	log := workload.LogOf("mine", header, jobs)

	result, err := evaluate.RunTimes(context.Background(), log, evaluate.RunTimesOptions{
		Predictors: []string{"last"}, Classes: []string{"user"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := result.Scores[0]
	fmt.Printf("%s: %s predicted %d of %d jobs\n", result.Log.Name, s.Predictor, s.Predicted, s.Jobs)
	// Output:
	// mine: last predicted 2 of 3 jobs
}
