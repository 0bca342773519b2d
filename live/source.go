package live

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// SourceOptions are the options of OpenSource. Exactly one of Slurm, State and Replay must be
// set.
type SourceOptions struct {
	Slurm       bool     `opt:"slurm" group:"What to watch, one of them" common:"true" help:"watch Slurm by its commands: squeue, sacct, scontrol"`
	State       string   `opt:"state" common:"true" help:"watch this <file> of running and waiting jobs, such as output of squeue; it is read again when it changes"`
	Replay      string   `opt:"replay" common:"true" help:"replay this <log> as if it were live, for a demo or an evaluation"`
	Interval    float64  `opt:"interval" unit:"seconds" in:"[0.1,1e12]" default:"30" group:"How to watch it" help:"<seconds> between polls, or a time such as 2m; in a replay, of the log, by default --speed if that is more"`
	HistoryDays float64  `opt:"history-days" in:"[0,3660]" usual:"30" for:"slurm" help:"<days> of sacct's history that a new service learns from first"`
	History     []string `opt:"history" for:"state" common:"true" help:"<logs> of jobs that ended before, by commas"`
	Speed       float64  `opt:"speed" in:"(0,1e12]" default:"1000" for:"replay" common:"true" help:"seconds of the log that pass in one second"`
	Processors  int64    `opt:"procs" in:"[1,)" for:"state|replay" help:"processors of the machine (default: the log's header)"`

	// Log are the options for reading logs.
	Log workload.Options
}

// Source is a machine that is watched, or a log that is replayed, with the store of its
// events.
type Source struct {
	Feed    Feed
	Origin  time.Time
	Journal *journal.Journal // nil without a store

	end func() error // ends the source; may be nil
}

// OpenSource opens a source and its store, a folder; if store is "" there is none. The events of
// a machine continue where the store ends.
func OpenSource(ctx context.Context, o SourceOptions, store string) (*Source, error) {
	s := &Source{}
	open := s.openMachine
	if o.Replay != "" {
		open = func(o SourceOptions, store string) error { return s.openReplay(ctx, o, store) }
	}
	if err := open(o, store); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close closes the source, and then the store.
func (s *Source) Close() error {
	var err error
	if s.end != nil {
		err = s.end()
	}
	if s.Journal != nil {
		err = errors.Join(err, s.Journal.Close())
	}
	return err
}

func (s *Source) openMachine(o SourceOptions, store string) error {
	since := time.Now().Add(-time.Duration(o.HistoryDays * 24 * float64(time.Hour)))
	s.Origin = monday(since)
	kind, name := "slurm", "slurm"
	if o.State != "" {
		kind, name = "files", o.State
	}
	if err := s.openStore(store, kind); err != nil {
		return err
	}
	if s.Journal != nil {
		s.Origin = s.Journal.Begin().Origin.Local()
		if last, ok := s.Journal.Last(); ok {
			since = s.Origin.Add(time.Duration(last * float64(time.Second)))
		}
	}
	interval := time.Duration(o.Interval * float64(time.Second))
	names := &watch.Names{}
	// The time limit for a query.
	timeout := min(max(4*interval, 2*time.Second), time.Minute)
	from := watch.Options{Origin: s.Origin, Names: names, Since: since, Timeout: timeout}
	source := watch.Commands(from)
	if !o.Slurm {
		source = watch.Files(from, watch.FileOptions{State: o.State, History: o.History, Log: o.Log, Processors: o.Processors})
	}
	s.Feed = Watch(name, source, names, s.Origin, interval)
	return nil
}

// monday returns the midnight with which the week of t began. Logs without a start time begin
// on a Monday too.
func monday(t time.Time) time.Time {
	days := (int(t.Weekday()) + 6) % 7
	return time.Date(t.Year(), t.Month(), t.Day()-days, 0, 0, 0, 0, t.Location())
}

func (s *Source) openReplay(ctx context.Context, o SourceOptions, store string) error {
	open := func() (*workload.Log, error) {
		log, err := logfile.Open(o.Replay, o.Log)
		if err == nil {
			clock, _ := log.Header.Clock()
			s.Origin = clock.Start
		}
		return log, err
	}
	feed, err := Replay(ctx, open, ReplayOptions{Speed: o.Speed, Interval: o.Interval, Processors: o.Processors})
	if errors.Is(err, workload.ErrNoMachine) {
		err = fmt.Errorf("%w: give --procs", err)
	}
	if err != nil {
		return workload.About(o.Replay, err)
	}
	s.Feed, s.end = feed, feed.Close
	return s.openStore(store, "replay of "+filepath.Base(o.Replay))
}

// openStore opens the store, if there is one. A new store has the origin of the source.
func (s *Source) openStore(store, source string) (err error) {
	if store == "" {
		return nil
	}
	if s.Journal, err = journal.Open(store, journal.Begin{Origin: s.Origin, Source: source}); err != nil {
		return err
	}
	if saw := s.Journal.Begin().Source; saw != source {
		return &workload.InputError{File: store, Saw: "a store of the source " + saw, Want: "one of the source " + source + ": give another --store"}
	}
	return nil
}
