package inspect

import (
	"context"
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Usage describes the utilisation of a machine, its queue over time, and the waits of jobs. NaN
// means unknown.
type Usage struct {
	// Unplaced is the share of the work (size times run time) that Utilisation does not count,
	// since the job's wait, and so the time when it ran, is unknown. It is NaN if there is no work.
	Unplaced float64
	// Utilisation is the processor time used from the first to the last submission, as a
	// fraction of the machine's capacity in that time; NaN if no job is placed or the size
	// of the machine is unknown. Jobs that run beyond the last submission count up to it.
	Utilisation float64
	Waits       WaitSummary // of all jobs
	Failed      float64     // share of the jobs known to have failed, completed or been cancelled

	Width     float64 // s, length of Intervals
	Intervals []UsageInterval
}

// WaitSummary summarises the waits of jobs, in seconds.
type WaitSummary struct {
	Jobs        int64 // number with a known wait
	Median, Q90 float64
}

// UsageInterval is an interval of some hours, days or weeks. The first begins at midnight on the
// site's clock.
type UsageInterval struct {
	Start   float64 // s, from the log's second 0
	Covered float64 // s, the part of it between the first and the last submission
	// Load is the work submitted and Utilisation the processor time used, both as a
	// fraction of the machine's capacity in Covered seconds.
	Load        float64
	Utilisation float64
	JobsWaiting float64 // in the queue, averaged over Covered seconds
}

// errChanged is the error for a log with jobs outside the time span that Describe found.
var errChanged = errors.New("the log changed while it was being read")

// Use reads a log once and measures the usage of its machine. d is the result of Describe for the
// same log, opened separately.
//
// Errors are those of the log's reader or of ctx, and an error for a log that has changed since d
// was made. The log is read to its end but not closed.
func Use(ctx context.Context, log *workload.Log, d *Description) (*Usage, error) {
	first, last := d.submissions()
	all := intervalsOf(d)
	var (
		unplaced float64 // processor s of jobs whose wait is unknown
		placed   bool    // start and end of some job are known
		waits    summary
	)
	for b, err := range workload.Until(ctx, log.Batches()) {
		if err != nil {
			return nil, err
		}
		for i := range b.Rows {
			submit, wait, run, size := submitOf(b, i), b.Float(workload.ColWaitTime, i), b.Float(workload.ColRunTime, i), b.Size(i)
			if math.IsNaN(submit) {
				continue
			}
			if !(submit >= first && submit <= last) {
				return nil, errChanged
			}
			if !(wait >= 0 && wait <= latestTime) {
				wait = math.NaN()
			}
			waits.add(wait)
			work := workOf(size, run)
			if start := submit + wait; wait >= 0 && run >= 0 && run <= latestTime && size != workload.Unknown {
				placed = true
				all.overlaps(max(start, first), min(start+run, last), func(x *interval, seconds float64) { x.busy += seconds * float64(size) })
			} else {
				unplaced += work
			}
			all.overlaps(submit, min(submit+wait, last), func(x *interval, seconds float64) { x.queue += seconds })
			all.at(submit).work += work
		}
	}
	processors := number(int64(d.Log.Processors))
	share := func(isKnown bool, part, whole float64) float64 {
		if isKnown && whole > 0 {
			return part / whole
		}
		return math.NaN()
	}
	jobs := func(status int64) float64 { return float64(d.Status[workload.Status(status)]) }
	failed := jobs(workload.StatusFailed) + jobs(workload.StatusLastFailed)
	out := &Usage{
		Unplaced: unplaced / d.Work, Width: all.width,
		Waits:  WaitSummary{waits.known(), float64(waits.quantile(0.5)), float64(waits.quantile(0.9))},
		Failed: failed / (failed + jobs(workload.StatusCompleted) + jobs(workload.StatusLastCompleted) + jobs(workload.StatusCancelled)),
	}
	busy := 0.0
	for k, x := range all.list {
		busy += x.busy
		from := all.from + float64(k)*all.width
		covered := max(0, min(from+all.width, last)-max(from, first))
		out.Intervals = append(out.Intervals, UsageInterval{
			Start: from, Covered: covered,
			Load:        share(d.Work > 0, x.work, processors*covered),
			Utilisation: share(placed, x.busy, processors*covered),
			JobsWaiting: share(out.Waits.Jobs > 0, x.queue, covered),
		})
	}
	out.Utilisation = share(placed, busy, processors*(last-first))
	return out, nil
}

// interval accumulates the usage in a part of a log's time.
type interval struct {
	work  float64 // processor s of the jobs submitted
	busy  float64 // processor s of the jobs that ran
	queue float64 // s of jobs waiting
}

// intervals divides a log's time into equal parts.
type intervals struct {
	from, width float64 // s
	list        []interval
}

// intervalsOf covers a log's submissions with intervals of some hours, days or weeks that begin at
// midnight, and no more of them than a chart can show.
func intervalsOf(d *Description) intervals {
	first, last := d.submissions()
	if !(last >= first) {
		return intervals{}
	}
	const most = 200
	width := 3600.0
	for _, longer := range []float64{3, 6, 12, 24, 7 * 24, 28 * 24, 84 * 24, 364 * 24} {
		if (last-first)/width > most-2 {
			width = 3600 * longer
		}
	}
	for (last-first)/width > most-2 {
		width *= 2
	}
	midnight := 0.0 // at or before the first submission
	if day := (workload.Calendar{Word: "day", Clock: d.Clock}); day.Number(first) != workload.Unknown {
		p, _ := day.Period(day.Number(first))
		midnight = p.From
	}
	from := midnight + math.Floor((first-midnight)/width)*width
	return intervals{from, width, make([]interval, int((last-from)/width)+1)}
}

// at returns the interval of a submission.
func (all *intervals) at(t float64) *interval { return &all.list[int((t-all.from)/all.width)] }

// overlaps calls use for each interval that overlaps the time between from and to, with the number
// of seconds that it does.
func (all *intervals) overlaps(from, to float64, use func(x *interval, seconds float64)) {
	if !(from < to) {
		return
	}
	for k := int((from - all.from) / all.width); k < len(all.list); k++ {
		begin := all.from + float64(k)*all.width
		if begin >= to {
			return
		}
		use(&all.list[k], min(to, begin+all.width)-max(from, begin))
	}
}
