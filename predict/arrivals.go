package predict

import (
	"iter"

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
	Submitted  func(*workload.Request)      // called for each job as it is submitted; may be nil
	Ended      func(*workload.Job)          // called for each job as it ends; may be nil
	Overfull   func(held, processors int64) // called when jobs hold more processors than there are; may be nil
}

// Arrivals replays a log with its own waits and yields each chosen job whose
// wait is known, at its submission, with the state of the machine. Before that,
// ArrivalConfig.Ended has been called for every job that had ended by then, and
// for no other. The jobs must come in order of submission (workload.InOrder sorts
// them), else the error is workload.ErrOrder.
//
// Jobs whose submission time or wait is unknown are not replayed. A job whose run time is unknown waits, and
// disappears when it starts.
//
// If by the log's waits more processors are busy than the machine has, the
// machine is taken to have that many for as long as that lasts.
//
// An error of the input is passed on. After an error nothing follows.
func Arrivals(jobs iter.Seq2[workload.Job, error], c ArrivalConfig) iter.Seq2[Arrival, error] {
	return func(yield func(Arrival, error) bool) {
		var under []queueJob // by slot
		q := &queueReplay{config: &c, sites: map[int64]*queueSite{}}
		for e, err := range workload.Timeline(withWait(jobs)) {
			if err != nil {
				yield(Arrival{}, err)
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
				if c.Submitted != nil {
					c.Submitted(&j.Request)
				}
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
				if fits {
					m.waiting = append(m.waiting, e.Slot)
				}
			case workload.Start:
				if !fits {
					continue
				}
				m.waiting = without(m.waiting, e.Slot)
				if j.Run >= 0 {
					under[e.Slot].start = e.Time
					m.running = append(m.running, e.Slot)
				}
			case workload.Finish:
				if fits {
					m.running = without(m.running, e.Slot)
				}
				if c.Ended != nil {
					c.Ended(j)
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
