package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Throughput is how much a schedule gets done. In an open simulation it is that of
// the submissions, so long as the machine keeps up; in a closed one it answers to
// the policy.
type Throughput struct {
	Makespan   stats.Number `json:"makespan_s"`          // s, from the first submission to the last end
	JobsPerDay stats.Number `json:"jobs_per_day"`        // jobs over the makespan
	WorkPerDay stats.Number `json:"processor_s_per_day"` // processor seconds over the makespan
}

// ThroughputOf returns the throughput of a schedule, NaN where there is no job, and
// the rates NaN where no time passes.
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
