package score

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	daySeconds  = 86400.0
	weekSeconds = 7 * daySeconds

	// BlockWeeks is the number of successive weeks in a block that the
	// bootstrap draws. Blocks are needed because successive weeks are not independent.
	BlockWeeks = 4
	// LeastWeeks is the smallest number of whole weeks for which a log is
	// bootstrapped: two blocks.
	LeastWeeks = 2 * BlockWeeks
	// mostWeeks is the largest number of weeks into which a log is divided: some 190 years.
	mostWeeks = 10_000
)

// Weeks is a log divided into weeks from its first submission on. Jobs after
// the last whole week are left out.
type Weeks struct {
	jobs   []workload.Job // in order of submission
	starts []int          // index in jobs of the start of each week, and of the end of the last
	first  float64        // first submission, s
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

// N returns the number of whole weeks.
func (w *Weeks) N() int { return len(w.starts) - 1 }

// Of returns the week of a time in seconds, counted from 0.
func (w *Weeks) Of(submit float64) int {
	return int(min(math.Floor((submit-w.first)/weekSeconds), mostWeeks))
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
// Politis and Romano 1992). Each draw has its own random stream, derived from the
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

// Traits returns the traits of the workload made of the given weeks, one after another. order
// contains numbers of weeks, each of which may occur several times or not at all;
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

// WeeklySchedule is the schedule of a log, divided by the weeks in which jobs
// are submitted, from which a bootstrap draws weeks.
type WeeklySchedule struct {
	policy, loop string
	tau          float64
	processors   int64
	weeks        []scheduledWeek
	waits        []weekWait // ascending once finished
}

type scheduledWeek struct{ jobs, wait, slowdown, work float64 }

type weekWait struct {
	wait float64
	week int
}

// NewWeeklySchedule returns an empty WeeklySchedule. tau is the threshold of
// bounded slowdown in seconds.
func NewWeeklySchedule(policy, loop string, tau float64, processors int64) *WeeklySchedule {
	return &WeeklySchedule{policy: policy, loop: loop, tau: tau, processors: processors}
}

// Name returns the policy, and OpenLoop or ClosedLoop.
func (s *WeeklySchedule) Name() (policy, loop string) { return s.policy, s.loop }

// Add adds a job with its simulated wait. week is the week, counted from 0, in
// which the log has its submission. It skips the jobs that ScheduleTally.Add
// skips.
func (s *WeeklySchedule) Add(j *workload.Job, week int) {
	if !isScheduled(j) || week < 0 {
		return
	}
	for len(s.weeks) <= week {
		s.weeks = append(s.weeks, scheduledWeek{})
	}
	w := &s.weeks[week]
	w.jobs++
	w.wait += j.Wait
	w.slowdown += boundedSlowdown(j, s.tau)
	if j.Size > 0 {
		w.work += float64(j.Size) * j.Run
	}
	s.waits = append(s.waits, weekWait{j.Wait, week})
}

// Finish prepares the schedule for draws. No job can be added afterwards.
func (s *WeeklySchedule) Finish() {
	slices.SortFunc(s.waits, func(a, b weekWait) int { return cmp.Compare(a.wait, b.wait) })
}

// drawn returns the traits of the schedule with each week repeated the given number of times.
// A quantile is the smallest wait that at least the given share of the jobs does not exceed.
func (s *WeeklySchedule) drawn(times []int) scheduleTraits {
	var sum scheduledWeek
	weeks := 0.0
	for w, n := range times {
		weeks += float64(n)
		if w < len(s.weeks) {
			x, n := s.weeks[w], float64(n)
			sum.jobs, sum.wait, sum.slowdown, sum.work = sum.jobs+n*x.jobs, sum.wait+n*x.wait, sum.slowdown+n*x.slowdown, sum.work+n*x.work
		}
	}
	return scheduleTraits{s.policy, s.loop, [scheduleMeasures]float64{
		sum.wait / sum.jobs, s.quantile(times, sum.jobs*.5), s.quantile(times, sum.jobs*.9),
		sum.slowdown / sum.jobs, sum.work / (weeks * weekSeconds * float64(s.processors))}}
}

// quantile returns the smallest wait that at least the given number of jobs do not exceed, with
// each week repeated the given number of times.
func (s *WeeklySchedule) quantile(times []int, jobs float64) float64 {
	upTo := 0.0
	for _, x := range s.waits {
		if x.week < len(times) {
			if upTo += float64(times[x.week]); upTo >= jobs && upTo > 0 {
				return x.wait
			}
		}
	}
	return missing
}
