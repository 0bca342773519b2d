package slurm

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// times reads submission, wait and run time of a record, and reports whether the job waits to
// start, or never started.
func (p *parser) times(r *row) (waits bool) {
	elapsed, suspended := p.elapsed(), p.duration(&p.Suspended)
	m := moments{p.moment(&p.Submit), p.moment(&p.Start), p.moment(&p.End)}
	if m.unsure() {
		p.settle(r, &m, elapsed, suspended)
	}
	submit, start, end := m[0].value(), m[1].value(), m[2].value()
	r.Submit = submit
	if r.state == stateConfiguring && m[1].known {
		r.state = stateRunning // its nodes are being made ready: it holds them
	}
	waits = r.state.waits()
	if !waits && p.neverStarted(r.state, elapsed, start, end) {
		if !p.layout.queue {
			p.warn("never-started", "jobs that were cancelled or failed before they started: they have no wait, run time or processors", nil)
		}
		r.withdrawn, waits = end, true
	}
	if p.layout.queue {
		p.see(submit)
		p.see(p.moment(&p.Seen).value())
		if r.state.ended() {
			p.see(end)
		}
	}
	if waits {
		r.Allocated = workload.Unknown
		if r.later > 0 {
			p.batch.later[r.later-1].start = math.NaN()
		}
		return true
	}
	if r.Wait = start - submit; r.Wait < 0 {
		p.warn("negative-wait-time", "jobs that started before they were submitted: kept", nil)
	}
	if p.layout.queue {
		p.see(start)
	}
	if r.state.runs() {
		if suspended > 0 {
			elapsed += suspended
		}
		p.see(start + elapsed)
		return false
	}
	r.Run = p.runTime(elapsed, suspended, end-start)
	return false
}

// see notes a moment at which the log was not yet written.
func (p *parser) see(moment float64) {
	if moment > p.batch.taken { // never for NaN
		p.batch.taken = moment
	}
}

// elapsed is how long a job has run, NaN where that is not known.
func (p *parser) elapsed() float64 {
	if len(p.ElapsedRaw) == 0 {
		return p.duration(&p.Elapsed)
	}
	if n := p.count(&p.ElapsedRaw); n != workload.Unknown {
		return float64(n)
	}
	return math.NaN()
}

// runTime is the wall clock time from start to end. Elapsed is better than the
// difference, which a wrong time zone puts off by an hour twice a year; where
// the job was suspended the difference tells whether Elapsed has it in it.
func (p *parser) runTime(elapsed, suspended, difference float64) float64 {
	// By so much a clock change between start and end puts the difference off.
	const clockChange = 7200
	if difference < 0 && !(0 < elapsed && elapsed <= difference+clockChange) {
		p.warn("end-before-start", "jobs that ended before they started: run time unknown", p.End)
		return math.NaN()
	}
	if math.IsNaN(elapsed) {
		return difference
	}
	run := elapsed
	if suspended > 0 && !(math.Abs(difference-elapsed) <= 1) {
		run += suspended
	}
	if math.Abs(run-difference) > 1 {
		p.warn("elapsed-time", "jobs whose Elapsed differs from End minus Start, as with a wrong time zone: Elapsed is used", nil)
	}
	return run
}

// neverStarted reports whether a job was cancelled, or ended otherwise, before it
// started. Some versions of Slurm then have a start all the same, which is the
// end.
func (p *parser) neverStarted(state jobState, elapsed, start, end float64) bool {
	if elapsed > 0 || state.runs() {
		return false
	}
	if math.IsNaN(start) && p.has.start {
		return true
	}
	if len(p.NodeList) > 0 {
		return isUnknownWord(p.NodeList) || string(p.NodeList) == "none"
	}
	switch state {
	case stateCancelled, stateDeadline, stateRevoked:
		return elapsed == 0 || start == end
	}
	return false
}

