package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Drawn predicts the whole wait of a new arrival as a distribution: many
// schedules under the machine's policy, each with run times drawn from the
// lifetimes, those of running jobs given their ages. It does by random draws,
// for jobs behind others and under backfilling, what DowneyAExact does at the
// head of the queue by adding up all outcomes; at the head, under FCFS, the two
// agree. It is not from the papers.
//
// The draws do not depend on the request or on the number of cores: requests of
// several sizes meet the same simulated run times.
type Drawn struct {
	Lifetimes Lifetimes
	Policy    sched.Policy
	Draws     int    // 0 means DefaultDraws
	Seed      uint64 // of the draws
}

// maxDraws is the largest number of schedules: the waits of all of them are kept.
const maxDraws = 1_000_000

// DefaultDraws is the default number of schedules that Drawn simulates.
const DefaultDraws = 500

// DrawnWaits are the drawn waits of one request in seconds, in ascending order.
type DrawnWaits []float64

// Mean returns the mean of the waits in seconds, NaN if there are none. It is
// +Inf if a wait is as long as Longest, which means that no end is in sight.
func (w DrawnWaits) Mean() float64 {
	if n := len(w); n > 0 && w[n-1] >= Longest {
		return math.Inf(1)
	}
	sum := 0.0
	for _, x := range w {
		sum += x
	}
	return sum / float64(len(w))
}

// Bound returns the order statistic of the waits that is above their quantile
// with that confidence. The achieved confidence covers only the randomness of
// the draws, not errors of the lifetimes. It is false if there are too few
// draws, or if the order statistic is as long as Longest.
func (w DrawnWaits) Bound(quantile, confidence float64) (Bound, bool) {
	b := NoBound()
	b.Quantile, b.Confidence, b.Observations = quantile, confidence, len(w)
	if len(w) == 0 {
		return b, false
	}
	o, ok := stats.UpperOrderStatistic(len(w), quantile, confidence)
	if !ok || w[o.Rank-1] >= Longest {
		return b, false
	}
	b.Seconds, b.Achieved, b.Rank = w[o.Rank-1], o.Achieved, o.Rank
	return b, true
}

// Waits returns the distribution of the wait of each request as if it alone
// were submitted now.
func (d Drawn) Waits(s *Snapshot, requests []workload.Request) ([]DrawnWaits, error) {
	n := d.Draws
	if n == 0 {
		n = DefaultDraws
	}
	switch {
	case n < 0 || n > maxDraws:
		return nil, fmt.Errorf("%d draws, want 1 to %d", n, maxDraws)
	case d.Policy == nil || d.Lifetimes == nil:
		return nil, fmt.Errorf("waits cannot be drawn without a policy and lifetimes")
	}
	r := drawnRun{Drawn: d, snapshot: s, requests: requests}
	r.begin()
	waits := make([]DrawnWaits, len(requests))
	for i := range waits {
		waits[i] = make(DrawnWaits, n)
	}
	faults := make([]error, n)
	par.Each(par.Workers(0), n, func(k int) { faults[k] = r.draw(k, waits) })
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	for _, w := range waits {
		slices.Sort(w)
	}
	return waits, nil
}

// drawnRun is what the draws have in common.
type drawnRun struct {
	Drawn
	snapshot *Snapshot
	requests []workload.Request
	laws     []Lifetimes // of the running jobs, the queued ones and the requests
}

// begin looks up the laws. Those by class keep what they met, and are not for several
// goroutines.
func (r *drawnRun) begin() {
	for i := range r.snapshot.Running {
		r.laws = append(r.laws, lifetimesOf(r.Lifetimes, r.snapshot.Running[i].Request))
	}
	for i := range r.snapshot.Queued {
		r.laws = append(r.laws, lifetimesOf(r.Lifetimes, &r.snapshot.Queued[i]))
	}
	for i := range r.requests {
		r.laws = append(r.laws, lifetimesOf(r.Lifetimes, &r.requests[i]))
	}
}

// draw simulates the k-th schedule for each request, and puts its wait into the k-th place
// of waits.
func (r *drawnRun) draw(k int, waits []DrawnWaits) error {
	s := r.snapshot
	rng := rand.New(rand.NewPCG(r.Seed, uint64(k)))
	levels := make([]float64, len(s.Running)+len(s.Queued)+1)
	for i := range levels {
		levels[i] = rng.Float64()
	}
	var lengths []float64
	for i := range s.Running {
		o := &s.Running[i]
		lengths = append(lengths, o.Age+drawnLength(r.laws[i], o.Request, o.Age, levels[i]))
	}
	for i := range s.Queued {
		at := len(s.Running) + i
		lengths = append(lengths, drawnLength(r.laws[at], &s.Queued[i], 0, levels[at]))
	}
	for q := range r.requests {
		request := &r.requests[q]
		if len(s.Queued) == 0 && request.Size >= 1 && request.Size <= s.Free() {
			continue // it starts at once, under any policy
		}
		own := drawnLength(r.laws[len(lengths)+q], request, 0, levels[len(lengths)])
		next := 0 // ScheduledWait asks in the order of the snapshot
		wait, err := s.ScheduledWait(r.Policy, request, func(*workload.Request, float64) float64 {
			if next++; next > len(lengths) {
				return own
			}
			return lengths[next-1]
		})
		if waits[q][k] = wait; err != nil {
			return err
		}
	}
	return nil
}

// drawnLength is how much longer a job runs, in [Shortest, Longest]: the time
// by which it has ended with that probability.
func drawnLength(l Lifetimes, r *workload.Request, age, level float64) float64 {
	level = math.Max(level, 1e-12)
	// Most of the time of Drawn otherwise.
	if inverse, ok := l.(interface {
		remaining(age, level float64) float64
	}); ok {
		return max(Shortest, min(Longest, inverse.remaining(age, level)))
	}
	return earliest(func(t float64) float64 { return 1 - l.Survival(r, age, t) }, level)
}
