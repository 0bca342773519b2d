package predict

import (
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Predictor predicts waits at submission. It learns from events in the order of
// workload.Timeline, and is used by one goroutine. A question changes nothing.
type Predictor interface {
	Name() string
	// Learn takes the next event, whose job has what is known by then: its wait from its
	// start on, and its run time at its end. The job is valid during the call.
	Learn(e workload.Event) error
	// Ask predicts how long a request waits that is submitted to the machine at its
	// moment, when all that has happened by then has been learned. The machine is nil
	// for predictors that only learn from events, such as PastWaits.
	Ask(m *Snapshot, r *workload.Request) (Forecast, error)
}

// Forecast is the answer of a Predictor.
type Forecast struct {
	Expected     float64    // s; NaN for none, +Inf if no end is in sight
	Bounds       []Bound    // by quantile, not to be altered; nil for none
	Waits        DrawnWaits // the distribution, where there is one
	Observations int        // on which it rests
	Missing      string     // why there is no forecast; "" if there is one
}

// ErrNoWaits is the error for a log without any known wait.
var ErrNoWaits = errors.New("no job has a known wait")

// Replay replays a log with its own waits for predictors: each is asked about a job at its
// submission, when it has learned every event before that and no other.
type Replay struct {
	Predictors []Predictor
	// Processors are those of the machine that predictors are shown, and Sites those of a
	// machine for each partition, as in sched.Config. With neither they are shown nil. A
	// job that can never run there is not asked about: it has no size, is larger than the
	// machine, or its site has none.
	Processors int64
	Sites      map[int64]int64
	// Chosen selects the jobs that predictors are asked about; nil means all.
	Chosen func(*workload.Request) bool
	// Known says that the log tells what is known at a moment, at which it ends. A job
	// with an infinite wait still waits then, and one with an infinite run time runs. Jobs
	// whose wait is unknown are replayed too: one that has a run time runs from its
	// submission on, and another one was withdrawn.
	Known bool
}

// Replayed is a job that has started, with the forecasts at its submission.
type Replayed struct {
	Request   workload.Request
	Number    int64      // of replayed jobs submitted before it
	Forecasts []Forecast // of the predictors, in their order
	Actual    float64    // s, the wait
	// Overfull says that by the log's waits more processors were busy at its submission
	// than the machine has. The machine was taken to have that many.
	Overfull bool

	asked bool
	start float64 // s; NaN while it waits
}

// Jobs replays the jobs, which come in order of submission (workload.InOrder sorts them;
// otherwise the error is workload.ErrOrder), and yields each job that was asked about as it
// starts. What is yielded is valid until the next job.
//
// Jobs whose submission time or wait is unknown are left out (HasWait). A job whose run
// time is unknown ends as it starts: nobody will know when it ends.
//
// An error of the input or of a predictor ends the replay.
func (c Replay) Jobs(jobs iter.Seq2[workload.Job, error]) iter.Seq2[*Replayed, error] {
	return workload.Replay(jobs, &replay{Replay: c, machines: map[int64]*machine{}})
}

// HasWait reports whether a replay has a job: its submission time and its wait are known.
func HasWait(j *workload.Job) bool { return knownWait(j) && !math.IsNaN(j.Submit) }

// replay is the state of a Replay.
type replay struct {
	Replay
	machines  map[int64]*machine // by partition, Unknown for one machine
	underWay  []Replayed         // by slot
	submitted int64
	known     workload.Job // what predictors are told of
}

// Keeps implements workload.Learner.
func (r *replay) Keeps(j *workload.Job) bool { return r.Known || HasWait(j) }

// Learn implements workload.Learner: predictors are asked at a submission, and learn from
// any event. It returns a job that was asked about at its start.
func (r *replay) Learn(e workload.Event) (*Replayed, error) {
	if math.IsInf(e.Time, 1) { // not yet
		return nil, nil
	}
	for e.Slot >= len(r.underWay) {
		r.underWay = append(r.underWay, Replayed{})
	}
	j := &r.underWay[e.Slot]
	if e.Kind == workload.Submit {
		*j = Replayed{Request: e.Job.Request, Number: r.submitted, Forecasts: j.Forecasts[:0], Actual: e.Job.Wait, start: math.NaN()}
		r.submitted++
	}
	m := r.machine(&j.Request)
	if e.Kind == workload.Submit && m.fits(&j.Request) && (r.Chosen == nil || r.Chosen(&j.Request)) {
		if err := r.ask(m, j, e.Time); err != nil {
			return nil, err
		}
	}
	if m != nil && m.fits(&j.Request) {
		m.follow(e, j)
	}
	if err := r.tell(e); err != nil || e.Kind != workload.Start {
		return nil, err
	}
	if !(e.Job.Run >= 0) && !r.Known {
		e.Kind = workload.Finish
		if err := r.tell(e); err != nil {
			return nil, err
		}
	}
	if !j.asked {
		j = nil
	}
	return j, nil
}

// ask fills in the forecasts of a job that is submitted now.
func (r *replay) ask(m *machine, j *Replayed, now float64) error {
	j.asked = true
	var s *Snapshot
	if m != nil {
		s, j.Overfull = m.snapshot(r.underWay, now)
	}
	for _, p := range r.Predictors {
		f, err := p.Ask(s, &j.Request)
		if err != nil {
			return err
		}
		j.Forecasts = append(j.Forecasts, f)
	}
	return nil
}

// tell has the predictors learn from an event, without what lies ahead of it.
func (r *replay) tell(e workload.Event) error {
	if e.Kind == workload.Finish {
		r.known = *e.Job
	} else {
		r.known = workload.UnknownJob()
		r.known.Request = e.Job.Request
		if e.Kind == workload.Start {
			r.known.Wait, r.known.Allocated = e.Job.Wait, e.Job.Allocated
		}
	}
	e.Job = &r.known
	for _, p := range r.Predictors {
		if err := p.Learn(e); err != nil {
			return err
		}
	}
	return nil
}

// machine is one machine as the log has it.
type machine struct {
	processors int64
	running    []int // slots, by start
	waiting    []int // slots, by submission
}

// machine returns that of a request; nil where predictors are shown none.
func (r *replay) machine(q *workload.Request) *machine {
	if r.Processors == 0 && r.Sites == nil {
		return nil
	}
	partition := int64(workload.Unknown)
	if r.Sites != nil {
		partition = q.Partition
	}
	m := r.machines[partition]
	if m == nil {
		m = &machine{processors: r.Processors}
		if n, ok := r.Sites[partition]; ok {
			m.processors = n
		}
		r.machines[partition] = m
	}
	return m
}

func (m *machine) fits(r *workload.Request) bool {
	return m == nil || r.Size > 0 && r.Size <= m.processors
}

// follow enters an event of a job.
func (m *machine) follow(e workload.Event, j *Replayed) {
	switch {
	case e.Kind == workload.Submit && e.Job.Wait >= 0:
		m.waiting = append(m.waiting, e.Slot)
		return
	case e.Kind == workload.Finish:
		m.running = without(m.running, e.Slot)
		return
	case e.Kind == workload.Start:
		m.waiting = without(m.waiting, e.Slot)
	}
	if e.Job.Run >= 0 {
		j.start = e.Time
		m.running = append(m.running, e.Slot)
	}
}

// without removes a slot from a list that has it, in place.
func without(slots []int, slot int) []int {
	if i := slices.Index(slots, slot); i >= 0 {
		return slices.Delete(slots, i, i+1)
	}
	return slots
}

// snapshot returns the running and queued jobs, and whether they hold more processors than
// there are.
func (m *machine) snapshot(underWay []Replayed, now float64) (s *Snapshot, overfull bool) {
	s = &Snapshot{Time: now, Processors: m.processors}
	requests := make([]workload.Request, len(m.running))
	for i, slot := range m.running {
		j := &underWay[slot]
		requests[i] = j.Request
		s.Running = append(s.Running, Occupant{&requests[i], j.Request.Size, now - j.start})
	}
	for _, slot := range m.waiting {
		s.Queued = append(s.Queued, underWay[slot].Request)
	}
	if free := s.Free(); free < 0 {
		s.Processors -= free
		return s, true
	}
	return s, false
}

// TrainingPart is the part of a log's jobs, one in so many, that train predictors of its own
// waits and are not scored: the first tenth, as in Sonmez and others (2009).
const TrainingPart = 10

// TrainingTenth returns the number of jobs that train predictors and are not scored, of those
// that a replay has.
// A log of which no job has a wait is an error (ErrNoWaits).
func TrainingTenth(jobs iter.Seq2[workload.Job, error]) (int64, error) {
	n := int64(0)
	for j, err := range jobs {
		if err != nil {
			return 0, err
		}
		if HasWait(&j) {
			n++
		}
	}
	if n == 0 {
		return 0, ErrNoWaits
	}
	return n / TrainingPart, nil
}
