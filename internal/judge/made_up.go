package judge

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// MadeUp returns the jobs of an artificial log of some users over some weeks, in order of
// submission and numbered from 1. Each user has the given number of sessions of up to 8 jobs,
// in the working hours of weekdays, with sizes, run times and waits. It is for tests that need
// no real log.
func MadeUp(users, weeks, sessions int) []workload.Job {
	const day = 86400.0
	rng := rand.New(rand.NewPCG(1, 2))
	var jobs []workload.Job
	for u := range users {
		first := rng.IntN(weeks)
		for range sessions {
			t := float64((first+rng.IntN(weeks-first))*7+rng.IntN(5))*day + 28800 + rng.Float64()*28800
			size := int64(1) << rng.IntN(6)
			for range 1 + rng.IntN(8) {
				j := workload.UnknownJob()
				j.User, j.Submit, j.Run, j.Wait = int64(u+1), math.Floor(t), math.Floor(60+rng.ExpFloat64()*3000), float64(rng.IntN(100))
				j.Size = size
				jobs = append(jobs, j)
				if t += rng.Float64() * 1800; rng.IntN(2) == 0 {
					t += j.Wait + j.Run
				}
			}
		}
	}
	slices.SortStableFunc(jobs, func(a, b workload.Job) int { return int(a.Submit - b.Submit) })
	for i := range jobs {
		jobs[i].ID, jobs[i].Row = int64(i+1), int64(i)
	}
	return jobs
}
