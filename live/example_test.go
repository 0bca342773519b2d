package live_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Replay a log as if it were live and ask, at its end, how long a request would wait. One job is
// submitted every hour; their waits cycle through 0, 60, ... and 540 s.
func Example() {
	var text strings.Builder
	text.WriteString("; MaxProcs: 64\n")
	for i := range 200 {
		fmt.Fprintf(&text, "%d %d %d 600 4 -1 -1 4 900 -1 1 1 -1 -1 -1 -1 -1 -1\n", i+1, 3600*i, 60*(i%10))
	}
	open := func() (*workload.Log, error) {
		return logfile.OpenReader("jobs.swf", strings.NewReader(text.String()), workload.Options{})
	}
	ctx := context.Background()
	feed, err := live.Replay(ctx, open, live.ReplayOptions{Speed: math.Inf(1), Interval: 3600})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer feed.Close()
	o := live.DefaultOptions()
	o.Predictors, o.Quantiles, o.Draws = []string{"bmbp"}, []float64{0.95}, 0
	service, err := live.New(feed, time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC), o)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := service.Run(ctx); err != nil {
		fmt.Println(err)
		return
	}
	answer, err := service.Wait(ctx, live.Request{Size: 4, Time: 900})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range answer.Predictions {
		for _, b := range p.Bounds {
			fmt.Printf("%s: %.0f %% wait at most %g s; %.0f %% of such answers held\n",
				p.Predictor, 100*b.Quantile, b.Seconds, 100*b.Share)
		}
	}
	// Output:
	// bmbp: 95 % wait at most 540 s; 100 % of such answers held
}

// A job with an hour left runs on 64 of the machine's 100 processors, and no job waits. How long
// would a request for 32 or 64 processors wait, if jobs run as long as they requested?
func ExampleAsk() {
	const listing = `JOBID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|REASON
7|bob|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:30|1:00:00|2:00:00|64|None
`
	log, err := logfile.OpenReader("squeue.txt", strings.NewReader(listing), workload.Options{TimeZone: "UTC"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	ctx := context.Background()
	q := live.DefaultQuery()
	if err := q.Logs.Add(ctx, log); err != nil {
		fmt.Println(err)
		return
	}
	q.Processors, q.Sizes, q.Time, q.Predictors = 100, []int64{32, 64}, 1800, []string{"estimates"}
	answers, err := live.Ask(ctx, q)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range answers.Rows() {
		fmt.Printf("%d processors: %g s by %s\n", p.Size, p.Expected, p.Predictor)
	}
	// Output:
	// 32 processors: 0 s by estimates
	// 64 processors: 3600 s by estimates
}
