package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Throughput is the amount of work that a schedule completes over time. In an
// open simulation it equals the rate of submissions as long as the machine
// keeps up; in a closed one it depends on the policy.
type Throughput struct {
	Makespan   stats.Number `json:"makespan_s"`                                                                                           // s, from the first submission to the last end
	JobsPerDay stats.Number `json:"jobs_per_day" show:"jobs a day" narrow:"1" study:"" help:"jobs that end a day; of closed simulations"` // jobs over the makespan
	WorkPerDay stats.Number `json:"processor_s_per_day"`                                                                                  // processor seconds over the makespan
}

// ThroughputOf returns the throughput of a schedule. All values are NaN if it
// has no job, and the rates are NaN if the makespan is 0.
func ThroughputOf(s *Schedule) *Throughput {
	const day = 86400
	nan := stats.Number(math.NaN())
	t := &Throughput{s.Last - s.First, nan, nan}
	if t.Makespan > 0 {
		t.JobsPerDay = stats.Number(s.Jobs) * day / t.Makespan
		t.WorkPerDay = stats.Number(s.Work) * day / t.Makespan
	}
	return t
}
