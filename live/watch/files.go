package watch

import (
	"cmp"
	"context"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// FileOptions are the options of Files.
type FileOptions struct {
	// State is the file with the waiting and running jobs: the output of squeue --json
	// or a log that ends at the present moment, in any format that logfile.Open reads.
	State string
	// History lists logs of jobs that have ended. The first poll reads them.
	History []string
	// Log contains the options for opening the files.
	Log workload.Options
	// Processors is the size of the machine; 0 means the size in the header of
	// State.
	Processors int64
}

// Files returns a source that reads files. It reads the state again when its modification
// time changes. While the state cannot be read, for example because it is being written,
// Poll returns an error.
//
// The moment of a poll is the latest time in the state. For a listing of Slurm
// it is the modification time of the file, if that is later by less than a day. If a
// file has no date, its second 0 is Options.Origin.
func Files(o Options, f FileOptions) Source { return &files{o: o, f: f} }

// files is a Source that reads files.
type files struct {
	o       Options
	f       FileOptions
	written time.Time // modification time of the state
	last    *Poll     // nil before the first
}

// Poll implements Source.
func (s *files) Poll(ctx context.Context) (*Poll, error) {
	info, err := os.Stat(s.f.State)
	if err != nil {
		return nil, err
	}
	if s.last != nil && info.ModTime().Equal(s.written) {
		again := *s.last
		again.Ended, again.Warnings, again.Partial = nil, nil, true
		return &again, nil
	}
	p := &Poll{At: math.Inf(-1)}
	listing, err := s.readListing(p)
	if err == nil && !listing {
		err = s.readLog(ctx, s.f.State, p)
	}
	if err != nil {
		return nil, err
	}
	// The times in a listing do not show when it was made.
	if at := s.o.seconds(unix(info.ModTime())); listing && at > p.At && (at < p.At+86400 || len(p.Jobs) == 0) {
		p.At = at
	}
	if math.IsInf(p.At, -1) {
		return nil, &workload.InputError{File: s.f.State, Saw: "no job with a submission time, and no date", Want: "jobs that run or wait"}
	}
	c := &p.Capacity
	c.Processors = cmp.Or(s.f.Processors, c.Processors)
	if c.Total = c.Processors; c.Total > 0 {
		for i := range p.Jobs {
			if j := &p.Jobs[i]; !j.Pending() && j.Size > 0 {
				c.Used += j.Size
			}
		}
		c.Free = max(0, c.Processors-c.Used)
	}
	for _, path := range s.f.History {
		if s.last == nil {
			var history Poll
			if err := s.readLog(ctx, path, &history); err != nil {
				return nil, err
			}
			p.Ended, p.Warnings = append(p.Ended, history.Ended...), append(p.Warnings, history.Warnings...)
		}
	}
	s.written, s.last = info.ModTime(), p
	return p, nil
}

// readListing reads the state if it is a listing of Slurm's, including the scheduler's data on
// waiting jobs. It returns false if the state is something else.
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
	p.At, err = s.o.readQueue(p, s.f.State, f, s.f.Log)
	return true, err
}

// readLog reads the ended, waiting and running jobs of a log into a poll.
func (s *files) readLog(ctx context.Context, path string, p *Poll) error {
	log, err := logfile.Open(path, s.f.Log)
	if err != nil {
		return err
	}
	defer log.Close()
	shift := 0.0
	if clock, _ := log.Header.Clock(); clock.Known {
		shift = s.o.seconds(unix(clock.Start))
	}
	for j, err := range log.Jobs() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		j.MoveTo(j.Submit + shift)
		seen := Sighting{Job: j, Label: labelOf(&j), Expected: math.NaN(), Priority: workload.Unknown, Withdrawn: math.NaN()}
		if j.Run >= 0 || j.Status == workload.StatusCancelled {
			p.Ended = append(p.Ended, seen)
		} else {
			p.Jobs = append(p.Jobs, seen)
		}
		for _, t := range []float64{j.Submit, j.Start(), j.End()} {
			if t > p.At && !math.IsInf(t, 1) {
				p.At = t
			}
		}
	}
	texts := map[int]map[int64]string{}
	for _, c := range workload.NamedColumns() {
		texts[c] = log.Header.Names(workload.NameKey(c)) // complete only at the end of the log
	}
	for _, list := range [][]Sighting{p.Jobs, p.Ended} {
		for i := range list {
			s.o.Names.renumber(&list[i].Job, func(column int, number int64) string {
				return cmp.Or(texts[column][number], strconv.FormatInt(number, 10))
			})
		}
	}
	if taken, known := log.Taken(); known {
		p.At = max(p.At, taken+shift)
	}
	p.Capacity.Processors, _ = log.Header.Processors()
	p.Warnings = append(p.Warnings, workload.WarningsAbout(log.Name, log.Warnings())...)
	return nil
}
