package slurm

import (
	"bytes"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
)

// jsonReader reads values of Slurm's JSON in every form since data parser 0.0.37
// (Slurm 21.08) as the text that sacct and squeue print, so that text and JSON have
// their meaning from the same parsers. What is null, not set or without a limit is
// empty; texts may stand for numbers.
//
// The forms are those of Slurm's src/plugins/openapi (0.0.37, 0.0.38) and
// src/plugins/data_parser (0.0.39 to 0.0.46).
type jsonReader struct {
	jsontext.Scanner
	scratch []byte    // texts put together
	path    [2][]byte // the member of the job that is being read, and its own
}

// next goes to the next member of an object at a level of the path.
func (r *jsonReader) next(level int) bool {
	if !r.Next() {
		if r.Fault() == nil {
			r.path[level] = nil
		}
		return false
	}
	r.path[level] = r.Key()
	return true
}

// where is the path of the member that is being read.
func (r *jsonReader) where() string {
	at := ""
	for _, key := range r.path {
		if len(key) > 0 {
			at += "." + string(key)
		}
	}
	return at
}

// scalar reads a number or a text. Numbers that may be missing are objects since data
// parser 0.0.39, {"set": true, "infinite": false, "number": 5}; before that null.
func (r *jsonReader) scalar() []byte {
	switch r.Kind() {
	case '"':
		return r.String()
	case '{':
		return r.number()
	case '[':
		r.Fail(r.Offset(), "an array", "a number or a text")
		return nil
	}
	return known(r.Bare())
}

// known returns a number or word, nil for one that says that there is none.
func known(word []byte) []byte {
	switch string(word) {
	case "null", "NaN", "Infinity", "-Infinity":
		return nil
	}
	return word
}

// number reads an object that stands for a number.
func (r *jsonReader) number() (value []byte) {
	set := true
	at := r.Offset()
	if !r.Enter('{') {
		return nil
	}
	for r.Next() {
		switch string(r.Key()) {
		case "set":
			set = string(r.Bare()) == "true" && set
		case "infinite":
			set = string(r.Bare()) != "true" && set
		case "number":
			if r.Kind() == '"' {
				value = r.String()
			} else {
				value = known(r.Bare())
			}
		default:
			r.Fail(at, "an object with "+jsontext.Seen(r.Key()), "a number, or an object with set, infinite and number")
		}
	}
	if !set {
		return nil
	}
	return value
}

// positive is a scalar of which 0 and negative numbers mean none, as of times.
func (r *jsonReader) positive() []byte {
	v := r.scalar()
	if string(v) == "0" || len(v) > 0 && v[0] == '-' {
		return nil
	}
	return v
}

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

// tres reads a list of resources, [{"type": "gres", "name": "gpu", "count": 4}], as
// sacct prints it: "gres/gpu=4". Memory of a job is in MB, that which a step used in
// bytes: unit is put behind it.
func (r *jsonReader) tres(unit string) []byte {
	from := len(r.scratch)
	if r.Kind() != '[' {
		return r.scalar()
	}
	r.Enter('[')
	for r.Next() {
		var kind, name, count []byte
		if !r.Enter('{') {
			break
		}
		for r.Next() {
			switch string(r.Key()) {
			case "type":
				kind = r.scalar()
			case "name":
				name = r.scalar()
			case "count":
				count = r.scalar()
			default:
				r.Skip()
			}
		}
		if len(count) == 0 || count[0] == '-' || len(count) > 18 { // not known: -2, or 2^64 less 2
			continue
		}
		if len(r.scratch) > from {
			r.scratch = append(r.scratch, ',')
		}
		r.scratch = append(r.scratch, kind...)
		if len(name) > 0 {
			r.scratch = append(append(r.scratch, '/'), name...)
		}
		r.scratch = append(append(r.scratch, '='), count...)
		if string(kind) == "mem" {
			r.scratch = append(r.scratch, unit...)
		}
	}
	return r.scratch[from:len(r.scratch):len(r.scratch)]
}

// seconds reads {"seconds": 3, "microseconds": 500000} as "0:03.500000".
func (r *jsonReader) seconds() []byte {
	var whole, micro int64
	known := false
	if r.Kind() != '{' {
		r.Fail(r.Offset(), "no object", "an object with seconds and microseconds")
		return nil
	}
	r.Enter('{')
	for r.Next() {
		switch string(r.Key()) {
		case "seconds":
			known = r.whole(&whole)
		case "microseconds":
			r.whole(&micro)
		default:
			r.Skip()
		}
	}
	if !known || r.Fault() != nil {
		return nil
	}
	return r.duration(whole+micro/1e6, micro%1e6)
}

