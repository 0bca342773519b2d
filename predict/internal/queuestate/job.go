package queuestate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Job is one under way.
type Job struct {
	User, Queue, Size, Time  int64 // where it is counted
	Submit, Start            float64
	Processors, Length, Work float64
	Running, Late            bool
}

// job describes a request.
func (s *State) job(r *workload.Request) Job {
	j := Job{User: r.User, Queue: r.Queue, Submit: r.Submit, Start: math.NaN(), Processors: Processors(r), Length: s.length(r)}
	j.Size, j.Time = int64(math.Ceil(math.Log2(j.Processors))), int64(math.Round(2*math.Log2(j.Length+1)))
	j.Work = j.Processors * j.Length
	return j
}

// Processors are those asked for, else what Units has instead of them, else 1.
func Processors(r *workload.Request) float64 { return float64(max(1, r.Units())) }

// longest is the longest time that a job is taken to run for, s.
const longest = 1e9

// length is how long a job is taken to run for.
func (s *State) length(r *workload.Request) float64 {
	if r.Time > 0 {
		return min(r.Time, longest)
	}
	if u, ok := s.Users[r.User]; ok && u.Run.N > 0 {
		return math.Expm1(u.Run.Mean)
	}
	return math.Expm1(s.All.Run.Mean)
}
