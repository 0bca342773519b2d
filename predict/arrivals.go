package predict

import (
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Arrival is a job at its submission, with the state of the machine according
// to the log.
type Arrival struct {
	Request workload.Request
	// Machine contains the jobs that were running and waiting then, by the
	// log's waits and run times. It is nil if the job can never run: it has no
	// size, is larger than the machine, or its site has no machine.
	Machine *Snapshot
	Actual  float64 // s, the wait; not for predictors
}

// ArrivalConfig selects the jobs that Arrivals yields and describes the
// machine.
type ArrivalConfig struct {
	Processors int64                        // of the machine
	Sites      map[int64]int64              // as in sched.Config: a machine for each partition
	Chosen     func(*workload.Request) bool // which jobs are yielded; nil means all
	Learn      func(workload.Event) error   // called for each event; may be nil
	Overfull   func(held, processors int64) // called when jobs hold more processors than there are; may be nil
	// Known says that the log tells what is known at a moment, at which it ends. A job
	// with an infinite wait still waits then, and one with an infinite run time runs. Jobs
	// whose wait is unknown are replayed too: one that has a run time runs from its
	// submission on, and another one was withdrawn.
	Known bool
}

// Arrivals replays a log with its own waits and yields each chosen job whose
// wait is known, at its submission, with the state of the machine. Before that,
// ArrivalConfig.Learn has been called for every event before it, and for no other;
// afterwards it is called for the submission itself. The jobs must come in order of
// submission (workload.InOrder sorts them), else the error is workload.ErrOrder.
//
// Jobs whose submission time or wait is unknown are not replayed. A job whose run time is
// unknown waits, and disappears when it starts: nobody will know when it ends, so that
// Learn is told of an end then.
//
// If by the log's waits more processors are busy than the machine has, the
// machine is taken to have that many for as long as that lasts.
//
// An error of the input is passed on. After an error nothing follows.
func Arrivals(jobs iter.Seq2[workload.Job, error], c ArrivalConfig) iter.Seq2[Arrival, error] {
	return func(yield func(Arrival, error) bool) {
		var under []queueJob // by slot
		q := &queueReplay{config: &c, sites: map[int64]*queueSite{}}
		if !c.Known {
			jobs = withWait(jobs)
		}
		learn := func(e workload.Event) bool {
			if c.Learn == nil {
				return true
			}
			err := c.Learn(e)
			if err != nil {
				yield(Arrival{}, err)
			}
			return err == nil
		}
		for e, err := range workload.Timeline(jobs) {
			if err != nil {
				yield(Arrival{}, err)
				return
			}
			if math.IsInf(e.Time, 1) {
				return
			}
			for e.Slot >= len(under) {
				under = append(under, queueJob{})
			}
			j := e.Job
			m := q.site(&j.Request)
			fits := j.Size > 0 && j.Size <= m.processors
			switch e.Kind {
			case workload.Submit:
				if c.Chosen == nil || c.Chosen(&j.Request) {
					a := Arrival{Request: j.Request, Actual: j.Wait}
					if fits {
						a.Machine = m.snapshot(under, e.Time, c.Overfull)
					}
					if !yield(a, nil) {
						return
					}
				}
				under[e.Slot].place(j)
				switch {
				case !fits:
				case j.Wait >= 0:
					m.waiting = append(m.waiting, e.Slot)
				case j.Run >= 0:
					m.start(under, e)
				}
			case workload.Start:
				m.waiting = without(m.waiting, e.Slot)
				if fits && j.Run >= 0 {
					m.start(under, e)
				}
			case workload.Finish:
				m.running = without(m.running, e.Slot)
			}
			if !learn(e) {
				return
			}
			if e.Kind == workload.Start && !c.Known && math.IsNaN(j.Run) {
				e.Kind = workload.Finish
				if !learn(e) {
					return
				}
			}
		}
	}
}

// withWait leaves out the jobs whose wait is unknown.
func withWait(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil && !knownWait(&j) {
				continue
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

func (m *queueSite) start(under []queueJob, e workload.Event) {
	under[e.Slot].start = e.Time
	m.running = append(m.running, e.Slot)
}

// snapshot returns the running and queued jobs of a site.
func (m *queueSite) snapshot(under []queueJob, now float64, overfull func(held, processors int64)) *Snapshot {
	s := &Snapshot{Time: now, Processors: m.processors}
	requests := make([]workload.Request, len(m.running))
	held := int64(0)
	for i, slot := range m.running {
		j := &under[slot]
		requests[i] = j.request
		held += j.request.Size
		s.Running = append(s.Running, Occupant{&requests[i], j.request.Size, now - j.start})
	}
	for _, slot := range m.waiting {
		s.Queued = append(s.Queued, under[slot].request)
	}
	if held > m.processors {
		if overfull != nil {
			overfull(held, m.processors)
		}
		s.Processors = held
	}
	return s
}
