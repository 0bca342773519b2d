package watch

import (
	"context"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// Options are common to the sources.
type Options struct {
	// Origin is second 0 of the times that the source returns.
	Origin time.Time
	// Names gets the names of users, queues and the like; it must not be nil.
	Names *Names
	// Since is how far back the first poll looks for jobs that have ended: the
	// history of a new service, or the last poll of one that goes on. The zero
	// time is a day ago.
	Since time.Time
	// Timeout bounds each query; 0 is a minute.
	Timeout time.Duration
	// MaxBytes bounds each answer; 0 is 4 GiB.
	MaxBytes int64
}

const (
	// overlap is how far before the last poll the list of ended jobs begins:
	// accounting databases are behind by seconds, and by minutes when busy.
	overlap = 10 * time.Minute

	defaultTimeout  = time.Minute
	defaultMaxBytes = 4 << 30
)

// queries are what a Slurm source asks, by commands or by HTTP. Each gives the answer
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
	err := s.ended(ctx, s.since.Add(-overlap), func(r io.Reader) error { return s.readEnded(p, r) })
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		p.Ended, p.Partial = nil, true
		p.warn("no-accounting", "the list of ended jobs could not be had: "+err.Error())
	}
	if err := s.queue(ctx, func(r io.Reader) error { return s.readQueue(p, r) }); err != nil {
		return nil, err
	}
	p.At = max(p.At, s.seconds(unix(s.now())))
	if !p.Partial {
		s.since = began
	}
	if err := s.readCapacity(ctx); err != nil {
		p.warn("no-capacity", "the state of the nodes could not be had, that of an earlier poll is used: "+err.Error())
	}
	p.Capacity = s.capacity
	s.countHidden(p)
	return p, ctx.Err()
}

func (p *Poll) warn(rule, text string) {
	p.Warnings = append(p.Warnings, workload.Warning{Rule: rule, Text: text, Count: 1})
}

func unix(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// seconds is a moment since 1970 on the caller's clock.
func (s *slurmSource) seconds(moment float64) float64 { return moment - unix(s.o.Origin) }

// readQueue takes the jobs of the controller, of which some have ended.
func (s *slurmSource) readQueue(p *Poll, r io.Reader) error {
	q, err := slurm.ReadQueue(s.name+" jobs", r, s.log)
	if err != nil {
		return err
	}
	change := s.o.Names.translation(q.Names)
	p.Jobs = make([]Sighting, 0, len(q.Jobs))
	for i := range q.Jobs {
		in := &q.Jobs[i]
		out := Sighting{Job: in.Job, Label: cutName(in.Label), Expected: s.seconds(in.Expected), Priority: workload.Unknown,
			Held: in.Held, Reason: cutName(in.Reason), Withdrawn: s.seconds(in.Withdrawn)}
		s.place(&out.Job, change)
		if in.Given != nil {
			out.Priority = in.Given.Priority
		}
		switch {
		case in.Status == workload.Unknown:
			p.Jobs = append(p.Jobs, out)
		case in.Wait >= 0 && math.IsNaN(in.Run): // ended, nobody knows when
			p.Jobs = append(p.Jobs, out)
		default:
			p.Ended = append(p.Ended, out)
		}
	}
	if q.Taken > 0 {
		p.At = max(p.At, min(s.seconds(q.Taken), s.seconds(unix(s.now()))))
	}
	p.Warnings = append(p.Warnings, q.Warnings...)
	return nil
}

// readEnded takes jobs of the database.
func (s *slurmSource) readEnded(p *Poll, r io.Reader) error {
	e, err := slurm.ReadEnded(s.name+" accounting", r, s.log)
	if err != nil {
		return err
	}
	change := s.o.Names.translation(e.Names)
	p.Ended = make([]Sighting, 0, len(e.Jobs))
	for i := range e.Jobs {
		in := &e.Jobs[i]
		out := Sighting{Job: in.Job, Label: labelOf(&in.Job), Expected: math.NaN(), Priority: workload.Unknown, Withdrawn: s.seconds(in.Withdrawn)}
		s.place(&out.Job, change)
		p.Ended = append(p.Ended, out)
	}
	return nil
}

// labelOf is the name of a job without a label.
func labelOf(j *workload.Job) string {
	if j.ID == workload.Unknown {
		return ""
	}
	return strconv.FormatInt(j.ID, 10)
}

// place gives a job the caller's clock and numbers.
func (s *slurmSource) place(j *workload.Job, change translation) {
	j.MoveTo(s.seconds(j.Submit))
	change.apply(j)
}

// countHidden counts the processors in use that no job accounts for. Jobs may have started
// between the two questions: what counts is what two polls in a row show.
func (s *slurmSource) countHidden(p *Poll) {
	var held int64
	for i := range p.Jobs {
		if j := &p.Jobs[i]; !j.Pending() && j.Allocated > 0 {
			held += j.Allocated
		}
	}
	before := s.uncounted
	s.uncounted = max(0, p.Capacity.Used-held)
	p.Hidden = min(before, s.uncounted)
	if p.Hidden > 0 && p.Hidden*20 > p.Capacity.Used {
		p.warn("hidden-jobs", strconv.FormatInt(p.Hidden, 10)+" of "+strconv.FormatInt(p.Capacity.Used, 10)+
			" processors in use are of jobs that are not shown, as where PrivateData hides the jobs of other users")
	}
}

// Close releases nothing.
func (s *slurmSource) Close() error { return nil }
