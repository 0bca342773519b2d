package capacity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// model is a site of known truth: Poisson arrivals whose rate is that of the load times a random
// factor for each week, log-normal with mean 1 and a coefficient of variation of 0.2.
type model struct {
	processors int64
	load       float64
}

// Partitions: small for jobs of fewer than eight processors, large for the others.
const small, large = 1, 2

// jobs draws jobs of the site for the given number of weeks.
func (m model) jobs(weeks int, rng *rand.Rand) (all []workload.Job) {
	const (
		meanRun, meanSize = 5400.0, 3.6
		deviation         = 0.2
	)
	perWeek := m.load * float64(m.processors) * week / (meanRun * meanSize)
	for w := range weeks {
		gap := week / (perWeek * math.Exp(deviation*rng.NormFloat64()-deviation*deviation/2))
		for at := gap * rng.ExpFloat64(); at < week; at += gap * rng.ExpFloat64() {
			j := workload.UnknownJob()
			j.Row, j.ID = int64(len(all)), int64(len(all)+1)
			j.Submit, j.User = float64(w*week)+at, int64(math.Min(60, 15*rng.ExpFloat64()))
			j.Run = math.Min(2*86400, math.Round(meanRun*math.Exp(1.3*rng.NormFloat64()-1.3*1.3/2)))
			j.Processors = 1 << min(4, int(1.6*rng.ExpFloat64()))
			j.Size, j.Time = j.Processors, j.Run*(1+4*rng.Float64())
			if j.Partition = small; j.Size >= 8 {
				j.Partition = large
			}
			all = append(all, j)
		}
	}
	return all
}

// logged returns the jobs with their waits on a machine.
func logged(t *testing.T, jobs []workload.Job, c sched.Config) []workload.Job {
	t.Helper()
	for j, err := range sched.Simulate(workload.JobsOf(jobs), c, nil) {
		if err != nil {
			t.Fatal(err)
		}
		jobs[j.Row].Wait = j.Wait
	}
	return jobs
}

// truth returns the smallest machine that meets the target in 200 independent weeks, each preceded
// by a week in which the machine fills.
func (m model) truth(t *testing.T, target Target, p sched.Policy) int64 {
	rng := rand.New(rand.NewPCG(uint64(100*m.load), 1))
	all := make([][]workload.Job, 200)
	for i := range all {
		all[i] = m.jobs(2, rng)
	}
	low, high := m.processors/2, 4*m.processors
	for high-low > 1 {
		size, jobs, excess := (low+high)/2, 0.0, 0.0
		for _, two := range all {
			for _, j := range logged(t, two, sched.Config{Processors: size, Policy: p}) {
				if j.Submit >= week && (target.Class == "" || j.Partition == large) {
					jobs++
					excess += target.excess(j.Wait)
				}
			}
		}
		if excess/jobs <= target.most() {
			high = size
		} else {
			low = size
		}
	}
	return high
}

// The intervals contain the truth as often as their level says, for all jobs and, in the long run,
// for a class. The ordinary run, of one load and policy, requires at least 5 of 8 intervals: a
// false alarm in 1 of 200 runs if 90 % contain it (0.50 %, binomial). The long run requires 85 to
// 95 % of 700 (a false alarm in 1 of 90,000) and at least 80 of every 100 (1 of 500).
func TestIntervalsHoldTheTruth(t *testing.T) {
	sites := longtest.Size(8, 100)
	held, all := 0, 0
	for _, cell := range []struct {
		load   float64
		policy sched.Policy
		target string
	}{
		{0.75, sched.EASY{}, "wait_p95 <= 1h"}, {0.75, sched.FCFS{}, "wait_p95 <= 1h"}, {0.75, sched.EASY{}, "wait_p95(2) <= 1h"},
		{0.6, sched.EASY{}, "wait_p95 <= 1h"}, {0.6, sched.FCFS{}, "wait_p95 <= 1h"},
		{0.9, sched.EASY{}, "wait_p95 <= 1h"}, {0.9, sched.FCFS{}, "wait_p95 <= 1h"},
	} {
		target, err := ParseTarget(cell.target)
		if err != nil {
			t.Fatal(err)
		}
		m := model{32, cell.load}
		truth := m.truth(t, target, cell.policy)
		var in, above atomic.Int64
		par.Each(0, sites, func(i int) {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(100*cell.load)))
			jobs := logged(t, m.jobs(12, rng), sched.Config{Processors: m.processors, Policy: cell.policy})
			r, err := Compute(t.Context(), Options{Log: workload.LogOf("made", workload.Header{}, jobs), Target: cell.target, By: "partition", Policies: []string{cell.policy.Name()}, Processors: m.processors, Twins: longtest.Size(3, 10), Workers: 1})
			switch {
			case err != nil:
				t.Error(err)
			case float64(truth) > float64(r.Answers[0].High):
				above.Add(1)
			case float64(truth) >= float64(r.Answers[0].Low):
				in.Add(1)
			}
		})
		what := fmt.Sprintf("load %g, %s, %s: %d processors are in %d of %d intervals, above %d", cell.load, cell.policy.Name(), cell.target, truth, in.Load(), sites, above.Load())
		t.Log(what)
		if all += sites; in.Load() < int64(longtest.Size(5, 80)) {
			t.Error(what)
		}
		if held += int(in.Load()); sites < 100 {
			return
		}
	}
	if share := float64(held) / float64(all); share < 0.85 || share > 0.95 {
		t.Errorf("%d of %d intervals hold the truth, want 85 to 95 %%", held, all)
	}
}
