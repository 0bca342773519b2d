package slurm

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// times sets the submission, wait and run time of a row, and reports whether the job waits to
// start, or never started.
func (p *parser) times(r *row) (waits bool) {
	elapsed, suspended := p.elapsed(), p.seconds(&p.SuspendedRaw, &p.Suspended)
	asked := p.moment(&p.Submit)
	submit := asked.first
	start, end := p.settle(asked, p.moment(&p.Start), p.moment(&p.End), elapsed, suspended)
	r.Submit = submit
	if r.state.phase() == prepares && start == start {
		r.state = stateRunning // it holds its nodes
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
		p.see(p.moment(&p.Seen).first)
		if r.state.ended() {
			p.see(end)
		}
	}
	if waits {
		r.Allocated = workload.Unknown
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

// see notes a time before which the log cannot have been written.
func (p *parser) see(moment float64) {
	if moment > p.batch.taken { // never for NaN
		p.batch.taken = moment
	}
}

// elapsed returns the time in s for which a job has run, NaN if unknown.
func (p *parser) elapsed() float64 { return p.seconds(&p.ElapsedRaw, &p.Elapsed) }

// cpuTime returns the CPU time of a record in s, over all processors.
func (p *parser) cpuTime() float64 {
	whole := p.seconds(&p.CPUSeconds, &p.TotalCPU)
	if len(p.CPUMicro) == 0 {
		return whole
	}
	return whole + float64(max(0, p.count(&p.CPUMicro)))/1e6
}

// seconds returns a number of seconds or, if that is unknown, a duration in s.
func (p *parser) seconds(count, duration *[]byte) float64 {
	if len(*count) > 0 {
		if n := p.count(count); n != workload.Unknown {
			return float64(n)
		}
	}
	return value(p, duration, parseDuration)
}

// runTime returns the wall clock time from start to end. Elapsed is more reliable than the
// difference, which is wrong by an hour twice a year if the time zone is wrong. If the job was
// suspended, the difference shows whether Elapsed includes the time suspended.
func (p *parser) runTime(elapsed, suspended, difference float64) float64 {
	// The most by which a clock change between start and end can shift the difference, s.
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

// neverStarted reports whether a job was cancelled, or ended otherwise, before it started. Some
// versions of Slurm show a start even then, equal to the end.
func (p *parser) neverStarted(state jobState, elapsed, start, end float64) bool {
	switch {
	case elapsed > 0 || state.runs():
		return false
	case math.IsNaN(start) && p.has.start:
		return true
	case len(p.NodeList) > 0:
		return isUnknownWord(p.NodeList) || string(p.NodeList) == "none"
	}
	mayExpire := state.phase() == cancelled || state.phase() == expired
	return mayExpire && (elapsed == 0 || start == end)
}

// moment is a time in seconds since 1970. A local time in the hour that a clock change repeats
// has two meanings; otherwise first and last are equal. NaN means unknown.
type moment struct{ first, last float64 }

func (p *parser) moment(f *[]byte) moment {
	t := value(p, f, parseTime)
	unix := float64(t.seconds)
	switch t.kind {
	case timeUnix:
		return moment{unix, unix}
	case timeLocal:
		p.batch.local = true
		first, last, missed := p.clock.Instants(t.seconds)
		if missed {
			p.warn("skipped-time", "local times that were skipped by a clock change: the time zone is wrong", *f)
		}
		return moment{float64(first), float64(last)}
	}
	return moment{math.NaN(), math.NaN()}
}

// settle returns start and end. For a time in the repeated hour of a clock change, it chooses
// the first of the two meanings that is consistent with Elapsed and the submission.
func (p *parser) settle(submit, start, end moment, elapsed, suspended float64) (float64, float64) {
	if submit.first < submit.last || start.first < start.last || end.first < end.last {
		p.warn("repeated-hour", "jobs with times in the repeated hour of a clock change: distinguished by Elapsed, otherwise read as the first", nil)
	}
	const tolerance = 600 // s, below the smallest clock change, half an hour
	from := start.notBefore(submit.first)
	to := end.notBefore(from + most(elapsed-tolerance, 0))
	if gap := to - from - elapsed; gap > tolerance && !(math.Abs(gap-suspended) <= tolerance) {
		from = start.last
	}
	return from, to
}

// notBefore returns the first meaning, or the last one if the first is before an earlier event.
func (m moment) notBefore(event float64) float64 {
	if m.first < event {
		return m.last
	}
	return m.first
}
