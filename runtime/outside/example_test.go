package outside_test

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
	"github.com/loadstone-hpc/loadstone/workload"
)

// program predicts 60 s for every job. It answers each submission with one line.
const program = `n=0; while read -r line; do case $line in
'{"submit":'*) n=$((n+1)); echo "{\"row\":$n,\"predicted_s\":60}";;
esac; done`

// Run a program as a predictor, in the same replay as the predictors of package runtime.
func Example() {
	p, err := outside.Start(context.Background(), outside.Command{Label: "minute", Line: program}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Stop()
	var jobs []workload.Job
	for i, run := range []float64{60, 90} {
		j := workload.UnknownJob()
		j.ID, j.Row, j.User, j.Submit, j.Wait, j.Run = int64(i+1), int64(i), 7, float64(3600*i), 0, run
		jobs = append(jobs, j)
	}
	for row, err := range runtime.Replay(workload.JobsOf(jobs), nil, runtime.Entry{Predictor: "minute", Own: p}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("job %d: predicted %g s, ran %g s\n", row.Job.ID, row.Predictions[0].Seconds, row.Job.Run)
	}
	if err := p.Finish(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// job 1: predicted 60 s, ran 60 s
	// job 2: predicted 60 s, ran 90 s
}
