package slurm

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
)

// members are what is read of an object, by their names.
type members map[string]member

// member reads a value into a field of record or, where read is nil, the members of an object.
type member struct {
	field   int
	read    func(*jsonReader) []byte
	members members
}

// membersOf lays out as a tree the members that a tag of record names.
func membersOf(tag string) members {
	root := members{}
	for i := range recordType.NumField() {
		f := recordType.Field(i)
		for _, path := range strings.Fields(f.Tag.Get(tag)) {
			path, reader, _ := strings.Cut(path, ",")
			names, at := strings.Split(path, "."), root
			for _, object := range names[:len(names)-1] {
				if at[object].members == nil {
					at[object] = member{members: members{}}
				}
				at = at[object].members
			}
			read, ok := jsonReaders[cmp.Or(reader, f.Tag.Get("is"))]
			if !ok {
				read = (*jsonReader).scalar
			}
			at[names[len(names)-1]] = member{field: i, read: read}
		}
	}
	return root
}

// jsonReaders read values that are more than a number or a text, by what they look like, or
// by a name of their own.
var jsonReaders = map[string]func(*jsonReader) []byte{
	"time": (*jsonReader).positive, "positive": (*jsonReader).positive, "duration": (*jsonReader).duration,
	"state": (*jsonReader).state, "tres": func(r *jsonReader) []byte { return r.tres("M") },
	"steps": (*jsonReader).stepList, "step": (*jsonReader).stepID,
	"memory": func(r *jsonReader) []byte { return tresAmount(r.tres(""), "mem") }, // bytes
}

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
	path    [4][]byte // the member of the job that is being read, and its own

	steps []record // of the job
	step  *fields
	of    members // of a step
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

// values reads the object that comes next, at a level of the path: the members into the
// fields of a record. Of several members of one field the first counts that is not empty.
func (r *jsonReader) values(members members, level int, at []*[]byte) {
	if !r.Enter('{') {
		return
	}
	for r.next(level) {
		switch m, wanted := members[string(r.Key())]; {
		case !wanted, m.read == nil && r.Kind() == 'n': // null
			r.Skip()
		case m.read == nil:
			r.values(m.members, level+1, at)
		case len(*at[m.field]) == 0:
			*at[m.field] = m.read(r)
		default:
			r.Skip()
		}
	}
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
		r.Fail(r.Offset(), "an array", "a number or a string")
		return nil
	}
	switch word := r.Bare(); string(word) {
	case "null", "NaN", "Infinity", "-Infinity", "-1", "-2": // NO_VAL and INFINITE with a sign
		return nil
	default:
		if isNoValue(word) {
			return nil
		}
		return word
	}
}

// number reads an object that stands for a number.
func (r *jsonReader) number() (value []byte) {
	set := true
	at := r.Offset()
	r.Enter('{')
	for r.Next() {
		switch string(r.Key()) {
		case "set":
			set = string(r.Bare()) == "true" && set
		case "infinite":
			set = string(r.Bare()) != "true" && set
		case "number":
			value = r.scalar()
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

// duration reads seconds, a number or {"seconds": 3, "microseconds": 500000}, as Slurm prints
// them: "0:03.500000".
func (r *jsonReader) duration() []byte {
	var seconds, micro int64
	known := false
	if r.Kind() != '{' {
		known = r.whole(&seconds)
	} else if r.Enter('{') {
		for r.Next() {
			switch string(r.Key()) {
			case "seconds", "number":
				known = r.whole(&seconds)
			case "microseconds":
				r.whole(&micro)
			default:
				r.Skip()
			}
		}
	}
	if !known || r.Fault() != nil {
		return nil
	}
	seconds, micro = seconds+micro/1e6, micro%1e6
	from := len(r.scratch)
	r.scratch = strconv.AppendInt(r.scratch, seconds/60, 10)
	r.scratch = append(r.scratch, ':', byte('0'+seconds%60/10), byte('0'+seconds%10))
	if micro > 0 {
		at := len(r.scratch)
		r.scratch = strconv.AppendInt(r.scratch, 1e6+micro, 10)
		r.scratch[at] = '.' // in place of the 1
	}
	return r.scratch[from:len(r.scratch):len(r.scratch)]
}

// whole reads a number below 10^15 into n, which stays where there is none.
func (r *jsonReader) whole(n *int64) (ok bool) {
	r.Kind()
	at := r.Offset()
	v := r.scalar()
	if len(v) == 0 {
		return false
	}
	x, want := parseCount(v)
	if want != "" {
		r.Fail(at, jsontext.Seen(v), want)
		return false
	}
	*n = x
	return x >= 0
}

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
	switch string(name) {
	case "LAUNCH_FAILED", "UPDATE_DB", "RECONFIG_FAIL", "POWER_UP_NODE", "EXPEDITING":
		return 0
	}
	switch parseState(name) {
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
		if isNoValue(count) {
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

// stepList reads the steps of a job.
func (r *jsonReader) stepList() []byte {
	if r.Kind() == 'n' {
		r.Skip()
	} else if r.Enter('[') {
		for r.Next() {
			r.step.record = record{}
			r.values(r.of, 1, r.step.at)
			r.steps = append(r.steps, r.step.record)
		}
	}
	return nil
}

// stepID reads a step's own number or name. It is "batch", {"job_id": 4, "step_id":
// "batch"} or "4.batch", by the version.
func (r *jsonReader) stepID() (id []byte) {
	if r.Kind() != '{' {
		id = r.scalar()
	} else if r.Enter('{') {
		for r.Next() {
			if string(r.Key()) == "step_id" {
				id = r.scalar()
			} else {
				r.Skip()
			}
		}
	}
	id = id[bytes.LastIndexByte(id, '.')+1:]
	if len(id) == 0 {
		return []byte("0")
	}
	return id
}
