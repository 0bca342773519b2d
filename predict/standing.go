package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Standing is what a job does at one moment.
type Standing uint8

// The standings.
const (
	Unsubmitted Standing = iota // its submission lies ahead, or is unknown
	Queued
	Running
	Ended // or will never start
)

var standingNames = [...]string{"unsubmitted", "queued", "running", "ended"}

// String returns the standing in a word, such as "queued".
func (s Standing) String() string {
	if int(s) < len(standingNames) {
		return standingNames[s]
	}
	return "invalid"
}

// StandingAt returns what a job of a log or of a state file does at a moment, in
// the log's seconds. What lies behind the moment tells, and what lies ahead of
// it is taken not to have happened yet, so that any log can be cut at any
// moment:
//
//   - Not submitted by now: Unsubmitted, and so is a job without submission.
//   - With a run time: it ended where submission, wait and run time add up to
//     now or less, ran where it had started, else it was queued. An unknown
//     wait counts as none, as in workload.Timeline.
//   - Without a run time, but with a status: Ended. It was cancelled before it
//     started, or nobody knows how long it ran.
//   - Without both: Running from its start on, Queued before it or without one.
func StandingAt(j *workload.Job, now float64) Standing {
	if !(j.Submit <= now) {
		return Unsubmitted
	}
	start := j.Start()
	if !math.IsNaN(j.Run) {
		if math.IsNaN(start) {
			start = j.Submit
		}
		switch {
		case start+j.Run <= now:
			return Ended
		case start <= now:
			return Running
		}
		return Queued
	}
	switch {
	case j.Status != workload.Unknown:
		return Ended
	case start <= now:
		return Running
	}
	return Queued
}
