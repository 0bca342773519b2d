package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Standing is the state of a job at one moment.
type Standing uint8

// The standings.
const (
	Unsubmitted Standing = iota // its submission lies ahead, or is unknown
	Queued
	Running
	Ended // or it will never start
)

// StandingAt returns the standing, at the time now in the log's seconds, of a
// job of a log or of a state file. Events after that moment are taken not to
// have happened yet, so any log can be cut at any moment:
//
//   - Not submitted by now, or without a submission time: Unsubmitted.
//   - With a run time: Ended if submission, wait and run time add up to now or
//     less, Running if it had started by now, else Queued. An unknown wait
//     counts as 0, as in workload.Timeline.
//   - Without a run time, but with a status: Ended. It was cancelled before it
//     started, or its run time was not recorded.
//   - With neither: Running from its start on, Queued before its start or
//     without one.
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
