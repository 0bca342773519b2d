package predictions

import (
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The predictors of expected waits in a store: simulated schedules, which are named as in
// the service, and the machine's own scheduler.
const (
	StorePlan      = "drawn"
	StoreScheduler = "scheduler"
)

// ReadStore reads the answers that a live service gave (package live/journal): bounds, and
// the two expected waits. They are of the jobs of the same store, read as a log, by their
// rows. Answers that a service gave while it trained are left out.
func ReadStore(dir string) (*Table, error) {
	t := &Table{name: dir, of: OfWaits, byRow: true}
	s := storeReader{table: t, open: map[int64]*openJob{}, now: math.Inf(-1)}
	for e, err := range journal.Read(dir) {
		if err != nil {
			return nil, err
		}
		if err := s.take(e); err != nil {
			return nil, err
		}
	}
	for _, j := range s.open {
		s.leave(j, s.now)
	}
	if len(s.table.Predictors) == 0 {
		return nil, &workload.InputError{File: dir, Saw: "no job with an answer that is scored", Want: "one at least: a service trains first"}
	}
	if s.outwaited > 0 {
		t.odd.Count(workload.Warning{Rule: "outwaited", Count: s.outwaited,
			Text: "jobs that had not started when their wait exceeded a bound, or that were withdrawn after it had: the bounds count as missed"})
	}
	t.nameAll()
	return t, nil
}

// openJob is a job that waits.
type openJob struct {
	place  int32
	submit float64
}

type storeReader struct {
	table     *Table
	open      map[int64]*openJob // by their rows in the store
	now       float64            // s, the latest event
	outwaited int64
}

func (s *storeReader) take(e journal.Entry) error {
	switch e := e.(type) {
	case *journal.Expect:
		if j := s.open[e.Row]; j != nil && s.table.Jobs[j.place].scored {
			return s.expected(j.place, e)
		}
	case *journal.Event:
		s.now = max(s.now, e.Time)
		switch e.Kind {
		case workload.Submit:
			return s.submitted(e)
		case workload.Start:
			if j := s.open[e.Job.Row]; j != nil {
				s.table.Jobs[j.place].started = true
				delete(s.open, e.Job.Row)
			}
		case workload.Finish:
			if j := s.open[e.Job.Row]; j != nil {
				s.leave(j, e.Time)
				delete(s.open, e.Job.Row)
			}
		}
	}
	return nil
}

// submitted adds a job, whose place is its row in the log.
func (s *storeReader) submitted(e *journal.Event) error {
	place := s.table.add(Job{id: e.Job.ID, scored: e.Scored})
	s.open[e.Job.Row] = &openJob{place, e.Job.Submit}
	if !e.Scored {
		return s.table.checkCells()
	}
	for i := range e.Answers {
		a := &e.Answers[i]
		if err := s.set(place, a.Predictor, float64(a.Quantile), float64(a.Seconds)); err != nil {
			return err
		}
	}
	return nil
}

// expected adds the expected waits of a job, and bounds from simulated schedules.
func (s *storeReader) expected(place int32, e *journal.Expect) error {
	for i := range min(len(e.Quantiles), len(e.Bounds)) {
		if err := s.set(place, StorePlan, e.Quantiles[i], e.Bounds[i]); err != nil {
			return err
		}
	}
	return errors.Join(s.set(place, StorePlan, 0, float64(e.Ours)), s.set(place, StoreScheduler, 0, float64(e.Theirs)))
}

// set gives a predictor its prediction of a job. One of waits, of quantile 0, that never has
// any is none.
func (s *storeReader) set(place int32, name string, quantile, seconds float64) error {
	k := key{name: name, quantile: quantile}
	if math.IsNaN(seconds) && s.table.named[k] == nil && (quantile == 0 || name == StorePlan) {
		return nil
	}
	return s.table.set(s.table.predictor(k), place, seconds)
}

// leave counts the bounds that a job has outwaited without a start.
func (s *storeReader) leave(j *openJob, now float64) {
	any := false
	for _, p := range s.table.Predictors {
		if bound := p.Of(j.place); !math.IsNaN(p.Quantile) && now-j.submit > bound {
			p.Outwaited++
			any = true
		}
	}
	if any {
		s.outwaited++
	}
}
