package reshape

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Change counts the jobs of a log before and after a change, for its header. The
// zero value is ready for use: let the jobs pass through Before.Counting and then,
// changed, through After.Counting.
//
//	var change reshape.Change
//	jobs := change.After.Counting(alter(change.Before.Counting(log.Jobs())))
//	... // write the jobs
//	header := change.Header(log.Header, "myprogram", "run times doubled")
type Change struct {
	Before, After workload.FactsCounter
}

// Header returns a copy of the log's header h with a Note: note, followed by the lines more. It
// recomputes MaxJobs, MaxRecords and EndTime if the change made them wrong. by names the program
// that made the change, such as "loadstone sample". Call Header when all jobs have passed through
// both counters. EndTime stays if the last end did, since sites define it in different ways.
//
// Header knows only the jobs that the counters saw. A caller who simulates waits gives the jobs
// their simulated Wait before they pass After, because EndTime follows from it; names the policy in
// note; and first sets MaxProcs (and MaxNodes) in h if the simulated machine is of another size.
func (c *Change) Header(h workload.Header, by, note string, more ...string) workload.Header {
	h = h.Clone()
	h.Add("Note", note)
	h.Lines = append(h.Lines, more...)
	c.complete(&h, by)
	return h
}

// complete recomputes the values of a header that the change made wrong.
func (c *Change) complete(h *workload.Header, by string) {
	before, after := c.Before.Facts(), c.After.Facts()
	if after.End == before.End {
		after.End = workload.NoFacts().End
	}
	if after.Jobs == before.Jobs && after.Records == before.Records {
		after.Jobs, after.Records = workload.Unknown, workload.Unknown
	}
	h.Complete(after, by)
}

// Stream is a log that is changed while it is read.
type Stream struct {
	Log *workload.Log // the original, for the caller to close
	// Jobs yields the jobs of the changed log. It can be read once; Header and Warnings are
	// complete afterwards. It is an error if no job is left.
	Jobs workload.JobSeq

	change   Change
	note     func() []string // returns the lines of the note on the change, when all jobs have been read; nil for no note
	end      func() error    // returns the error of the log as a whole, or nil; nil for no check
	odd      workload.Warnings
	expected int64 // number of records found by an earlier reading; 0 if there was none
}

// ErrChanged is the error for a log that changed between two readings.
var ErrChanged = errors.New("the log changed while it was being read")

// alter passes the jobs of a log through change, which changes each or drops it.
func (s *Stream) alter(ctx context.Context, log *workload.Log, change func(*workload.Job) (keep bool, err error)) {
	s.Log = log
	jobs := workload.Pass(workload.Until(ctx, log.Jobs()), func(j *workload.Job) (bool, error) {
		s.change.Before.Add(j)
		keep, err := change(j)
		if keep {
			s.change.After.Add(j)
		}
		return keep, err
	})
	s.Jobs = func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if !yield(j, err) || err != nil {
				return
			}
		}
		if err := s.fault(); err != nil {
			yield(workload.Job{}, err)
		}
	}
}

// fault returns the error of a stream that has been read to its end, or nil.
func (s *Stream) fault() error {
	read := s.Records()
	if s.end != nil {
		if err := s.end(); err != nil {
			return err
		}
	}
	switch {
	case s.expected != 0 && s.expected != read:
		return ErrChanged
	case s.Kept() == 0 && read > 0:
		return fmt.Errorf("%w are left of %d: no output is written", workload.ErrNoJobs, read)
	}
	return nil
}

// Records returns the number of records read so far.
func (s *Stream) Records() int64 { return s.change.Before.Facts().Records }

// Kept returns the number of jobs yielded so far.
func (s *Stream) Kept() int64 { return s.change.After.Facts().Records }

// Header returns the changed log's header (see Change.Header) with a note on the change. by names
// the program that made it, such as "loadstone sample". Call Header after the jobs have been read.
func (s *Stream) Header(by string) workload.Header {
	if s.note == nil {
		h := s.Log.Header.Clone()
		s.change.complete(&h, by)
		return h
	}
	lines := s.note()
	return s.change.Header(s.Log.Header, by, lines[0], lines[1:]...)
}

// Warnings returns the warnings of the log and of the change. Call it after the jobs have
// been read.
func (s *Stream) Warnings() []workload.Warning {
	return slices.Concat(s.Log.Warnings(), s.odd.List())
}

// eachJob reads a log to its end or the first error.
func eachJob(ctx context.Context, log *workload.Log, use func(*workload.Job)) error {
	var j workload.Job // one allocation for all jobs
	for job, err := range workload.Until(ctx, log.Jobs()) {
		if err != nil {
			return err
		}
		j = job
		use(&j)
	}
	return nil
}

// rows opens a log and counts its jobs.
func rows(ctx context.Context, open func() (*workload.Log, error)) (n int64, err error) {
	_, err = workload.WithLog(open, func(log *workload.Log) error {
		for b, err := range workload.Until(ctx, log.Batches()) {
			if err != nil {
				return err
			}
			n += int64(b.Rows)
		}
		return nil
	})
	return n, err
}

// classesOf returns the classes by which a log is divided, those of the option by. If no job has
// one of them, reading the log ends with an error.
func classesOf(log *workload.Log, by string, options any) (*workload.Classifier, error) {
	classes, err := opt.Grouping(options, "by", &log.Header).ClassesBy(by)
	if err == nil {
		log.WatchClasses(classes, false)
	}
	return classes, err
}

// random returns the random number generator with the given seed.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
