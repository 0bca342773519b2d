package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// watched is a machine that is watched, and the store of what happens on it.
type watched struct {
	feed    live.Feed
	origin  time.Time
	journal *journal.Journal // nil without a store
	end     func() error     // ends the source; may be nil
}

// watch opens the source and the store.
func (o *serveOptions) watch(ctx context.Context, a *app, log *slog.Logger) (*watched, error) {
	w := &watched{}
	if err := o.open(ctx, a, w); err != nil {
		return nil, errors.Join(err, w.close())
	}
	switch {
	case w.journal == nil:
		log.Warn("no --store: answers are not kept, and a restart begins anew")
	case w.journal.Cut() > 0:
		log.Info("the end of a line was cut off, which was being written when the service ended", "store", o.Store, "bytes", w.journal.Cut())
	}
	return w, nil
}

func (o *serveOptions) open(ctx context.Context, a *app, w *watched) error {
	if o.Source.Replay != "" {
		return o.openReplay(ctx, a, w)
	}
	return o.openMachine(a, w)
}

// openMachine opens the source of a machine, which goes on where the store ends.
func (o *serveOptions) openMachine(a *app, w *watched) error {
	s := &o.Source
	history := time.Now().Add(-time.Duration(s.HistoryDays * 24 * float64(time.Hour)))
	w.origin = monday(history)
	kind := "slurm"
	if s.State != "" {
		kind = "files"
	}
	if err := o.openStore(w, kind); err != nil {
		return err
	}
	since := history
	if w.journal != nil {
		w.origin = w.journal.Begin().Origin.Local()
		last, ok, err := w.journal.Last()
		if err != nil {
			return err
		}
		if ok {
			since = w.origin.Add(time.Duration(last * float64(time.Second)))
		}
	}
	interval := time.Duration(s.Interval * float64(time.Second))
	names := &watch.Names{}
	name, source, err := s.open(a, watch.Options{Origin: w.origin, Names: names, Since: since, Timeout: timeout(interval)})
	if err != nil {
		return err
	}
	w.end = source.Close
	w.feed = live.Watch(name, source, names, w.origin, interval)
	return nil
}

// open opens the source, and says what it is.
func (s *sourceOptions) open(a *app, o watch.Options) (name string, source watch.Source, err error) {
	if s.Slurm {
		return "slurm", watch.Commands(o), nil
	}
	source, err = watch.Files(o, watch.FileOptions{State: s.State, History: s.History, Log: a.readOptions(), Processors: s.Processors})
	return s.State, source, err
}

// timeout is how long a query may take.
func timeout(interval time.Duration) time.Duration {
	return min(max(4*interval, 2*time.Second), time.Minute)
}

// monday is the midnight with which a week began. Logs without a start begin there, too.
func monday(t time.Time) time.Time {
	days := (int(t.Weekday()) + 6) % 7
	return time.Date(t.Year(), t.Month(), t.Day()-days, 0, 0, 0, 0, t.Location())
}

// openReplay opens a log that is played.
func (o *serveOptions) openReplay(ctx context.Context, a *app, w *watched) error {
	s := &o.Source
	open := func() (*workload.Log, error) {
		log, err := logfile.Open(s.Replay, a.readOptions())
		if err == nil {
			clock, _ := log.Header.Clock()
			w.origin = clock.Start
		}
		return log, err
	}
	feed, err := live.Replay(ctx, open, live.ReplayOptions{Speed: s.Speed, Interval: s.Interval, Processors: s.Processors})
	if errors.Is(err, workload.ErrNoMachine) {
		err = fmt.Errorf("%w: give --procs", err)
	}
	if err != nil {
		return about(s.Replay, err)
	}
	w.feed, w.end = feed, feed.Close
	return o.openStore(w, "replay of "+filepath.Base(s.Replay))
}

// openStore opens the store, if there is one. Its origin is that of w if it is new.
func (o *serveOptions) openStore(w *watched, source string) (err error) {
	if o.Store == "" {
		return nil
	}
	if w.journal, err = journal.Open(o.Store, journal.Begin{Origin: w.origin, Source: source}); err != nil {
		return err
	}
	if saw := w.journal.Begin().Source; saw != source {
		return &workload.InputError{File: o.Store, Saw: "a store of the source " + saw, Want: "one of the source " + source + ": give another --store"}
	}
	return nil
}
