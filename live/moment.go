package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Logs are what is known of a machine: the first shows who runs and waits at a moment, as a
// listing of the queue or a log that is cut there; the others have jobs that ended before.
type Logs struct{ all []shownLog }

// shownLog is a log in its own clock and with its own names.
type shownLog struct {
	name       string
	header     workload.Header
	clock      workload.Clock
	latest     float64 // s, the last moment that it shows; -Inf where there is none
	lastEnd    float64 // s; -Inf where there is none
	listing    bool    // of the queue at one moment: by squeue or scontrol
	sharedIDs  bool    // several jobs may have one number
	processors int64   // 0 where the header does not say
	jobs       []workload.Job
	lines      []int64
	warnings   []workload.Warning
}

// Add reads the jobs of a log to its end and keeps them in memory. The log is not
// closed. An error is the reader's, or the context's.
func (l *Logs) Add(ctx context.Context, log *workload.Log) error {
	s := shownLog{name: log.Name, latest: math.Inf(-1), lastEnd: math.Inf(-1)}
	for j, err := range workload.Until(ctx, log.Jobs()) {
		if err != nil {
			return err
		}
		s.jobs, s.lines = append(s.jobs, j), append(s.lines, log.Line(j.Row))
		if end := j.End(); end > s.lastEnd {
			s.lastEnd = end
		}
		for _, t := range []float64{j.Submit, j.Start(), j.End(), j.Submit + j.Run} {
			if t > s.latest && !math.IsInf(t, 1) {
				s.latest = t
			}
		}
	}
	if taken, ok := log.Taken(); ok {
		s.latest = max(s.latest, taken)
	}
	s.header = log.Header
	s.clock, _ = s.header.Clock()
	s.processors, _ = s.header.Processors()
	s.warnings = workload.WarningsAbout(log.Name, log.Warnings())
	s.listing = log.Format == "squeue" || log.Format == "scontrol"
	// Readers of listings have looked for them; in a store the tasks of an array that wait
	// share a number.
	s.sharedIDs = s.listing || log.Format == "store" || slices.ContainsFunc(s.warnings, func(w workload.Warning) bool {
		return w.Rule == "shared-id" || w.Rule == "waiting-tasks"
	})
	l.all = append(l.all, s)
	return nil
}

// Processors returns the size of the machine by the first header that says; 0 if none does.
func (l *Logs) Processors() int64 {
	for i := range l.all {
		if n := l.all[i].processors; n > 0 {
			return n
		}
	}
	return 0
}

// moment is what was known of a machine at one moment.
type moment struct {
	*predict.Snapshot
	names watch.Names
	// jobs are those that had been submitted, by submission. The run time of one that runs,
	// and the wait of one that waits, is infinite. Times are of the first log's clock.
	jobs         []workload.Job
	ended, waits int // jobs with a run time, and with a wait
	warnings     []workload.Warning
}

// at cuts the logs at a moment, which is the last one that the first shows unless a time is
// given: seconds of its clock, or a date in its zone.
func (l *Logs) at(time string, processors int64) (*moment, error) {
	first := &l.all[0]
	m := &moment{}
	now := first.latest
	if time != "" {
		var err error
		if now, err = first.moment(time); err != nil {
			return m, err
		}
		const longAfter = 7 * 86400
		if after := now - first.latest; !first.listing && after > longAfter && !math.IsInf(after, 1) {
			m.warn("after-the-log", first.name, "the log ends at %s, %.0f days before the moment asked about: the answer rests on the log's last jobs", first.date(first.latest), after/86400)
		}
	}
	if math.IsInf(now, -1) {
		return m, &workload.InputError{File: first.name, Saw: "no job with a submission time", Want: "jobs that run or wait"}
	}
	m.warnings = append(m.warnings, first.warnings...)
	if processors = cmp.Or(processors, l.Processors()); processors == 0 {
		return m, fmt.Errorf("%s: %w", first.name, ErrNoProcessors)
	}
	if err := m.snapshot(first, now, processors, time == ""); err != nil {
		return m, err
	}
	m.takeAll(l, now)
	return m, nil
}

func (m *moment) warn(rule, about, format string, args ...any) {
	m.warnings = append(m.warnings, workload.Warning{Rule: rule, About: about, Text: fmt.Sprintf(format, args...), Count: 1})
}

// moment reads a time.
func (s *shownLog) moment(text string) (float64, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return x, nil
	}
	want := "seconds or a time such as 2024-05-31T14:30:00"
	if at, ok := workload.ParseDate(text, s.clock.Start.Location()); ok {
		if s.clock.Known {
			return at.Sub(s.clock.Start).Seconds(), nil
		}
		want = "seconds from the start of the state, which has no date"
	}
	return 0, workload.OptionFault("at", strconv.Quote(text), "%s", want)
}

// date writes a second of the clock for people.
func (s *shownLog) date(seconds float64) string {
	if !s.clock.Dates(seconds) {
		return fmt.Sprintf("%g s", seconds)
	}
	return s.clock.At(seconds).Format("2006-01-02 15:04:05 MST")
}

