package watch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// FileOptions are the options of Files.
type FileOptions struct {
	// State is a list of the jobs that wait and run, such as the output of squeue
	// --json, or a log that is cut at a moment, in any format that logfile.Open reads.
	State string
	// History are logs of jobs that have ended.
	History []string
	// Log contains the options with which the files are opened.
	Log workload.Options
	// Processors is the size of the machine; 0 means that of the state's
	// header.
	Processors int64
}

// Files returns a source that reads files, again when their times or sizes
// change. While a changed file cannot be read, for example because it is being
// written, polls show its earlier content, with a warning.
//
// The moment of a poll is the latest time in the state. For a listing of Slurm
// it is the time at which the file was written, if that is within a day. If a
// file has no date, Options.Origin is its second 0.
func Files(o Options, f FileOptions) (Source, error) {
	if f.State == "" {
		return nil, errors.New("files: no file with the state, want one")
	}
	s := &files{o: o, f: f, state: watched{path: f.State}}
	for _, path := range f.History {
		s.history = append(s.history, watched{path: path})
	}
	return s, nil
}

// files is a source of files.
type files struct {
	o       Options
	f       FileOptions
	state   watched
	history []watched
	last    *Poll // nil before the first
}

// watched is a file, and how it was when it was read last.
type watched struct {
	path string
	size int64
	time time.Time
}

// Poll reads what has changed.
func (s *files) Poll(ctx context.Context) (*Poll, error) {
	p := &Poll{Partial: true}
	for i := range s.history {
		h := &s.history[i]
		var ended []Sighting
		_, err := h.reread(func(time.Time) (err error) { ended, err = s.ended(ctx, h.path, p); return err })
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && s.last == nil:
			return nil, err
		case err != nil:
			p.warn("unread-file", "cannot read a history, perhaps because it is being written: "+err.Error())
		}
		p.Ended = append(p.Ended, ended...)
	}
	changed, err := s.state.reread(func(written time.Time) error { return s.readState(ctx, p, written) })
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && s.last == nil:
		return nil, err
	case err != nil:
		p.warn("unread-file", "cannot read the state, perhaps because it is being written; the previous one is kept: "+err.Error())
	}
	if changed && err == nil {
		p.Partial = false
	} else {
		p.At, p.Jobs, p.Capacity = s.last.At, s.last.Jobs, s.last.Capacity
	}
	s.last = p
	return p, nil
}

// reread reads a file that has changed. It is an error if the file changes meanwhile.
func (w *watched) reread(read func(written time.Time) error) (changed bool, err error) {
	before, err := os.Stat(w.path)
	if err != nil {
		return false, err
	}
	if before.Size() == w.size && before.ModTime().Equal(w.time) {
		return false, nil
	}
	if err := read(before.ModTime()); err != nil {
		return true, err
	}
	after, err := os.Stat(w.path)
	if err != nil {
		return true, err
	}
	if after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return true, fmt.Errorf("%s: changed while it was read", w.path)
	}
	w.size, w.time = after.Size(), after.ModTime()
	return true, nil
}

// readState reads the state into a poll.
func (s *files) readState(ctx context.Context, p *Poll, written time.Time) error {
	q := Poll{At: math.Inf(-1)}
	listing, err := s.readListing(&q)
	if err == nil && !listing {
		err = s.readLog(ctx, s.f.State, &q, true)
	}
	if err != nil {
		return err
	}
	// A listing shows no moment later than its latest event.
	if at := unix(written) - unix(s.o.Origin); listing && at > q.At && (at < q.At+86400 || len(q.Jobs) == 0) {
		q.At = at
	}
	if math.IsInf(q.At, -1) {
		return &workload.InputError{File: s.f.State, Saw: "no job with a submission time, and no date", Want: "jobs that run or wait"}
	}
	if s.f.Processors > 0 {
		q.Capacity.Processors = s.f.Processors
	}
	if q.Capacity.Total = max(q.Capacity.Total, q.Capacity.Processors); q.Capacity.Processors > 0 {
		for i := range q.Jobs {
			if j := &q.Jobs[i]; !j.Pending() && j.Size > 0 {
				q.Capacity.Used += j.Size
			}
		}
		q.Capacity.Free = max(0, q.Capacity.Processors-q.Capacity.Used)
	}
	p.At, p.Jobs, p.Capacity = q.At, q.Jobs, q.Capacity
	p.Ended, p.Warnings = append(p.Ended, q.Ended...), append(p.Warnings, q.Warnings...)
	return nil
}

// readListing reads a state that is a listing of Slurm's, with what the scheduler says of
// jobs that wait; false where it is something else.
func (s *files) readListing(p *Poll) (bool, error) {
	f, err := os.Open(s.f.State)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if !slurm.IsQueue(f) {
		return false, nil
	}
	if _, err := f.Seek(0, 0); err != nil {
		return false, err
	}
	reader := newSlurmSource(s.f.State, nil, s.o)
	reader.log = s.f.Log
	return true, reader.readQueue(p, limit(f, s.o.MaxBytes))
}

// ended reads the jobs of a log that have ended.
func (s *files) ended(ctx context.Context, path string, p *Poll) ([]Sighting, error) {
	var q Poll
	if err := s.readLog(ctx, path, &q, false); err != nil {
		return nil, err
	}
	p.Warnings = append(p.Warnings, q.Warnings...)
	return q.Ended, nil
}

// Close releases nothing.
func (s *files) Close() error { return nil }
