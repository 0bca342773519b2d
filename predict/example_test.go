package predict_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Predict, when a job is submitted, a time that 95 % of waits will not exceed, with 95 %
// confidence. BMBP answers with an order statistic of past waits. It needs 59 of them.
func ExampleReplay() {
	var jobs []workload.Job
	for i := range 62 {
		j := workload.UnknownJob()
		j.ID, j.Row = int64(i+1), int64(i)
		j.Submit, j.Wait, j.Run, j.Size = float64(3600*i), float64(60*(i%10)), 600, 4
		jobs = append(jobs, j)
	}
	bmbp, err := predict.NewBMBP(0.95, 0.95, predict.BoundOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	past := predict.NewPastWaits("bmbp", []predict.BoundPredictor{bmbp})
	replay := predict.Replay{Predictors: []predict.Predictor{past}}
	for w, err := range replay.Jobs(workload.JobsOf(jobs)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if b := w.Forecasts[0].Bounds[0]; w.Request.ID >= 60 {
			fmt.Printf("job %d: bound %g s, wait %g s: rank %d of %d, confidence %.3f\n",
				w.Request.ID, b.Seconds, w.Actual, b.Rank, b.Observations, b.Achieved)
		}
	}
	// Output:
	// job 60: bound 540 s, wait 540 s: rank 59 of 59, confidence 0.952
	// job 61: bound 540 s, wait 0 s: rank 60 of 60, confidence 0.954
	// job 62: bound 540 s, wait 60 s: rank 61 of 61, confidence 0.956
}
