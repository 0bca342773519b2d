package resample

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// madeUp is a log of some users over some weeks, in sessions of up to 8 jobs at
// working hours, with waits.
func madeUp(users, weeks, sessions int) []workload.Job {
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
				j.Size, j.Processors, j.Allocated, j.Time, j.Queue, j.Application = size, size, size, 7200, int64(u%3), int64(u)
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

// zurich is a header whose clock changes between summer and winter.
func zurich() workload.Header {
	var h workload.Header
	h.Add("UnixStartTime", "1136156400") // 2 January 2006, 0:00, a Monday
	h.Add("TimeZoneString", "Europe/Zurich")
	h.Add("MaxProcs", "64")
	return h
}

// twin makes one, or fails the test.
func twin(t testing.TB, jobs []workload.Job, h workload.Header, o Options) ([]workload.Job, *Twin) {
	t.Helper()
	w, err := New(context.Background(), workload.JobsOf(jobs), h, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return collect(t, w.Jobs(context.Background())), w
}

func collect(t testing.TB, jobs workload.JobSeq) (out []workload.Job) {
	t.Helper()
	for j, err := range jobs {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, j)
	}
	return out
}

func workOf(jobs []workload.Job) (sum float64) {
	for i := range jobs {
		sum += float64(jobs[i].Size) * jobs[i].Run
	}
	return sum
}

func rules(w *Twin) map[string]int64 {
	out := map[string]int64{}
	for _, x := range w.Warnings() {
		out[x.Rule] = x.Count
	}
	return out
}