// queueRow reads what a listing of the queue has beyond accounting, and refuses a job without
// what every listing has. waits reports that the job has not started.
func (p *parser) queueRow(id jobID, r *row, waits bool) {
	q := queuedJob{label: string(p.JobID), waiting: id.waiting, reason: string(p.Reason), expected: math.NaN(), priority: workload.Unknown}
	if n, want := parseCount(p.Priority); want == "" {
		q.priority = n
	}
	start := p.moment(&p.Start).value()
	if r.state.waits() {
		q.expected = start
	} else {
		q.reason = ""
	}
	switch {
	case id.step:
		p.fail(&p.JobID, "the number of a job, not of a step")
	case r.state == stateUnknown:
		p.fail(&p.State, "a state of Slurm's, such as PENDING or R")
	case r.Processors <= 0:
		p.fail(&p.ReqCPUS, "a number of processors")
	case math.IsNaN(r.Submit):
		p.fail(&p.Submit, "a time such as 2021-12-10T14:23:28")
	case r.state.waits() && p.elapsed() > 0:
		p.fail(&p.Elapsed, "0:00, of a job that is "+string(p.State))
	case !waits && math.IsNaN(start):
		p.fail(&p.Start, "a time, of a job that is "+string(p.State))
	}
	if p.want == "" {
		q.place = p.place(p.layout.nameOf("JobID"))
		r.Status = r.state.status()
		p.batch.queued = append(p.batch.queued[:p.rows], q)
	}
}

// moment is a time with its two meanings, which are most often one.
type moment struct {
	known       bool
	first, last int64
}

func (m moment) value() float64 {
	if !m.known {
		return math.NaN()
	}
	return float64(m.first)
}

func (p *parser) moment(f *[]byte) (m moment) {
	t, want := parseTime(*f)
	p.fail(f, want)
	switch t.kind {
	case timeZero:
		if !p.layout.queue {
			p.warn("zero-time", "times in 1970, which Slurm writes where there is none: unknown", *f)
		}
	case timeUnix:
		m.known, m.first, m.last = true, t.seconds, t.seconds
	case timeLocal:
		p.batch.local = true
		missed := false
		m.first, m.last, missed = p.clock.Instants(t.seconds)
		m.known = true
		if missed {
			p.warn("skipped-time", "local times that were skipped by a clock change: the time zone is wrong", *f)
		}
	}
	return m
}

// moments are submission, start and end.
type moments [3]moment

func (m *moments) unsure() bool {
	return m[0].first != m[0].last || m[1].first != m[1].last || m[2].first != m[2].last
}

// settle chooses between the meanings of times in the hour that the clock went
// over twice: submission is before start, start before end, and Elapsed is the
// time between. What still fits twice is left to the order of the records.
func (p *parser) settle(r *row, m *moments, elapsed, suspended float64) {
	p.warn("repeated-hour", "jobs with times in the repeated hour of a clock change: distinguished by Elapsed and order, otherwise read as the first", nil)
	var fits []moments
	for choice := range 8 {
		c := *m
		double := false
		for i := range c {
			if choice>>(2-i)&1 != 0 {
				double = double || c[i].first == c[i].last // seen already
				c[i].first = c[i].last
			}
		}
		if !double && c.consistent(elapsed, suspended) {
			fits = append(fits, c)
		}
	}
	if len(fits) == 0 {
		return
	}
	*m = fits[0]
	for _, c := range fits[1:] {
		if c[0].first != fits[0][0].first {
			p.batch.later = append(p.batch.later, laterTimes{c[0].value(), c[1].value()})
			r.later = int32(len(p.batch.later))
			return
		}
	}
}

// consistent takes the first meaning of each.
func (m *moments) consistent(elapsed, suspended float64) bool {
	submit, start, end := m[0].value(), m[1].value(), m[2].value()
	if start < submit || end < start {
		return false
	}
	if math.IsNaN(elapsed) || math.IsNaN(end-start) {
		return true
	}
	// Clocks change by half an hour or more.
	off := end - start - elapsed
	return math.Abs(off) < 600 || suspended > 0 && math.Abs(off-suspended) < 600
}
