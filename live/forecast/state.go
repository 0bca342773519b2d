package forecast

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// State is the jobs of a machine at one moment.
type State struct {
	name       string
	header     workload.Header
	clock      workload.Clock
	now        float64 // s of its clock
	first      float64 // s, the first submission; +Inf where there is none
	latest     bool    // now is the last moment that the log shows
	processors int64   // 0 where neither the header nor the caller says
	jobs       []workload.Job
	lines      []int64
	listing    bool // of the queue at one moment: by squeue or scontrol
	sharedIDs  bool // several jobs may have one number
	warnings   []workload.Warning
}

// StateOptions contains what a log does not tell of the state of the machine.
type StateOptions struct {
	// At is the moment: seconds of the log's clock, or a time such as
	// 2024-05-31T14:30:00 in the log's zone. "" means the latest time in the
	// log.
	At string `opt:"at" group:"The machine" common:"true" help:"<time> of the state: seconds, or such as 2024-05-31T14:30 (default: the latest)"`
	// Processors is the size of the machine; 0 means that of the header.
	Processors int64 `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`
}

// ReadState reads the jobs of a log to its end: a list of running and waiting
// jobs, or a log that is cut at a moment. It keeps them all in memory. The log
// is not closed.
//
// The error is a *workload.OptionError if At is not a time of the log, and a
// *workload.InputError if no job has a submission time.
func ReadState(ctx context.Context, log *workload.Log, o StateOptions) (*State, error) {
	if err := opt.Check(&o); err != nil {
		return nil, err
	}
	s := &State{name: log.Name, processors: o.Processors, first: math.Inf(1)}
	latest := math.Inf(-1)
	for j, err := range log.Jobs() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		s.jobs, s.lines = append(s.jobs, j), append(s.lines, log.Line(j.Row))
		if j.Submit < s.first {
			s.first = j.Submit
		}
		for _, t := range []float64{j.Submit, j.Start(), j.End(), j.Submit + j.Run} {
			if t > latest && !math.IsInf(t, 1) {
				latest = t
			}
		}
	}
	s.header = log.Header
	s.clock, _ = s.header.Clock()
	s.warnings = workload.WarningsAbout(log.Name, log.Warnings())
	s.listing = log.Format == "squeue" || log.Format == "scontrol"
	// Readers of listings have looked for them; in a store the tasks of an array that wait
	// share a number.
	s.sharedIDs = s.listing || log.Format == "store"
	for _, w := range s.warnings {
		s.sharedIDs = s.sharedIDs || w.Rule == "shared-id" || w.Rule == "waiting-tasks"
	}
	if err := s.setMoment(log, latest, o.At); err != nil {
		return nil, err
	}
	if n, ok := s.header.Processors(); ok && s.processors == 0 {
		s.processors = n
	}
	return s, nil
}

// Processors returns the size of the machine by StateOptions or the header; 0 if neither says.
func (s *State) Processors() int64 { return s.processors }

// setMoment sets the state's time: at, or the latest that the log shows.
func (s *State) setMoment(log *workload.Log, latest float64, at string) error {
	taken, known := log.Taken()
	s.now, s.latest = latest, at == ""
	if known {
		s.now = max(latest, taken)
	}
	if at != "" {
		var err error
		if s.now, err = s.moment(at); err != nil {
			return err
		}
		// Only a log that is cut at a moment has others.
		if known && s.listing && math.Abs(s.now-taken) > 60 {
			s.warnings = append(s.warnings, workload.Warning{Rule: "other-moment", About: s.name, Count: 1,
				Text: fmt.Sprintf("by its jobs' START_TIME and TIME it was taken at %s, not at %s", s.date(taken), s.date(s.now))})
		}
		if after := s.now - latest; !s.listing && after > longAfter && !math.IsInf(after, 1) {
			s.warnings = append(s.warnings, workload.Warning{Rule: "after-the-log", About: s.name, Count: 1,
				Text: fmt.Sprintf("the log ends at %s, %s before the moment asked about: the answer rests on the log's last jobs", s.date(latest), longWords(after))})
		}
	}
	if math.IsInf(s.now, -1) {
		return &workload.InputError{File: s.name, Saw: "no job with a submission time", Want: "jobs that run or wait"}
	}
	return nil
}

