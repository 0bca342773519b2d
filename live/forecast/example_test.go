package forecast_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/live/forecast"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// now is what squeue lists: 64 of the machine's 100 processors run a job that has
// an hour left, and nobody waits.
const now = `JOBID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|REASON
7|bob|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:30|1:00:00|2:00:00|64|None
`

// How long would a request of 32 or of 64 processors wait, if jobs run as long as
// they ask for?
func ExampleAsk() {
	log, err := logfile.OpenReader("squeue.txt", strings.NewReader(now), workload.Options{TimeZone: "UTC"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	ctx := context.Background()
	q := forecast.DefaultQuery()
	if q.State, err = forecast.ReadState(ctx, log, forecast.StateOptions{Processors: 100}); err != nil {
		fmt.Println(err)
		return
	}
	q.Sizes, q.Time, q.Predictors = []int64{32, 64}, 1800, []string{"estimates"}
	answer, err := forecast.Ask(ctx, q)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d processors are free\n", answer.State.Time, answer.State.Free)
	for _, p := range answer.Predictions {
		fmt.Printf("%d processors: %g s by %s\n", p.Processors, p.Expected, p.Predictor)
	}
	// Output:
	// 2024-05-31T11:00:30Z: 36 processors are free
	// 32 processors: 0 s by estimates
	// 64 processors: 3600 s by estimates
}