// whole reads a number below 10^15 into n, which stays where there is none.
func (r *jsonReader) whole(n *int64) (ok bool) {
	r.Kind()
	at := r.Offset()
	v := r.scalar()
	if len(v) == 0 {
		return false
	}
	x, want := parseSacctCount(v)
	if want != "" {
		r.Fail(at, jsontext.Seen(v), want)
		return false
	}
	*n = x
	return x >= 0
}

// duration writes a length of time as Slurm does: minutes and seconds.
func (r *jsonReader) duration(seconds, micro int64) []byte {
	from := len(r.scratch)
	r.scratch = strconv.AppendInt(r.scratch, seconds/60, 10)
	r.scratch = append(r.scratch, ':', byte('0'+seconds%60/10), byte('0'+seconds%10))
	if micro > 0 {
		r.scratch = append(r.scratch, '.')
		digits := strconv.AppendInt(nil, 1e6+micro, 10)
		r.scratch = append(r.scratch, digits[1:]...)
	}
	return r.scratch[from:len(r.scratch):len(r.scratch)]
}

// join puts texts behind one another.
func (r *jsonReader) join(texts ...[]byte) []byte {
	from := len(r.scratch)
	for _, t := range texts {
		r.scratch = append(r.scratch, t...)
	}
	return r.scratch[from:len(r.scratch):len(r.scratch)]
}

// taskID is the number of a job as sacct and squeue print it: that of a task of an
// array, 41_3, of all tasks that wait, 41_[1-6], or of a component of a heterogeneous
// job, 12+1.
func (r *jsonReader) taskID(job, array, task, tasks, het, offset []byte) []byte {
	switch {
	case len(array) > 0 && len(task) > 0:
		return r.join(array, []byte("_"), task)
	case len(array) > 0 && len(tasks) > 0:
		if bytes.HasPrefix(tasks, []byte("0x")) { // sacct's bits
			tasks = []byte("...")
		}
		return r.join(array, []byte("_["), tasks, []byte("]"))
	case len(het) > 0 && len(offset) > 0:
		return r.join(het, []byte("+"), offset)
	}
	return job
}

// exit reads how a job ended as sacct prints it, "3:0": {"status": ["ERROR"],
// "return_code": 3, "signal": {"id": 0}}, or as wait(2) has it, 768. plain says that a
// return_code is a bare number: those data parsers, to 0.0.39, say SUCCESS and 0 of
// every job that no signal ended.
func (r *jsonReader) exit() (code []byte, plain bool) {
	if r.Kind() != '{' {
		return r.waitStatus(r.scalar()), false
	}
	var signal, status []byte
	set := true
	r.Enter('{')
	for r.Next() {
		switch string(r.Key()) {
		case "return_code":
			plain = r.Kind() != '{'
			code = r.scalar()
		case "signal":
			if signal = nil; r.Kind() == '{' {
				signal = r.signal()
			} else {
				r.Skip()
			}
		case "set":
			set = string(r.Bare()) == "true"
		case "number":
			status = r.scalar()
		default:
			r.Skip()
		}
	}
	switch {
	case len(status) > 0 && set:
		return r.waitStatus(status), false
	case len(signal) > 0:
		return r.join([]byte("0:"), signal), plain
	case len(code) > 0:
		return r.join(code, []byte(":0")), plain
	}
	return nil, plain
}

// signal reads the number of a signal, 0 for none.
func (r *jsonReader) signal() (id []byte) {
	r.Enter('{')
	for r.Next() {
		switch string(r.Key()) {
		case "id", "signal_id":
			id = r.positive()
		default:
			r.Skip()
		}
	}
	return id
}

// waitStatus takes a status of wait(2) apart: the signal is in the lowest seven bits,
// the exit code in the second byte.
func (r *jsonReader) waitStatus(status []byte) []byte {
	n, want := parseSacctCount(status)
	if want != "" || n == workload.Unknown {
		return status // the parser says what is wrong
	}
	from := len(r.scratch)
	r.scratch = strconv.AppendInt(r.scratch, n>>8&0xff, 10)
	r.scratch = strconv.AppendInt(append(r.scratch, ':'), n&0x7f, 10)
	return r.scratch[from:len(r.scratch):len(r.scratch)]
}
