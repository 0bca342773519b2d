package slurm

// jsonFlags are what a list of states may hold beside states.
var jsonFlags = []string{"LAUNCH_FAILED", "UPDATE_DB", "RECONFIG_FAIL", "POWER_UP_NODE", "EXPEDITING"}

// state reads a state: a text, or since data parser 0.0.40 a list, in which flags
// follow the state proper. A flag such as COMPLETING goes before the state, as in what
// squeue prints (job_state_string of Slurm's slurm_protocol_defs.c).
func (r *jsonReader) state() (state []byte) {
	if r.Kind() != '[' {
		return r.scalar()
	}
	rank := -1
	r.Enter('[')
	for r.Next() {
		v := r.String()
		if at := stateRank(v); at > rank {
			state, rank = v, at
		}
	}
	return state
}

// stateRank orders the names in a list of states: the highest is the one to take.
func stateRank(name []byte) int {
	for _, flag := range jsonFlags {
		if string(name) == flag {
			return 0
		}
	}
	switch parseSacctState(name) {
	case stateCompleting:
		return 6
	case stateStageOut, stateConfiguring:
		return 5
	case stateResizing, stateRequeued:
		return 4
	case stateRequeueFed, stateRequeueHold, stateSpecialExit, stateReservationHold:
		return 3
	case stateStopped, stateRevoked, stateSignaling:
		return 2
	}
	return 1
}
