package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// nowState is a state file: its jobs, and the machine at one moment.
type nowState struct {
	header     workload.Header
	clock      workload.Clock
	now        float64 // s of its clock
	processors int64   // 0 where neither it nor the user says
	jobs       []workload.Job
	lines      []int64
	names      *nowNaming
	shared     bool // several jobs may have one number
	snapshot   *predict.Snapshot
}

// readState reads a state file whole: it is small, or a log that is cut at a
// moment.
func (a *app) readState(ctx context.Context, o *predictOptions) (*nowState, error) {
	log, err := a.open(o.now.state)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	s := &nowState{names: newNowNaming()}
	latest := math.Inf(-1)
	for j, err := range until(ctx, log.Jobs()) {
		if err != nil {
			return nil, err
		}
		s.jobs, s.lines = append(s.jobs, j), append(s.lines, log.Line(j.Row))
		for _, t := range []float64{j.Submit, j.Start(), j.End(), j.Submit + j.Run} {
			if t > latest && !math.IsInf(t, 1) {
				latest = t
			}
		}
	}
	s.header = log.Header
	s.clock, _ = s.header.Clock()
	s.names.learn(s.header)
	a.warnAll(o.now.state, log.Warnings())
	s.shared = log.Format == "squeue" // which has looked itself
	for _, w := range log.Warnings() {
		s.shared = s.shared || w.Rule == "shared-id" || w.Rule == "waiting-tasks"
	}
	s.now = latest
	if taken, ok := log.Taken(); ok {
		s.now = max(latest, taken)
	}
	if o.now.at != "" {
		if s.now, err = s.moment(o.now.at); err != nil {
			return nil, usagef(a.cmd, "--at: %w", err)
		}
		// Only a log that is cut at a moment has others.
		if taken, ok := log.Taken(); ok && log.Format == "squeue" && math.Abs(s.now-taken) > 60 {
			a.warn("%s: its jobs' START_TIME and TIME say that it was taken at %s, not at --at %s", o.now.state, s.at(taken), s.when())
		}
	}
	if math.IsInf(s.now, -1) {
		return nil, &workload.InputError{File: o.now.state, Saw: "no job with a submission time", Want: "jobs that run or wait"}
	}
	s.processors = o.processors
	if n, ok := s.header.Processors(); ok && s.processors == 0 {
		s.processors = n
	}
	return s, nil
}

// moment reads --at.
func (s *nowState) moment(text string) (float64, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return x, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		at, err := time.ParseInLocation(layout, text, s.clock.Start.Location())
		if err != nil {
			continue
		}
		if !s.clock.Known {
			return 0, fmt.Errorf("saw %q, and the state has no date: want seconds from its start", text)
		}
		return at.Sub(s.clock.Start).Seconds(), nil
	}
	return 0, fmt.Errorf("saw %q, want seconds or a time such as 2024-05-31T14:30:00", text)
}

// place finds out what each job does at the moment.
func (s *nowState) place(a *app, o *predictOptions) error {
	b, err := predict.NewSnapshotBuilder(s.now, s.processors)
	if err != nil {
		return err
	}
	var warnings workload.Warnings
	b.SharedIDs, b.Warnings = s.shared, &warnings
	later := 0
	for i := range s.jobs {
		standing, err := b.Add(&s.jobs[i], s.lines[i])
		var fault *workload.InputError
		if errors.As(err, &fault) {
			fault.File = o.now.state
		}
		if err != nil {
			return err
		}
		if standing == predict.Unsubmitted && s.jobs[i].Submit > s.now {
			later++
		}
	}
	s.snapshot = b.Snapshot()
	a.warnAll(o.now.state, warnings.List())
	if later > 0 {
		a.warn("%s: %d %s submitted after the moment of the state: left out", o.now.state, later, present.Plural(later, "job is", "jobs are"))
	}
	if len(s.snapshot.Running)+len(s.snapshot.Queued) == 0 {
		a.warn("%s: nothing runs or waits at %s", o.now.state, s.when())
	}
	return nil
}

// when is the moment for people.
func (s *nowState) when() string { return s.at(s.now) }

func (s *nowState) at(moment float64) string {
	if !dated(s.clock, moment) {
		return present.Sig(moment) + " s"
	}
	return s.clock.At(moment).Format("2006-01-02 15:04:05 MST")
}
