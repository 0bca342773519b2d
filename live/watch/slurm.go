package watch

import (
	"context"
	"io"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Options are common to the sources.
type Options struct {
	// Origin is second 0 of the times that the source returns.
	Origin time.Time
	// Names gets the names of users, queues and the like; it must not be nil.
	Names *Names
	// Since is the time from which on the first poll looks for ended jobs: the
	// beginning of the history of a new service, or the last poll of one that
	// continues. The zero time means a day ago.
	Since time.Time
	// Timeout limits each query; 0 means a minute. A query for the jobs of
	// more than a day may take ten minutes.
	Timeout time.Duration
	// MaxBytes limits the size of each answer; 0 means 4 GiB.
	MaxBytes int64
}

const (
	// overlap is how far before the last poll the list of ended jobs begins:
	// accounting databases are behind by seconds, and by minutes when busy.
	overlap = 10 * time.Minute

	defaultTimeout  = time.Minute
	defaultMaxBytes = 4 << 30
)

// historyTimeout bounds a query for a history.
const historyTimeout = 10 * time.Minute

// timeout bounds a query.
func (o *Options) timeout() time.Duration {
	if o.Timeout <= 0 {
		return defaultTimeout
	}
	return o.Timeout
}

// patience bounds a query for what has ended since a moment.
func (o *Options) patience(since time.Time) time.Duration {
	if time.Since(since) > 24*time.Hour {
		return max(o.timeout(), historyTimeout)
	}
	return o.timeout()
}

// queries are what a Slurm source asks; tests have answers of their own. Each gives the answer
// to read, which is cut off at the limits of the Options.
type queries interface {
	queue(ctx context.Context, read func(io.Reader) error) error
	ended(ctx context.Context, since time.Time, read func(io.Reader) error) error
	nodes(ctx context.Context, read func(io.Reader) error) error
	partitions(ctx context.Context, read func(io.Reader) error) error
	reservations(ctx context.Context, read func(io.Reader) error) error
}

// slurmSource makes polls of the answers.
type slurmSource struct {
	queries
	o         Options
	name      string    // of the source, for messages
	since     time.Time // the last poll that had all, or where the history begins
	capacity  Capacity  // the last that was known
	uncounted int64     // processors in use that no job of the last poll accounts for
	log       workload.Options
	now       func() time.Time

	fault  error // why the list of ended jobs could not be had the last time
	faults int   // in a row, up to 4
	rest   int   // polls until it is asked for again
}

func newSlurmSource(name string, q queries, o Options) *slurmSource {
	s := &slurmSource{queries: q, o: o, name: name, since: o.Since, log: workload.Options{TimeZone: "UTC"}, now: time.Now}
	if s.since.IsZero() {
		s.since = s.now().Add(-24 * time.Hour)
	}
	return s
}

// Poll asks for the jobs that ended, then for the queue, then for the nodes: a job that
// ends in between is in the queue's list, and known to have ended at the next poll.
// Without the queue there is no poll; what else fails is a warning.
func (s *slurmSource) Poll(ctx context.Context) (*Poll, error) {
	p := &Poll{}
	began := s.now()
	if s.askEnded(ctx, p); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := s.queue(ctx, func(r io.Reader) error { return s.readQueue(p, r) }); err != nil {
		return nil, err
	}
	p.At = max(p.At, s.seconds(unix(s.now())))
	if !p.Partial {
		s.since = began
	}
	if err := s.readCapacity(ctx); err != nil {
		p.warn("no-capacity", "cannot get the state of the nodes, so that of an earlier poll is used: "+err.Error())
	}
	p.Capacity = s.capacity
	s.countHidden(p)
	return p, ctx.Err()
}

// askEnded asks for the jobs that have ended. A database that does not answer is asked
// again after 1, 3, 7 and then every 15 polls, because each poll would wait for it.
func (s *slurmSource) askEnded(ctx context.Context, p *Poll) {
	if s.rest > 0 {
		s.rest--
	} else if s.fault = s.ended(ctx, s.since.Add(-overlap), func(r io.Reader) error { return s.readEnded(p, r) }); s.fault != nil {
		s.faults = min(s.faults+1, 4)
		s.rest = 1<<s.faults - 1
	} else {
		s.faults = 0
	}
	if s.fault != nil {
		p.Ended, p.Partial = nil, true
		p.warn("no-accounting", "cannot get the list of ended jobs: "+s.fault.Error())
	}
}

func (p *Poll) warn(rule, text string) {
	p.Warnings = append(p.Warnings, workload.Warning{Rule: rule, Text: text, Count: 1})
}

func unix(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// seconds is a moment since 1970 on the caller's clock.
func (s *slurmSource) seconds(moment float64) float64 { return moment - unix(s.o.Origin) }

// Close releases nothing.
func (s *slurmSource) Close() error { return nil }
