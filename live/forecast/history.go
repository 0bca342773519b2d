package forecast

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// History is logs of jobs that ended, or started, before a state. The zero
// value is empty. It can serve many states, but not while Add runs.
type History struct {
	logs []pastLog
}

// pastLog is one log in its own clock and with its own names.
type pastLog struct {
	name       string
	header     workload.Header
	clock      workload.Clock
	processors int64   // 0 where the header does not say
	last       float64 // s, the last end; -Inf where there is none
	jobs       []workload.Job
	warnings   []workload.Warning
}

// Add reads the jobs of a log to its end and keeps them in memory. The log is not
// closed. An error is the reader's, or the context's.
func (h *History) Add(ctx context.Context, log *workload.Log) error {
	p := pastLog{name: log.Name, last: math.Inf(-1)}
	for j, err := range log.Jobs() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if math.IsNaN(j.Submit) {
			continue
		}
		if end := j.End(); end > p.last {
			p.last = end
		}
		p.jobs = append(p.jobs, j)
	}
	p.header = log.Header
	p.clock, _ = p.header.Clock()
	p.processors, _ = p.header.Processors()
	p.warnings = workload.WarningsAbout(log.Name, log.Warnings())
	h.logs = append(h.logs, p)
	return nil
}

// Processors returns the size of the machine by the first header that says; 0 if none does.
func (h *History) Processors() int64 {
	for i := range h.logs {
		if n := h.logs[i].processors; n > 0 {
			return n
		}
	}
	return 0
}

// past is what was known at the moment of a state of the jobs that had been submitted, by
// submission. The run time of one that runs, and the wait of one that waits, is infinite.
// Times are of the state's clock.
type past struct {
	jobs       []workload.Job
	ended      int
	waits      int
	processors int64 // of the first log that says; 0 where none does
	warnings   []workload.Warning
}

// sites says whether the jobs are of several partitions.
func (p *past) sites() bool {
	return slices.ContainsFunc(p.jobs, func(j workload.Job) bool { return j.Partition != p.jobs[0].Partition })
}

// past cuts the history, and what the state itself shows of it, at the moment of
// the state. names gets the names of the logs.
func (h *History) past(s *State, names naming) *past {
	p := &past{}
	type key struct {
		id     int64
		submit float64
	}
	met := map[key]bool{} // of the state, which may be cut from the same log
	for i := range s.jobs {
		j := &s.jobs[i]
		if j.ID != workload.Unknown {
			met[key{j.ID, j.Submit}] = true
		}
		p.take(*j, s.now)
	}
	for i := range h.logs {
		l := &h.logs[i]
		shift := p.shift(l, s)
		p.warnLater(l, s, shift)
		translate, odd := names.translator(l)
		for _, j := range l.jobs {
			j.MoveTo(j.Submit + shift)
			translate(&j.Request)
			if !met[key{j.ID, j.Submit}] {
				p.take(j, s.now)
			}
		}
		p.warnings = append(append(p.warnings, l.warnings...), odd...)
		p.processors = cmp.Or(p.processors, l.processors)
	}
	slices.SortStableFunc(p.jobs, func(a, b workload.Job) int {
		return cmp.Or(cmp.Compare(a.Submit, b.Submit), cmp.Compare(first(math.IsInf(a.Wait, 1)), first(math.IsInf(b.Wait, 1))))
	})
	for i := range p.jobs {
		p.jobs[i].Row = int64(i)
	}
	return p
}

// shift is what a log's seconds differ by from the state's.
func (p *past) shift(l *pastLog, s *State) float64 {
	switch {
	case l.clock.Known && s.clock.Known:
		return l.clock.Start.Sub(s.clock.Start).Seconds()
	case l.clock.Known != s.clock.Known && !math.IsInf(l.last, 0):
		p.warnings = append(p.warnings, workload.Warning{Rule: "one-date", About: l.name, Count: 1,
			Text: "only one of it and the state has a date: its last job is assumed to have ended at the time of the state"})
		return s.now - l.last
	}
	return 0
}

// warnLater warns of a log none of whose jobs was submitted before the state: most likely
// the clock of one of them was read in a wrong zone.
func (p *past) warnLater(l *pastLog, s *State, shift float64) {
	first := math.Inf(1)
	for i := range l.jobs {
		first = min(first, l.jobs[i].Submit+shift)
	}
	if len(l.jobs) == 0 || first <= s.now {
		return
	}
	p.warnings = append(p.warnings, workload.Warning{Rule: "later-than-state", About: l.name, Count: 1,
		Text: fmt.Sprintf("all of its jobs, the first at %s, were submitted after the state (%s), so that it says nothing of the past: if local times were read in a wrong time zone, name the right one (--timezone)",
			s.date(first), s.date(s.now))})
}

// take adds what is known of a job now.
func (p *past) take(j workload.Job, now float64) {
	switch predict.StandingAt(&j, now) {
	case predict.Ended:
	case predict.Running:
		// Neither its end nor what came of it is known yet.
		j.Run, j.CPUTime, j.UsedMemory, j.Status = math.Inf(1), math.NaN(), math.NaN(), workload.Unknown
	case predict.Queued:
		request := j.Request
		j = workload.UnknownJob()
		j.Request, j.Wait = request, math.Inf(1)
	default:
		return
	}
	if j.Run >= 0 && !math.IsInf(j.Run, 1) {
		p.ended++
	}
	if j.Wait >= 0 && !math.IsInf(j.Wait, 1) {
		p.waits++
	}
	p.jobs = append(p.jobs, j)
}

// all yields the jobs, by submission.
func (p *past) all(yield func(workload.Job, error) bool) {
	for i := range p.jobs {
		if !yield(p.jobs[i], nil) {
			return
		}
	}
}