// snapshot finds out what each job of the first log does at the moment; latest is that it is
// the last one that the log shows.
func (m *moment) snapshot(s *shownLog, now float64, processors int64, latest bool) error {
	b, err := predict.NewSnapshotBuilder(now, processors)
	if err != nil {
		return err
	}
	var left workload.Warnings
	b.SharedIDs, b.Warnings = s.sharedIDs, &left
	ran, waited := false, false
	for i := range s.jobs {
		j := &s.jobs[i]
		ran, waited = ran || j.Run >= 0, waited || j.Wait >= 0
		_, err := b.Add(j, s.lines[i])
		var fault *workload.InputError
		if errors.As(err, &fault) {
			fault.File = s.name
		}
		if err != nil {
			return err
		}
	}
	m.Snapshot = b.Snapshot()
	m.warnings = append(m.warnings, workload.WarningsAbout(s.name, left.List())...)
	if len(m.Running)+len(m.Queued) == 0 {
		earlier := ""
		if latest {
			earlier = ", the last time in the log: give an earlier one with --at"
		}
		m.warn("empty-state", s.name, "nothing runs or waits at %s%s", s.date(now), earlier)
	}
	if len(m.Queued) == 0 && ran && !waited && !s.listing {
		m.warn("no-waits", s.name, "no job has a wait, so who was waiting is unknown: every job counts as started when it was submitted, and the answers assume an empty queue. Use a log with waits or the output of squeue, or add simulated waits: loadstone simulate")
	}
	return nil
}

// takeAll takes what the logs show of the jobs by a moment. A job of the first may be in
// another one, too, from which it was cut.
func (m *moment) takeAll(l *Logs, now float64) {
	type key struct {
		id     int64
		submit float64
	}
	met := map[key]bool{}
	var headers []*workload.Header
	for i := range l.all {
		headers = append(headers, &l.all[i].header)
	}
	for i := range l.all {
		s := &l.all[i]
		shift, number, earliest := m.shift(l, s, now), translator(&m.names, &s.header, headers...), math.Inf(1)
		for _, j := range s.jobs {
			if math.IsNaN(j.Submit) {
				continue
			}
			j.MoveTo(j.Submit + shift)
			earliest = min(earliest, j.Submit)
			if i == 0 {
				met[key{j.ID, j.Submit}] = j.ID != workload.Unknown
			} else if met[key{j.ID, j.Submit}] {
				continue
			}
			number(&j.Request)
			m.take(j, now)
		}
		if i == 0 {
			// The requests of the snapshot are numbered as the others are.
			for k := range m.Running {
				number(m.Running[k].Request)
			}
			for k := range m.Queued {
				number(&m.Queued[k])
			}
			continue
		}
		if m.warnings = append(m.warnings, s.warnings...); earliest > now && len(s.jobs) > 0 {
			m.warn("later-than-state", s.name, "all of its jobs, the first at %s, were submitted after the state (%s), so that it says nothing of the past: if local times were read in a wrong time zone, name the right one (--timezone)",
				l.all[0].date(earliest), l.all[0].date(now))
		}
	}
	slices.SortStableFunc(m.jobs, func(a, b workload.Job) int {
		waits := func(j workload.Job) bool { return math.IsInf(j.Wait, 1) }
		switch {
		case a.Submit != b.Submit || waits(a) == waits(b):
			return cmp.Compare(a.Submit, b.Submit)
		case waits(b):
			return -1
		}
		return 1
	})
	for i := range m.jobs {
		m.jobs[i].Row = int64(i)
	}
}

// shift is what a log's seconds differ by from the first one's.
func (m *moment) shift(l *Logs, s *shownLog, now float64) float64 {
	first := &l.all[0]
	switch {
	case s.clock.Known && first.clock.Known:
		return s.clock.Start.Sub(first.clock.Start).Seconds()
	case s.clock.Known != first.clock.Known && !math.IsInf(s.lastEnd, 0):
		m.warn("one-date", s.name, "only one of it and the state has a date: its last job is assumed to have ended at the time of the state")
		return now - s.lastEnd
	}
	return 0
}

// take adds what is known of a job now.
func (m *moment) take(j workload.Job, now float64) {
	switch predict.StandingAt(&j, now) {
	case predict.Ended:
	case predict.Running:
		// Neither its end nor what came of it is known yet.
		j.Run, j.CPUTime, j.UsedMemory, j.Status = math.Inf(1), math.NaN(), math.NaN(), workload.Unknown
	case predict.Queued:
		request := j.Request
		j = workload.UnknownJob()
		j.Request, j.Wait = request, math.Inf(1)
	default:
		return
	}
	if j.Run >= 0 && !math.IsInf(j.Run, 1) {
		m.ended++
	}
	if j.Wait >= 0 && !math.IsInf(j.Wait, 1) {
		m.waits++
	}
	m.jobs = append(m.jobs, j)
}

// replay yields the jobs, by submission.
func (m *moment) replay(yield func(workload.Job, error) bool) {
	for i := range m.jobs {
		if !yield(m.jobs[i], nil) {
			return
		}
	}
}

// partitions reports whether the jobs are of several partitions.
func (m *moment) partitions() bool {
	return slices.ContainsFunc(m.jobs, func(j workload.Job) bool { return j.Partition != m.jobs[0].Partition })
}
