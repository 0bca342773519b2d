package slurm

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// phase is the stage that a job in a state has reached.
type phase uint8

const (
	unknownPhase phase = iota
	waits
	held     // it waits, but not for processors
	prepares // it waits or, if it has a start, its nodes are being prepared
	runs
	completed
	cancelled
	expired  // failed, perhaps before it started
	failed   // for good
	goesOn   // failed, or goes on in another record
	requeued // like goesOn, and another record is expected
)

// state is one of Slurm's job states.
type state struct {
	long, short string
	phase       phase
	rank        byte   // in a list of states in JSON, the one of the highest rank counts
	rule, text  string // of the warning that counts such jobs; "" for none
}

// states are Slurm's job states: long and short name, phase, and rank (job_state_string in
// Slurm's slurm_protocol_defs.c prefers the flags of a state to the state).
var states = func() (list []state) {
	phases := strings.Fields("unknown waits held prepares runs completed cancelled expired failed goes-on requeued")
	for line := range strings.Lines(`UNKNOWN ? unknown 1
BOOT_FAIL BF goes-on 1
CANCELLED CA cancelled 1
COMPLETED CD completed 1
COMPLETING CG runs 6
CONFIGURING CF prepares 5
DEADLINE DL expired 1
FAILED F failed 1
NODE_FAIL NF goes-on 1
OUT_OF_MEMORY OOM failed 1
PENDING PD waits 1
PREEMPTED PR requeued 1
REQUEUE_FED RF waits 3
REQUEUE_HOLD RH held 3
REQUEUED RQ requeued 4
RESIZING RS goes-on 4
RESV_DEL_HOLD RD held 3
REVOKED RV expired 2
RUNNING R runs 1
SIGNALING SI runs 2
SPECIAL_EXIT SE held 3
STAGE_OUT SO runs 5
STOPPED ST runs 2
SUSPENDED S runs 1
TIMEOUT TO failed 1
`) {
		words := strings.Fields(line)
		s := state{long: words[0], short: words[1], phase: phase(slices.Index(phases, words[2])), rank: words[3][0] - '0'}
		switch s.phase {
		case waits, held, prepares:
			s.rule, s.text = "waiting", "jobs that are still waiting: wait, run time and status unknown"
		case runs:
			s.rule, s.text = "running", "jobs that are still running: run time and status unknown"
		}
		list = append(list, s)
	}
	return list
}()

// jobState is an index in states.
type jobState uint8

const stateUnknown jobState = 0

var stateCompleted, stateRunning = stateNamed("COMPLETED"), stateNamed("RUNNING")

func stateNamed(long string) jobState {
	return jobState(slices.IndexFunc(states, func(s state) bool { return s.long == long }))
}

func (s jobState) phase() phase { return states[s].phase }

func (s jobState) waits() bool { return waits <= s.phase() && s.phase() <= prepares }

func (s jobState) runs() bool { return s.phase() == runs }

func (s jobState) ended() bool { return s.phase() > runs }

// goesOn reports whether a record in the state may be one part of a job that continues in
// another record.
func (s jobState) goesOn() bool { return s.phase() >= goesOn }

// status returns the standard workload format's code for a state, if no other record of the job
// is known. It is workload.Unknown for a job that has not ended.
func (s jobState) status() int64 {
	switch {
	case !s.ended():
		return workload.Unknown
	case s.phase() == completed:
		return workload.StatusCompleted
	case s.phase() == cancelled:
		return workload.StatusCancelled
	}
	return workload.StatusFailed
}

// parseState parses a state: a long or short name, possibly with the text that sacct appends
// ("CANCELLED by 1000") or cut to a column's width ("CANCELLED+").
func parseState(v []byte) jobState {
	if string(v) == "COMPLETED" { // most jobs
		return stateCompleted
	}
	first, _, by := bytes.Cut(v, []byte{' '})
	name, cut := bytes.CutSuffix(first, []byte{'+'})
	found := stateUnknown
	for i := 1; i < len(states); i++ {
		switch s := &states[i]; {
		case string(name) == s.long, string(name) == s.short:
			if by && s.phase != cancelled {
				return stateUnknown
			}
			return jobState(i)
		case cut && !by && len(name) > 1 && strings.HasPrefix(s.long, string(name)):
			if found != stateUnknown {
				return stateUnknown // ambiguous
			}
			found = jobState(i)
		}
	}
	return found
}
