package score

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/workload"
)

const weekSeconds = 7 * 86400.0

const (
	// BlockWeeks is the number of successive weeks in a block that the
	// bootstrap draws. Weeks of one month depend on each other.
	BlockWeeks = 4
	// LeastWeeks is the smallest number of whole weeks for which a log is
	// bootstrapped: two blocks.
	LeastWeeks = 2 * BlockWeeks
)

// Weeks is a log divided into weeks from its first submission on. Jobs after
// the last whole week are left out.
type Weeks struct {
	jobs   []workload.Job // by submission
	starts []int          // of each week in jobs, and the end
	first  float64        // s
}

// NewWeeks divides jobs into weeks. They must be in order of submission, with
// known times. The slice is not copied.
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

// Traits returns the traits of the given weeks laid end to end. order contains
// numbers of weeks, each of which may occur several times or not at all;
// schedules are those of the log.
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

// Kept returns the numbers of all weeks, in order: the log itself as a draw.
func (w *Weeks) Kept() []int {
	order := make([]int, w.N())
	for i := range order {
		order[i] = i
	}
	return order
}

// Draw draws as many weeks as there are, in blocks of BlockWeeks successive
// weeks, where the first week follows the last (the circular block bootstrap of
// Politis and Romano 1992). Each draw has its own random stream, made from the
// seed and the number of the draw.
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
