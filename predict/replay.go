package predict

import (
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Predictor predicts waits at submission. It learns from events in the order of
// workload.Timeline, and is used by one goroutine.
type Predictor interface {
	Name() string
	// Learn processes the next event. The event's job contains only what is known by
	// then: the wait is known from the start on, and the run time at the end. The job is
	// valid only during the call.
	Learn(e workload.Event) error
	// Ask predicts the wait of a request that is submitted to the machine at the time of
	// the snapshot; all events before that have been learned. m may be nil for predictors that
	// only learn from events, such as PastWaits. Ask does not change later answers.
	Ask(m *Snapshot, r *workload.Request) (Forecast, error)
}

// Forecast is the answer of a Predictor.
type Forecast struct {
	Expected     float64    // s; NaN for none, +Inf if no end is in sight
	Bounds       []Bound    // by quantile; must not be altered; nil for none
	Waits        DrawnWaits // the distribution of the wait; nil if there is none
	Observations int        // number of observations on which the forecast is based
	Missing      string     // why there is no forecast; "" if there is one
}

// ErrNoWaits is the error for a log without any known wait.
var ErrNoWaits = errors.New("no job has a known wait")

// Replay replays a log with its recorded waits. Each predictor is asked about a job at the
// job's submission, when it has learned all earlier events and no others.
type Replay struct {
	Predictors []Predictor
	// Processors is the size of the machine in the snapshots that predictors receive. With
	// Sites there is one machine for each partition instead, as in sched.Config. With neither,
	// predictors receive a nil snapshot. Predictors are not asked about jobs that can never run:
	// those without a size, larger than the machine, or at a site without a machine.
	Processors int64
	Sites      map[int64]int64
	// Chosen selects the jobs that predictors are asked about; nil means all.
	Chosen func(*workload.Request) bool
	// Known means that the log contains what is known at the moment at which it ends. A job
	// with an infinite wait is still waiting at that moment, and one with an infinite run time
	// is still running. Jobs whose wait is unknown are replayed too: if the run time is known,
	// the job runs from its submission on; otherwise it was withdrawn.
	Known bool
}

// Replayed is a job that has started, with the forecasts at its submission.
type Replayed struct {
	Request   workload.Request
	Number    int64      // number of replayed jobs submitted before it
	Forecasts []Forecast // by predictor, in the order of Replay.Predictors
	Actual    float64    // s, the wait
	// Overfull reports whether, by the recorded waits, more processors were busy at its
	// submission than the machine has. The snapshot then has as many processors as were busy.
	Overfull bool

	asked bool
	start float64 // s; NaN while it waits
}

// Jobs replays the jobs and yields each job that predictors were asked about when it starts.
// The yielded value is valid until the next one. The jobs must be in order of submission (see
// workload.InOrder); otherwise the error is workload.ErrOrder.
//
// Jobs whose submission time or wait is unknown are left out (see HasWait). A job whose run
// time is unknown ends when it starts, because its end is never recorded. Replay.Known changes
// both rules.
//
// An error of the input or of a predictor ends the replay.
func (c Replay) Jobs(jobs iter.Seq2[workload.Job, error]) iter.Seq2[*Replayed, error] {
	return workload.Replay(jobs, &replay{Replay: c, machines: map[int64]*machine{}})
}

// HasWait reports whether a job's submission time and wait are known, so that it is replayed.
func HasWait(j *workload.Job) bool { return knownWait(j) && !math.IsNaN(j.Submit) }

// replay is the state of a Replay.
type replay struct {
	Replay
	machines  map[int64]*machine // by partition, Unknown for one machine
	underWay  []Replayed         // by workload.Event.Slot
	submitted int64
	known     workload.Job // the job of the event that predictors learn
}

// Keeps implements workload.Learner.
func (r *replay) Keeps(j *workload.Job) bool { return r.Known || HasWait(j) }

// Learn implements workload.Learner. It asks the predictors if the event is a submission, and
// has them learn every event. At the start of a job that they were asked about, it returns the job.
func (r *replay) Learn(e workload.Event) (*Replayed, error) {
	if math.IsInf(e.Time, 1) { // the event has not happened yet
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

// tell passes an event to the predictors, without the fields of its job that are not known yet.
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

// machine is the state of one machine according to the recorded waits.
type machine struct {
	processors int64
	running    []int // slots, by start
	waiting    []int // slots, by submission
}

// machine returns the machine of a request, or nil if the replay has none.
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

// follow updates the machine with an event of job j.
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

// without removes a slot from a list, in place, if the list has it.
func without(slots []int, slot int) []int {
	if i := slices.Index(slots, slot); i >= 0 {
		return slices.Delete(slots, i, i+1)
	}
	return slots
}

// snapshot returns the machine at the time now. If the running jobs hold more processors than
// the machine has, overfull is true and the snapshot has as many as they hold.
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

// TrainingPart is the number of jobs of a log for each job that only trains predictors of the
// recorded waits: the first tenth is not scored, as in Sonmez and others (2009).
const TrainingPart = 10

// TrainingTenth returns the number of jobs that only train predictors and are not scored: a
// tenth of the jobs for which HasWait is true. If there are no such jobs, the error is
// ErrNoWaits.
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
