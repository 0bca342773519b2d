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

// RunTimeDistribution is the predictive distribution of one job's run time, such
// as a *Distribution of package runtime.
type RunTimeDistribution interface {
	Quantile(q float64) float64 // s, for q in (0, 1)
	Survival(t float64) float64 // the probability of running longer than t seconds
}

// Drawn simulates many schedules of a machine, each with run times drawn from
// their distributions, which for running jobs are conditional on their ages. It
// extends DowneyAExact, which adds up all outcomes at the head of the queue, to any
// place in the queue and to backfilling by random draws; at the head, under FCFS,
// the two agree. It is not from the papers.
//
// The draws of a job are a Latin hypercube: each n-th part of the distribution
// contains one of the n draws. They depend on the seed and the job's number, not on
// the time, the file or the number of cores, so that successive forecasts of a queue
// differ only because of events in between.
type Drawn struct {
	RunTimes func(*workload.Request) RunTimeDistribution
	Policy   sched.Policy
	Draws    int    // the largest number of schedules; 0 means DefaultDraws
	Seed     uint64 // of the random draws
}

const (
	// DefaultDraws is enough for a bound of 95 % of the waits with confidence 0.95.
	DefaultDraws = 100
	// fewestDraws is the least number of schedules: with probability 0.95, the
	// longest of 19 waits is at least as long as a further one.
	fewestDraws = 19
	// drawnJobs limits the total number of jobs in all schedules of a machine, unless
	// that would leave fewer than fewestDraws schedules. 500,000 jobs take about half a
	// second to simulate.
	drawnJobs = 500_000
)

// Schedules holds simulated schedules of a machine from one moment on. It is
// read-only, and safe for concurrent use if Drawn.RunTimes is.
type Schedules struct {
	drawn   Drawn
	machine *Snapshot
	lengths [][]float64 // s, by schedule: the rest of the running jobs, then the queued jobs
}

// Schedules draws the run times of the jobs of a machine, which must not be altered
// afterwards.
func (d Drawn) Schedules(m *Snapshot) *Schedules {
	if d.Draws <= 0 {
		d.Draws = DefaultDraws
	}
	jobs := len(m.Running) + len(m.Queued)
	s := &Schedules{d, m, make([][]float64, min(d.Draws, max(fewestDraws, drawnJobs/max(1, jobs))))}
	for k := range s.lengths {
		s.lengths[k] = make([]float64, 0, jobs)
	}
	jobsByID := map[int64]uint64{} // waiting tasks of an array share an ID
	enter := func(r *workload.Request, age float64) {
		for k, x := range d.draw(r, age, uint64(r.ID)^jobsByID[r.ID]<<40, len(s.lengths)) {
			s.lengths[k] = append(s.lengths[k], x)
		}
		jobsByID[r.ID]++
	}
	for i := range m.Running {
		enter(m.Running[i].Request, m.Running[i].Age)
	}
	for i := range m.Queued {
		enter(&m.Queued[i], 0)
	}
	return s
}

// draw returns the remaining run times, in seconds, of a job of the given age in n
// schedules. A job older than its distribution allows follows the past-repeats heuristic
// of OneLaw.
func (d *Drawn) draw(r *workload.Request, age float64, stream uint64, n int) []float64 {
	run := d.RunTimes(r)
	survival := run.Survival(age)
	rng := rand.New(rand.NewPCG(d.Seed, stream))
	lengths := make([]float64, n)
	for k, part := range rng.Perm(n) {
		level := (float64(part) + rng.Float64()) / float64(n)
		level = math.Max(level, 1e-12)
		left := age * level / (1 - level)
		if survival > 0 {
			left = run.Quantile(1-survival*(1-level)) - age
		}
		lengths[k] = max(Shortest, min(left, Longest))
	}
	return lengths
}

// DrawnWaits holds the waits of one job in all schedules, in seconds and in
// ascending order.
type DrawnWaits []float64

// Median returns the median wait in seconds, which has the least expected absolute
// error. It is NaN if the median is Longest or more, that is, no end is in sight.
func (w DrawnWaits) Median() float64 {
	return seen((w[(len(w)-1)/2] + w[len(w)/2]) / 2)
}

// Bound returns the order statistic of the waits, in seconds, that is an upper bound of
// their quantile with the given confidence, or the longest wait if there are too few. The
// confidence covers the randomness of the draws, not errors of the distributions. Bound
// returns NaN if the wait is Longest or more.
func (w DrawnWaits) Bound(quantile, confidence float64) float64 {
	rank := len(w)
	if o, ok := stats.UpperOrderStatistic(len(w), quantile, confidence); ok {
		rank = o.Rank
	}
	return seen(w[rank-1])
}

// seen returns the wait, or NaN if no end is in sight.
func seen(wait float64) float64 {
	if wait >= Longest {
		return math.NaN()
	}
	return wait
}

// Wait returns the waits of a request that is submitted now and joins the end of the
// queue. It returns an error if the request does not fit the machine.
//
// Under a policy that plans with estimates, a request without an estimate is planned with
// the run time drawn for it.
func (s *Schedules) Wait(r *workload.Request) (DrawnWaits, error) {
	if err := s.machine.admits(r); err != nil {
		return nil, err
	}
	own := slices.Repeat([]float64{r.Time}, len(s.lengths)) // its run time does not affect its wait
	if !(r.Time > 0) {
		own = s.drawn.draw(r, 0, math.MaxInt64, len(s.lengths))
	}
	last := len(s.machine.Queued)
	waits := make(DrawnWaits, len(own))
	err := s.simulate(append(s.queue(), r), own, func(k, i int, wait float64) bool {
		if i == last {
			waits[k] = wait
		}
		return i != last
	})
	slices.Sort(waits)
	return waits, err
}

// Starts returns the waits from now on of each queued job, in the order of the queue. The
// element is nil for a job that does not fit the machine.
func (s *Schedules) Starts() ([]DrawnWaits, error) {
	waits := make([]DrawnWaits, len(s.machine.Queued))
	for i := range waits {
		if s.machine.admits(&s.machine.Queued[i]) == nil {
			waits[i] = make(DrawnWaits, len(s.lengths))
		}
	}
	err := s.simulate(s.queue(), nil, func(k, i int, wait float64) bool {
		waits[i][k] = wait
		return true
	})
	for _, w := range waits {
		slices.Sort(w)
	}
	return waits, err
}

func (s *Schedules) queue() []*workload.Request {
	queue := make([]*workload.Request, 0, len(s.machine.Queued)+1)
	for i := range s.machine.Queued {
		queue = append(queue, &s.machine.Queued[i])
	}
	return queue
}

// simulate simulates a queue in all schedules. If its last job is a request, own holds
// its run time in each schedule; otherwise own is nil. started is called as by
// Snapshot.schedule, with the index k of the schedule, from several goroutines.
func (s *Schedules) simulate(queue []*workload.Request, own []float64, started func(k, i int, wait float64) bool) error {
	faults := make([]error, len(s.lengths))
	par.Each(par.Workers(0), len(s.lengths), func(k int) {
		lengths := s.lengths[k]
		if own != nil {
			lengths = append(slices.Clip(lengths), own[k])
		}
		faults[k] = s.machine.schedule(s.drawn.Policy, queue, lengths, func(i int, wait float64) bool { return started(k, i, wait) })
	})
	for k, err := range faults {
		if err != nil {
			return fmt.Errorf("schedule %d: %w", k+1, err)
		}
	}
	return nil
}
