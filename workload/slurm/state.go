package slurm

import (
	"bytes"

	"github.com/loadstone-hpc/loadstone/workload"
)

// jobState is a state of a job as Slurm calls it.
type jobState uint8

const (
	stateUnknown jobState = iota
	stateBootFail
	stateCancelled
	stateCompleted
	stateCompleting
	stateConfiguring
	stateDeadline
	stateFailed
	stateNodeFail
	stateOutOfMemory
	statePending
	statePreempted
	stateRequeueFed
	stateRequeueHold
	stateRequeued
	stateResizing
	stateReservationHold
	stateRevoked
	stateRunning
	stateSignaling
	stateSpecialExit
	stateStageOut
	stateStopped
	stateSuspended
	stateTimeout
	jobStates
)

// phase is how far a job in a state has come.
type phase uint8

const (
	unknownPhase phase = iota
	waits              // it is still to start
	runs               // it has started and not ended
	ended
	goesOn // it has ended, or goes on in another record
)

// stateNames are the long and the short form of each state, and its phase.
var stateNames = [jobStates]struct {
	long, short string
	phase       phase
}{
	stateUnknown: {"UNKNOWN", "?", unknownPhase}, stateBootFail: {"BOOT_FAIL", "BF", goesOn}, stateCancelled: {"CANCELLED", "CA", ended},
	stateCompleted: {"COMPLETED", "CD", ended}, stateCompleting: {"COMPLETING", "CG", runs}, stateConfiguring: {"CONFIGURING", "CF", waits},
	stateDeadline: {"DEADLINE", "DL", ended}, stateFailed: {"FAILED", "F", ended}, stateNodeFail: {"NODE_FAIL", "NF", goesOn},
	stateOutOfMemory: {"OUT_OF_MEMORY", "OOM", ended}, statePending: {"PENDING", "PD", waits}, statePreempted: {"PREEMPTED", "PR", goesOn},
	stateRequeueFed: {"REQUEUE_FED", "RF", waits}, stateRequeueHold: {"REQUEUE_HOLD", "RH", waits}, stateRequeued: {"REQUEUED", "RQ", goesOn},
	stateResizing: {"RESIZING", "RS", goesOn}, stateReservationHold: {"RESV_DEL_HOLD", "RD", waits}, stateRevoked: {"REVOKED", "RV", ended},
	stateRunning: {"RUNNING", "R", runs}, stateSignaling: {"SIGNALING", "SI", runs}, stateSpecialExit: {"SPECIAL_EXIT", "SE", waits},
	stateStageOut: {"STAGE_OUT", "SO", runs}, stateStopped: {"STOPPED", "ST", runs}, stateSuspended: {"SUSPENDED", "S", runs},
	stateTimeout: {"TIMEOUT", "TO", ended},
}

func (s jobState) String() string { return stateNames[s].long }

func (s jobState) waits() bool { return stateNames[s].phase == waits }

func (s jobState) runs() bool { return stateNames[s].phase == runs }

func (s jobState) ended() bool { return stateNames[s].phase >= ended }

// goesOn reports whether a record in the state may be a part of a job that goes
// on in another record.
func (s jobState) goesOn() bool { return stateNames[s].phase == goesOn }

// status is the standard workload format's code of a state, where no other
// record of the job is known. A job that has not ended has none.
func (s jobState) status() int64 {
	switch {
	case s == stateCompleted:
		return workload.StatusCompleted
	case s == stateCancelled:
		return workload.StatusCancelled
	case s.ended():
		return workload.StatusFailed
	}
	return workload.Unknown
}

// parseState reads a state: long or short, with what sacct may put behind
// it ("CANCELLED by 1000"), or cut to a column's width ("CANCELLED+").
func parseState(v []byte) jobState {
	switch string(v) { // most jobs
	case "COMPLETED":
		return stateCompleted
	case "FAILED":
		return stateFailed
	}
	if first, _, by := bytes.Cut(v, []byte{' '}); by {
		if string(first) != "CANCELLED" && string(first) != "CA" {
			return stateUnknown
		}
		return stateCancelled
	}
	v, cut := bytes.CutSuffix(v, []byte{'+'})
	found := stateUnknown
	for s := stateUnknown + 1; s < jobStates; s++ {
		names := &stateNames[s]
		switch {
		case string(v) == names.long, string(v) == names.short:
			return s
		case cut && len(v) > 1 && bytes.HasPrefix([]byte(names.long), v):
			if found != stateUnknown {
				return stateUnknown // cut too short to tell
			}
			found = s
		}
	}
	return found
}
