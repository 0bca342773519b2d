package slurm

import (
	"bytes"

	"github.com/loadstone-hpc/loadstone/workload"
)

// sacctJobState is a state of a job as Slurm calls it.
type sacctJobState uint8

const (
	stateUnknown sacctJobState = iota
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
	sacctStates
)

// sacctStateNames are the long and the short form of each.
var sacctStateNames = [sacctStates][2]string{
	stateUnknown: {"UNKNOWN", "?"}, stateBootFail: {"BOOT_FAIL", "BF"}, stateCancelled: {"CANCELLED", "CA"},
	stateCompleted: {"COMPLETED", "CD"}, stateCompleting: {"COMPLETING", "CG"}, stateConfiguring: {"CONFIGURING", "CF"},
	stateDeadline: {"DEADLINE", "DL"}, stateFailed: {"FAILED", "F"}, stateNodeFail: {"NODE_FAIL", "NF"},
	stateOutOfMemory: {"OUT_OF_MEMORY", "OOM"}, statePending: {"PENDING", "PD"}, statePreempted: {"PREEMPTED", "PR"},
	stateRequeueFed: {"REQUEUE_FED", "RF"}, stateRequeueHold: {"REQUEUE_HOLD", "RH"}, stateRequeued: {"REQUEUED", "RQ"},
	stateResizing: {"RESIZING", "RS"}, stateReservationHold: {"RESV_DEL_HOLD", "RD"}, stateRevoked: {"REVOKED", "RV"},
	stateRunning: {"RUNNING", "R"}, stateSignaling: {"SIGNALING", "SI"}, stateSpecialExit: {"SPECIAL_EXIT", "SE"},
	stateStageOut: {"STAGE_OUT", "SO"}, stateStopped: {"STOPPED", "ST"}, stateSuspended: {"SUSPENDED", "S"},
	stateTimeout: {"TIMEOUT", "TO"},
}

func (s sacctJobState) String() string { return sacctStateNames[s][0] }

// parseSacctState reads a state: long or short, with what sacct may put behind
// it ("CANCELLED by 1000"), or cut to a column's width ("CANCELLED+").
func parseSacctState(v []byte) sacctJobState {
	switch string(v) { // most jobs
	case "COMPLETED":
		return stateCompleted
	case "FAILED":
		return stateFailed
	case "TIMEOUT":
		return stateTimeout
	case "CANCELLED":
		return stateCancelled
	}
	if i := bytes.IndexByte(v, ' '); i >= 0 {
		if string(v[:i]) != "CANCELLED" && string(v[:i]) != "CA" {
			return stateUnknown
		}
		v = v[:i]
	}
	cut := bytes.HasSuffix(v, []byte{'+'})
	if cut {
		v = v[:len(v)-1]
	}
	found := stateUnknown
	for s, names := range sacctStateNames {
		switch {
		case s == int(stateUnknown):
		case string(v) == names[0], string(v) == names[1]:
			return sacctJobState(s)
		case cut && len(v) > 1 && bytes.HasPrefix([]byte(names[0]), v):
			if found != stateUnknown {
				return stateUnknown // cut too short to tell
			}
			found = sacctJobState(s)
		}
	}
	return found
}

// status is the standard workload format's code of a state, where no other
// record of the job is known. A job that has not ended has none.
func (s sacctJobState) status() int64 {
	switch {
	case s == stateCompleted:
		return workload.StatusCompleted
	case s == stateCancelled:
		return workload.StatusCancelled
	case s == stateUnknown, s.waits(), s.runs():
		return workload.Unknown
	}
	return workload.StatusFailed
}

// waits reports whether a job in the state is still to start.
func (s sacctJobState) waits() bool {
	switch s {
	case statePending, stateConfiguring, stateRequeueFed, stateRequeueHold, stateReservationHold, stateSpecialExit:
		return true
	}
	return false
}

// runs reports whether a job in the state has started and not ended.
func (s sacctJobState) runs() bool {
	switch s {
	case stateRunning, stateCompleting, stateSignaling, stateStageOut, stateStopped, stateSuspended:
		return true
	}
	return false
}

// ended reports whether a job in the state has ended.
func (s sacctJobState) ended() bool { return s != stateUnknown && !s.waits() && !s.runs() }

// goesOn reports whether a record in the state may be a part of a job that goes
// on in another record.
func (s sacctJobState) goesOn() bool {
	switch s {
	case statePreempted, stateRequeued, stateNodeFail, stateBootFail, stateResizing:
		return true
	}
	return false
}
