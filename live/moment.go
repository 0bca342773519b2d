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

// Logs contains the logs of a machine. The first shows the running and waiting jobs at a moment:
// it is a listing of the queue, or a log that is cut at that moment. The others contain jobs that
// ended before.
type Logs struct{ all []shownLog }

// shownLog is a log with its own clock and names.
type shownLog struct {
	name       string
	header     workload.Header
	clock      workload.Clock
	latest     float64 // s, the last time in the log; -Inf if there is none
	listing    bool    // a listing of the queue at one moment, by squeue or scontrol
	ranked     bool    // waiting jobs are in the scheduler's order
	sharedIDs  bool    // several jobs may have the same number
	processors int64   // 0 if the header does not contain it
	jobs       []workload.Job
	lines      []int64
	warnings   []workload.Warning
}

// Add reads all jobs of a log into memory. It does not close the log. Errors are those of
// the reader and of the context.
func (l *Logs) Add(ctx context.Context, log *workload.Log) error {
	s := shownLog{name: log.Name, latest: math.Inf(-1)}
	for j, err := range workload.Until(ctx, log.Jobs()) {
		if err != nil {
			return err
		}
		s.jobs, s.lines = append(s.jobs, j), append(s.lines, log.Line(j.Row))
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
	s.ranked = log.Ranked()
	s.listing = log.Format == "squeue" || log.Format == "scontrol"
	// The readers of listings have already checked the numbers; in a store, the waiting tasks of
	// an array share a number.
	s.sharedIDs = s.listing || log.Format == "store" || slices.ContainsFunc(s.warnings, func(w workload.Warning) bool {
		return w.Rule == "shared-id" || w.Rule == "waiting-tasks"
	})
	l.all = append(l.all, s)
	return nil
}

// Processors returns the size of the machine from the first header that contains it, or 0 if
// none does.
func (l *Logs) Processors() int64 {
	for i := range l.all {
		if n := l.all[i].processors; n > 0 {
			return n
		}
	}
	return 0
}

// moment contains everything known about a machine at one moment.
type moment struct {
	*predict.Snapshot
	names watch.Names
	// jobs holds the jobs submitted so far, in order of submission. A running job has an
	// infinite run time, and a waiting job an infinite wait. Times are by the first log's clock.
	jobs         []workload.Job
	ended, waits int             // number of jobs with a finite run time, and with a finite wait
	met          map[jobKey]bool // jobs of the first log
	warnings     []workload.Warning
}

// jobKey identifies a job across several logs.
type jobKey struct {
	id     int64
	submit float64
}

// at cuts the logs at a moment: the given time, in seconds of the first log's clock or as a date
// in its time zone, or the last time in the first log if time is "".
func (l *Logs) at(time string, processors int64) (*moment, error) {
	first := &l.all[0]
	m := &moment{met: map[jobKey]bool{}}
	now := first.latest
	if time != "" {
		var err error
		if now, err = first.moment(time); err != nil {
			return m, err
		}
	}
	if math.IsInf(now, -1) {
		return m, &workload.InputError{File: first.name, Saw: "no job with a submission time", Want: "jobs that run or wait"}
	}
	m.warnings = append(m.warnings, first.warnings...)
	if processors = cmp.Or(processors, l.Processors()); processors == 0 {
		return m, fmt.Errorf("%s: %w", first.name, ErrNoProcessors)
	}
	number := l.numbering(&m.names)
	if err := m.look(first, now, processors, number(0)); err != nil {
		return m, err
	}
	for i := 1; i < len(l.all); i++ {
		m.recall(&l.all[i], first, now, number(i))
	}
	waits := map[bool]int{true: 1} // of jobs submitted at the same time, waiting ones come last
	slices.SortStableFunc(m.jobs, func(a, b workload.Job) int {
		return cmp.Or(cmp.Compare(a.Submit, b.Submit), cmp.Compare(waits[math.IsInf(a.Wait, 1)], waits[math.IsInf(b.Wait, 1)]))
	})
	for i := range m.jobs {
		m.jobs[i].Row = int64(i)
	}
	return m, nil
}

// numbering returns a function that returns, for the index of a log, a function that gives its
// requests the numbers of a common dictionary.
func (l *Logs) numbering(names *watch.Names) func(log int) func(*workload.Request) {
	var headers []*workload.Header
	for i := range l.all {
		headers = append(headers, &l.all[i].header)
	}
	return func(log int) func(*workload.Request) { return translator(names, headers[log], headers...) }
}

func (m *moment) warn(rule, about, format string, args ...any) {
	m.warnings = append(m.warnings, workload.Warning{Rule: rule, About: about, Text: fmt.Sprintf(format, args...), Count: 1})
}

// moment parses a time: seconds of the log's clock or a date.
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

// date formats a time of the log's clock for people.
func (s *shownLog) date(seconds float64) string {
	if !s.clock.Dates(seconds) {
		return fmt.Sprintf("%g s", seconds)
	}
	return s.clock.At(seconds).Format("2006-01-02 15:04:05 MST")
}

// look determines the state of each job of the first log at the time now.
func (m *moment) look(s *shownLog, now float64, processors int64, number func(*workload.Request)) error {
	b, err := predict.NewSnapshotBuilder(now, processors)
	if err != nil {
		return err
	}
	var left workload.Warnings
	b.SharedIDs, b.Warnings = s.sharedIDs, &left
	ran, waited := false, false
	for i, j := range s.jobs {
		ran, waited = ran || j.Run >= 0, waited || j.Wait >= 0
		number(&j.Request)
		_, err := b.Add(&j, s.lines[i])
		var fault *workload.InputError
		if errors.As(err, &fault) {
			fault.File = s.name
		}
		if err != nil {
			return err
		}
		if m.take(j, now); j.ID != workload.Unknown {
			m.met[jobKey{j.ID, j.Submit}] = true
		}
	}
	if m.Snapshot = b.Snapshot(); s.ranked { // otherwise in order of submission
		slices.SortFunc(m.Queued, func(a, b workload.Request) int { return cmp.Compare(a.Row, b.Row) })
	}
	m.warnings = append(m.warnings, workload.WarningsAbout(s.name, left.List())...)
	if days := (now - s.latest) / 86400; days >= 1 {
		m.warn("after-the-log", s.name, "the log ends %.4g days before the requested time (%s): later jobs are unknown", days, s.date(now))
	}
	if len(m.Running)+len(m.Queued) == 0 {
		m.warn("empty-state", s.name, "nothing runs or waits at %s: if that is the last time in the log, give an earlier one with --at", s.date(now))
	}
	if len(m.Queued) == 0 && ran && !waited && !s.listing {
		m.warn("no-waits", s.name, "no job has a wait, so who was waiting is unknown: every job counts as started when it was submitted, and the answers assume an empty queue. Use a log with waits or the output of squeue, or add simulated waits: loadstone simulate")
	}
	return nil
}

// recall adds the jobs of another log, as known at the time now, except those that are in the
// first log, which may be a part of it.
func (m *moment) recall(s, first *shownLog, now float64, number func(*workload.Request)) {
	shift, earliest := m.shift(s, first, now), math.Inf(1)
	for _, j := range s.jobs {
		j.MoveTo(j.Submit + shift)
		if j.Submit < earliest {
			earliest = j.Submit
		}
		if !m.met[jobKey{j.ID, j.Submit}] {
			number(&j.Request)
			m.take(j, now)
		}
	}
	if m.warnings = append(m.warnings, s.warnings...); earliest > now && len(s.jobs) > 0 {
		m.warn("later-than-state", s.name, "all of its jobs, the first at %s, were submitted after the state (%s), so that it says nothing of the past: if local times were read in a wrong time zone, name the right one (--timezone)",
			first.date(earliest), first.date(now))
	}
}

// shift returns the number of seconds to add to a log's times to get those of the first log.
func (m *moment) shift(s, first *shownLog, now float64) float64 {
	switch {
	case s.clock.Known && first.clock.Known:
		return s.clock.Start.Sub(first.clock.Start).Seconds()
	case s.clock.Known != first.clock.Known && !math.IsInf(s.latest, 0):
		m.warn("one-date", s.name, "either this log or the state has no date: the log is assumed to end at the time of the state")
		return now - s.latest
	}
	return 0
}

// take adds a job as known at the time now, if it has been submitted.
func (m *moment) take(j workload.Job, now float64) {
	switch predict.StandingAt(&j, now) {
	case predict.Ended:
	case predict.Running:
		// Its end and its resource usage are not known yet.
		j.Run, j.Status, j.CPUTime = math.Inf(1), workload.Unknown, math.NaN()
		j.UsedMemory, j.UsedMemoryTotal, j.Energy = math.NaN(), math.NaN(), math.NaN()
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

// replay yields the jobs in order of submission.
func (m *moment) replay(yield func(workload.Job, error) bool) {
	for i := range m.jobs {
		if !yield(m.jobs[i], nil) {
			return
		}
	}
}

// partitions reports whether the jobs belong to several partitions.
func (m *moment) partitions() bool {
	return slices.ContainsFunc(m.jobs, func(j workload.Job) bool { return j.Partition != m.jobs[0].Partition })
}
