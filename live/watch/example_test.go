package watch_test

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A tracker compares polls of a machine: in the first poll a job waits, in the second it runs, and
// in the third it has ended. Events have the times that the machine recorded.
func ExampleTracker() {
	sighting := func(wait, run float64) watch.Sighting {
		j := workload.UnknownJob()
		j.ID, j.Submit, j.Wait, j.Run, j.Size = 17, 10, wait, run, 4
		return watch.Sighting{Job: j, Expected: math.NaN(), Withdrawn: math.NaN()}
	}
	names := map[workload.EventKind]string{workload.Submit: "submitted", workload.Start: "started", workload.Finish: "ended"}
	tracker := watch.NewTracker()
	for _, p := range []*watch.Poll{
		{At: 20, Jobs: []watch.Sighting{sighting(math.NaN(), math.NaN())}},
		{At: 80, Jobs: []watch.Sighting{sighting(30, math.NaN())}},
		{At: 140, Ended: []watch.Sighting{sighting(30, 60)}},
	} {
		for _, e := range tracker.Events(p) {
			fmt.Printf("poll at %g s: job %d %s at %g s\n", p.At, e.Job.ID, names[e.Kind], e.Time)
		}
	}
	// Output:
	// poll at 20 s: job 17 submitted at 10 s
	// poll at 80 s: job 17 started at 40 s
	// poll at 140 s: job 17 ended at 100 s
}