// longAfter is how long after a log's end, in seconds, a moment is that the log says
// little about.
const longAfter = 7 * 86400

// longWords writes a length of time of a week or more in days or months.
func longWords(seconds float64) string {
	const day, month = 86400, 365.25 / 12 * 86400
	if seconds < 3*month {
		return fmt.Sprintf("%.0f days", seconds/day)
	}
	return fmt.Sprintf("%.0f months", seconds/month)
}

// moment reads StateOptions.At.
func (s *State) moment(text string) (float64, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return x, nil
	}
	fault := &workload.OptionError{Option: "at", Saw: strconv.Quote(text), Want: "seconds or a time such as 2024-05-31T14:30:00"}
	if at, ok := workload.ParseDate(text, s.clock.Start.Location()); ok {
		if !s.clock.Known {
			fault.Want = "seconds from the start of the state, which has no date"
			return 0, fault
		}
		return at.Sub(s.clock.Start).Seconds(), nil
	}
	return 0, fault
}

// snapshot finds out what each job does at the moment, on a machine of that size.
func (s *State) snapshot(processors int64) (*predict.Snapshot, []workload.Warning, error) {
	b, err := predict.NewSnapshotBuilder(s.now, processors)
	if err != nil {
		return nil, nil, err
	}
	var warnings workload.Warnings
	b.SharedIDs, b.Warnings = s.sharedIDs, &warnings
	for i := range s.jobs {
		j := &s.jobs[i]
		standing, err := b.Add(j, s.lines[i])
		var fault *workload.InputError
		if errors.As(err, &fault) {
			fault.File = s.name
		}
		if err != nil {
			return nil, nil, err
		}
		if standing == predict.Unsubmitted && j.Submit > s.now {
			warnings.Add("submitted-later", "jobs submitted after the moment of the state: left out", s.lines[i], j.Label())
		}
	}
	snapshot := b.Snapshot()
	if len(snapshot.Running)+len(snapshot.Queued) == 0 {
		text := "nothing runs or waits at " + s.date(s.now)
		if s.latest {
			text += ", the last time in the log: give an earlier one with --at"
		}
		warnings.Add("empty-state", text, 0, "")
	}
	fits := func(r workload.Request) bool { return r.Size > 0 && r.Size <= processors }
	if len(snapshot.Running) == 0 && slices.ContainsFunc(snapshot.Queued, fits) {
		warnings.Add("idle-machine", "no job runs, and jobs wait that fit on the machine: if its nodes are drained, down or reserved, no request starts now, and the predictions do not hold", 0, "")
	}
	if len(snapshot.Queued) == 0 && s.noWaits() {
		warnings.Add("no-waits", "no job has a wait, so who was waiting is unknown: every job counts as started when it was submitted, and the answers assume an empty queue. Use a log with waits or the output of squeue, or add simulated waits: loadstone simulate", 0, "")
	}
	return snapshot, workload.WarningsAbout(s.name, warnings.List()), nil
}

// noWaits reports whether the state is a log of jobs that ran, none of which has a
// known wait: it cannot show a queue. A listing shows one without waits.
func (s *State) noWaits() bool {
	return !s.listing && slices.ContainsFunc(s.jobs, func(j workload.Job) bool { return j.Run >= 0 }) &&
		!slices.ContainsFunc(s.jobs, func(j workload.Job) bool { return j.Wait >= 0 })
}

// date writes a second of the state's clock for people.
func (s *State) date(seconds float64) string {
	if !s.clock.Dates(seconds) {
		return fmt.Sprintf("%g s", seconds)
	}
	return s.clock.At(seconds).Format("2006-01-02 15:04:05 MST")
}
