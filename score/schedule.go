package score

import (
	"cmp"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// DefaultTau is the default threshold of bounded slowdown in seconds: shorter
// run times count as this long (Feitelson and Rudolph 1998).
const DefaultTau = 10

// ScheduleTally accumulates the scores of a schedule. The zero value is empty.
type ScheduleTally struct {
	// Tau is the threshold of bounded slowdown in seconds; 0 means DefaultTau.
	// Set it before the first job.
	Tau float64
	// Processors is the size of the machine, for the utilisation; 0 if it is
	// unknown.
	Processors int64

	wait, response, slowdown spread
	waited                   int
	work, queued             float64 // work in processor seconds; sum of the waits, s
	first, last              float64 // first submission and last end, s
	line                     ScheduleLine
}

// Spread summarises the distribution of a quantity over jobs. Quantiles are
// those of a stats.Distribution.
type Spread struct {
	Mean   stats.Number `json:"mean" show:"mean" in:"[0,)" help:"mean *"`
	Median stats.Number `json:"median" show:"median" in:"[0,)" help:"median *"`
	Q90    stats.Number `json:"q90" in:"[0,)" help:"* that 90 % of the jobs do not exceed"`
	Q95    stats.Number `json:"q95" show:"95%" in:"[0,)" help:"* that 95 % of the jobs do not exceed"`
	Max    stats.Number `json:"max" show:"max" in:"[0,)" help:"longest *"`
}

type spread struct {
	moments   stats.Moments
	quantiles stats.Distribution
}

func (s *spread) add(x float64) {
	s.moments.Add(x)
	s.quantiles.Add(x)
}

func (s *spread) result() Spread {
	q := func(p float64) stats.Number { return stats.Number(s.quantiles.Quantile(p)) }
	return Spread{stats.Number(s.moments.Mean()), q(0.5), q(0.9), q(0.95), stats.Number(s.quantiles.Max())}
}

// Schedule contains the scores of a schedule. The tag study marks the scores that package
// sweep measures.
type Schedule struct {
	Jobs       int              `json:"jobs" show:"jobs" study:"" help:"jobs scheduled"`
	Processors workload.Integer `json:"processors"`     // Unknown if ScheduleTally.Processors is 0
	First      stats.Number     `json:"first_submit_s"` // s
	Last       stats.Number     `json:"last_end_s"`     // s

	Wait     Spread `json:"wait_s" row:"prefix" show:"wait,duration" study:"mean=main,drawn median q90=main,drawn q95 max=drawn" help:"wait"` // s, from submission to start
	Response Spread `json:"response_s" row:"prefix" study:"mean" help:"time from submission to end"`                                          // s, from submission to end
	// BoundedSlowdown is max(1, response / max(tau, run time)).
	BoundedSlowdown Spread       `json:"bounded_slowdown" row:"prefix" show:"slowdown" study:"mean=main,drawn median q95" help:"bounded slowdown"`
	WaitedPct       stats.Number `json:"waited_pct" show:"waited,%" in:"[0,100]" study:"" help:"jobs that wait"` // % of jobs with a wait above 0
	// Utilisation is Work divided by the machine's capacity from First to Last, in
	// [0, 1]; NaN if Processors is unknown.
	Utilisation stats.Number `json:"utilisation" show:"utilisation,share" in:"[0,1]" study:"main,drawn" help:"utilisation"`
	// QueuedMean is the number of waiting jobs, averaged over the time from
	// First to Last.
	QueuedMean stats.Number `json:"queued_mean" in:"[0,)" show:"queued mean" narrow:"1" study:"" help:"waiting jobs, mean over time"`
	// QueuedMost is the largest number of jobs that waited at once, and
	// QueuedMostAt the first time at which they did, s; unknown if
	// ScheduleTally.Queue was not called.
	QueuedMost   workload.Integer `json:"queued_most" study:"" help:"most waiting jobs at once"`
	QueuedMostAt stats.Number     `json:"queued_most_at_s"`

	// Throughput is nil if it was not requested.
	Throughput *Throughput `json:"throughput,omitempty" row:"flat"`

	Tau  float64 `json:"-"` // s
	Work float64 `json:"-"` // processor seconds
	// Line is the length of the queue and the use of the machine over time, as
	// reported to ScheduleTally.Queue.
	Line []SchedulePart `json:"-"`
}

// Add adds a job and reports whether it did. It skips jobs whose submission is unknown
// or infinite, or whose wait or run time is unknown, negative or infinite.
func (t *ScheduleTally) Add(j *workload.Job) bool {
	if !finite(j.Submit) || !isScheduled(j) {
		return false
	}
	response := j.Wait + j.Run
	if t.wait.moments.N() == 0 {
		t.first, t.last = j.Submit, j.Submit
	}
	t.first, t.last = min(t.first, j.Submit), max(t.last, j.Submit+response)
	t.wait.add(j.Wait)
	t.response.add(response)
	t.slowdown.add(boundedSlowdown(j, t.tau()))
	if j.Wait > 0 {
		t.waited++
	}
	t.queued += j.Wait
	if j.Size > 0 {
		t.work += float64(j.Size) * j.Run
	}
	return true
}

// isScheduled reports whether a job has a finite wait and run time of 0 or more.
func isScheduled(j *workload.Job) bool {
	return finite(j.Wait) && finite(j.Run) && j.Wait >= 0 && j.Run >= 0
}

func boundedSlowdown(j *workload.Job, tau float64) float64 {
	return max(1, (j.Wait+j.Run)/max(tau, j.Run))
}

func (t *ScheduleTally) tau() float64 { return cmp.Or(t.Tau, DefaultTau) }

// Queue reports the number of waiting jobs and the number of busy processors (or
// the amount of another resource in use) from a time in seconds until the time of
// the next call. Times must not decrease; of several calls for the same time, the
// last counts.
func (t *ScheduleTally) Queue(at float64, queued int, busy int64) { t.line.Add(at, queued, busy) }

// Result returns the scores of the jobs so far.
func (t *ScheduleTally) Result() Schedule {
	n, none := t.wait.moments.N(), stats.Number(math.NaN())
	s := Schedule{
		Jobs: n, Processors: workload.Integer(cmp.Or(t.Processors, workload.Unknown)), Tau: t.tau(),
		Wait: t.wait.result(), Response: t.response.result(), BoundedSlowdown: t.slowdown.result(),
		WaitedPct: stats.Number(100 * ratio(t.waited, n)),
		First:     stats.Number(t.first), Last: stats.Number(t.last), Work: t.work,
		Utilisation: none, QueuedMean: none,
		Line: t.line.Parts(),
	}
	if n == 0 {
		s.First, s.Last = none, none
	}
	if span := t.last - t.first; span > 0 {
		s.QueuedMean = stats.Number(t.queued / span)
		if t.Processors > 0 {
			s.Utilisation = stats.Number(t.work / (span * float64(t.Processors)))
		}
	}
	most, at := t.line.Most()
	s.QueuedMost, s.QueuedMostAt = most, stats.Number(at)
	return s
}

// Throughput is the amount of work that a schedule completes over time. In an
// open simulation it equals the rate of submissions as long as the machine
// keeps up; in a closed one it depends on the policy.
type Throughput struct {
	Makespan   stats.Number `json:"makespan_s"`                                                                                           // s, from the first submission to the last end
	JobsPerDay stats.Number `json:"jobs_per_day" show:"jobs a day" narrow:"1" study:"" help:"jobs that end a day; of closed simulations"` // jobs over the makespan
	WorkPerDay stats.Number `json:"processor_s_per_day"`                                                                                  // processor seconds over the makespan
}

// ThroughputOf returns the throughput of a schedule. All values are NaN if it
// has no job, and the rates are NaN if the makespan is 0.
func ThroughputOf(s *Schedule) *Throughput {
	const day = 86400
	nan := stats.Number(math.NaN())
	t := &Throughput{s.Last - s.First, nan, nan}
	if t.Makespan > 0 {
		t.JobsPerDay = stats.Number(s.Jobs) * day / t.Makespan
		t.WorkPerDay = stats.Number(s.Work) * day / t.Makespan
	}
	return t
}
