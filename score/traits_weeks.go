package score

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/workload"
)

const weekSeconds = 7 * 86400.0

const (
	// BlockWeeks is the length of the blocks of weeks that a bootstrap draws: a
	// month of a log, whose weeks depend on each other.
	BlockWeeks = 4
	// LeastWeeks is how many whole weeks a log must have for a bootstrap: two
	// blocks.
	LeastWeeks = 2 * BlockWeeks
)

// Weeks is a log cut into the weeks from its first submission on. What stands
// after the last whole week is left out.
type Weeks struct {
	jobs   []workload.Job // by submission
	starts []int          // of each week in jobs, and the end
	first  float64        // s
}

// NewWeeks cuts jobs, which come by submission with known times, into weeks. The
// jobs are not copied.
func NewWeeks(jobs []workload.Job) *Weeks {
	w := &Weeks{jobs: jobs, starts: []int{0}}
	if len(jobs) == 0 {
		return w
	}
	w.first = jobs[0].Submit
	whole := int(min((jobs[len(jobs)-1].Submit-w.first)/weekSeconds, mostWeeks))
	for i := range jobs {
		for len(w.starts) <= whole && jobs[i].Submit >= w.first+float64(len(w.starts))*weekSeconds {
			w.starts = append(w.starts, i)
		}
	}
	return w
}

// mostWeeks bounds the weeks that a log is cut into: 200 years.
const mostWeeks = 10_000

// N returns the number of whole weeks.
func (w *Weeks) N() int { return len(w.starts) - 1 }

// Of returns the week of a time in seconds, counted from 0.
func (w *Weeks) Of(submit float64) int {
	return int(min(math.Floor((submit-w.first)/weekSeconds), mostWeeks))
}

// Traits returns those of the weeks in an order in which a week may come several times
// or not at all, laid end to end. order is of the numbers of weeks; schedules are
// those of the log.
func (w *Weeks) Traits(order []int, processors int64, schedules []*WeeklySchedule) *Traits {
	t := NewTraitsTally(processors)
	times := make([]int, w.N())
	for at, week := range order {
		times[week]++
		for i := w.starts[week]; i < w.starts[week+1]; i++ {
			j := w.jobs[i]
			j.MoveTo(j.Submit + float64(at-week)*weekSeconds)
			t.Add(&j)
		}
	}
	out := t.Finish()
	for _, s := range schedules {
		out.schedules = append(out.schedules, s.drawn(times))
	}
	return out
}

// Kept returns all weeks in their order.
func (w *Weeks) Kept() []int {
	order := make([]int, w.N())
	for i := range order {
		order[i] = i
	}
	return order
}

// Draw draws as many weeks as there are, in blocks of BlockWeeks that follow each
// other in the log, the first after the last (the circular block bootstrap of
// Politis and Romano 1992). Each draw has a stream of the seed of its own.
func (w *Weeks) Draw(seed uint64, draw int) []int {
	rng := rand.New(rand.NewPCG(seed, uint64(draw)))
	n := w.N()
	order := make([]int, 0, n)
	for len(order) < n {
		from := rng.IntN(n)
		for k := 0; k < BlockWeeks && len(order) < n; k++ {
			order = append(order, (from+k)%n)
		}
	}
	return order
}
