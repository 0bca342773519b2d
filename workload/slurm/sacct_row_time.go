package slurm

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// times reads submission, wait and run time of a record.
func (p *sacctParser) times(rec *sacctRow) (bad sacctField, want string) {
	v := &p.values
	elapsed := math.NaN()
	if text := v[sacctElapsedRaw]; len(text) > 0 {
		n, w := parseSacctCount(text)
		if w != "" {
			return sacctElapsedRaw, w
		}
		if n != workload.Unknown {
			elapsed = float64(n)
		}
	} else if text := v[sacctElapsed]; len(text) > 0 {
		if elapsed, want = parseSacctDuration(text); want != "" {
			return sacctElapsed, want
		}
	}
	suspended, want := parseSacctDuration(v[sacctSuspended])
	if want != "" {
		return sacctSuspended, want
	}
	var moments sacctMoments
	for i, f := range [...]sacctField{sacctSubmit, sacctStart, sacctEnd} {
		if want := p.moment(f, &moments[i]); want != "" {
			return f, want
		}
	}
	if moments.unsure() {
		p.settle(rec, &moments, elapsed, suspended)
	}
	submit, start, end := moments[0].value(), moments[1].value(), moments[2].value()

	rec.submit = submit
	waiting := rec.state.waits()
	if !waiting && p.neverStarted(rec.state, elapsed, start, end) {
		p.warn("never-started", "jobs that were cancelled or failed before they started: they have no wait, run time or processors", nil)
		rec.withdrawn, waiting = end, true
	}
	if waiting {
		rec.allocated = workload.Unknown
		rec.later.forgetStart()
		return 0, ""
	}
	rec.start = start
	if start < submit {
		p.warn("negative-wait-time", "jobs that started before they were submitted: kept", nil)
	}
	if rec.state.runs() {
		now := start + elapsed
		if suspended > 0 {
			now += suspended
		}
		if now > p.batch.taken { // never for NaN
			p.batch.taken = now
		}
		return 0, ""
	}
	rec.run = p.runTime(elapsed, suspended, end-start)
	return 0, ""
}

// runTime is the wall clock time from start to end. Elapsed is better than the
// difference, which a wrong time zone puts off by an hour twice a year; where
// the job was suspended the difference tells whether Elapsed has it in it.
func (p *sacctParser) runTime(elapsed, suspended, difference float64) float64 {
	if endsBeforeStart(elapsed, difference) {
		rule, why := endFirst()
		p.warn(rule, why, p.values[sacctEnd])
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

// endsBeforeStart reports whether a job's end lies before its start by more than a wrong
// time zone explains, by which a clock change between them puts the difference off.
func endsBeforeStart(elapsed, difference float64) bool {
	const clockChange = 7200
	return difference < 0 && !(0 < elapsed && elapsed <= difference+clockChange)
}

func endFirst() (rule, text string) {
	return "end-before-start", "jobs that ended before they started: run time unknown"
}

// neverStarted reports whether a job was cancelled, or ended otherwise, before it
// started. Some versions of Slurm then have a start all the same, which is the
// end.
func (p *sacctParser) neverStarted(state sacctJobState, elapsed, start, end float64) bool {
	if elapsed > 0 || state.runs() {
		return false
	}
	if math.IsNaN(start) && p.layout.has(sacctStart) {
		return true
	}
	if some, known := sacctHasNodes(p.values[sacctNodeList]); known {
		return !some
	}
	switch state {
	case stateCancelled, stateDeadline, stateRevoked:
		return elapsed == 0 || start == end
	}
	return false
}

// sacctMoment is a time with its two meanings, which are most often one.
type sacctMoment struct {
	known       bool
	first, last int64
}

func (m sacctMoment) value() float64 {
	if !m.known {
		return math.NaN()
	}
	return float64(m.first)
}

// sacctMoments are submission, start and end.
type sacctMoments [3]sacctMoment

func (m *sacctMoments) unsure() bool {
	return m[0].first != m[0].last || m[1].first != m[1].last || m[2].first != m[2].last
}

func (p *sacctParser) moment(f sacctField, m *sacctMoment) (want string) {
	t, want := parseSacctTime(p.values[f])
	switch {
	case want != "":
		return want
	case t.kind == timeUnknown:
		return ""
	case t.kind == timeZero:
		p.warn("zero-time", "times in 1970, which Slurm writes where there is none: unknown", p.values[f])
		return ""
	case t.kind == timeUnix:
		m.known, m.first, m.last = true, t.seconds, t.seconds
		return ""
	}
	p.batch.local = true
	missed := false
	m.first, m.last, missed = p.clock.Instants(t.seconds)
	m.known = true
	if missed {
		p.warn("skipped-time", "local times that were skipped by a clock change: the time zone is wrong", p.values[f])
	}
	return ""
}

// settle chooses between the meanings of times in the hour that the clock went
// over twice: submission is before start, start before end, and Elapsed is the
// time between. What still fits twice is left to the order of the records.
func (p *sacctParser) settle(rec *sacctRow, m *sacctMoments, elapsed, suspended float64) {
	p.warn("repeated-hour", "jobs with times in the repeated hour of a clock change: distinguished by Elapsed and order, otherwise read as the first", nil)
	var fits []sacctMoments
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
			rec.later = &sacctLater{c[0].value(), c[1].value()}
			return
		}
	}
}

// consistent takes the first meaning of each.
func (m *sacctMoments) consistent(elapsed, suspended float64) bool {
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

// forgetStart is for a job that has not started at either time.
func (l *sacctLater) forgetStart() {
	if l != nil {
		l.start = math.NaN()
	}
}
