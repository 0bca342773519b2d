package score

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The loops of a simulation. In an open loop jobs are submitted at the log's
// times. In a closed loop a job that depends on another is submitted after that
// job has ended.
const (
	OpenLoop   = "open"
	ClosedLoop = "closed"
)

// ScheduleTraits contains the scores of one schedule of a workload, for a
// Verdict.
type ScheduleTraits struct {
	Policy string
	Loop   string // OpenLoop or ClosedLoop
	values [scheduleMeasures]float64
}

// The numbers of a schedule.
const (
	waitMean = iota
	waitMedian
	waitQ90
	slowdownMean
	utilisationOf
	scheduleMeasures
)

// AddSchedule adds the scores of the workload's schedule under a policy. To be
// compared, workloads must have the same schedules in the same order.
func (t *Traits) AddSchedule(policy, loop string, s Schedule) {
	t.schedules = append(t.schedules, ScheduleTraits{policy, loop, [scheduleMeasures]float64{
		float64(s.Wait.Mean), float64(s.Wait.Median), float64(s.Wait.Q90), float64(s.BoundedSlowdown.Mean), float64(s.Utilisation)}})
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

// Add adds a job with its simulated wait. week is the week, counted from 0, in
// which the log has its submission. It skips the jobs that ScheduleTally.Add
// skips.
func (s *WeeklySchedule) Add(j *workload.Job, week int) {
	if !finite(j.Wait) || !finite(j.Run) || j.Wait < 0 || j.Run < 0 || week < 0 {
		return
	}
	for len(s.weeks) <= week {
		s.weeks = append(s.weeks, scheduledWeek{})
	}
	w := &s.weeks[week]
	w.jobs++
	w.wait += j.Wait
	w.slowdown += max(1, (j.Wait+j.Run)/max(s.tau, j.Run))
	if j.Size > 0 {
		w.work += float64(j.Size) * j.Run
	}
	s.waits = append(s.waits, weekWait{j.Wait, week})
}

// Finish makes the schedule ready to be drawn from. Nothing can be added
// afterwards.
func (s *WeeklySchedule) Finish() {
	slices.SortFunc(s.waits, func(a, b weekWait) int { return cmp.Compare(a.wait, b.wait) })
}

// drawn are the traits where each week comes so many times. A quantile is the
// smallest wait that so large a share of the jobs does not exceed.
func (s *WeeklySchedule) drawn(times []int) ScheduleTraits {
	out := ScheduleTraits{Policy: s.policy, Loop: s.loop}
	var sum scheduledWeek
	weeks := 0.0
	for w, n := range times {
		weeks += float64(n)
		if w < len(s.weeks) {
			x, n := s.weeks[w], float64(n)
			sum.jobs, sum.wait, sum.slowdown, sum.work = sum.jobs+n*x.jobs, sum.wait+n*x.wait, sum.slowdown+n*x.slowdown, sum.work+n*x.work
		}
	}
	v := &out.values
	v[waitMean], v[slowdownMean] = sum.wait/sum.jobs, sum.slowdown/sum.jobs
	v[utilisationOf] = sum.work / (weeks * weekSeconds * float64(s.processors))
	v[waitMedian], v[waitQ90] = s.quantile(times, sum.jobs*.5), s.quantile(times, sum.jobs*.9)
	return out
}

// quantile is the smallest wait that at least so many jobs do not exceed.
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
