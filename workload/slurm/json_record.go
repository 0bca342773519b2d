package slurm

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
)

// members maps paths such as ".time.submission" to the members of a job or a step that are read.
type members map[string]member

// member is read into a field of record, or contains members that are read; with both, its value
// decides.
type member struct {
	field   int    // -1 for none
	is      string // form of the field's values, see shapes
	isOuter bool   // contains members that are read
}

// membersOf returns the members that a tag of record names, and the objects that contain them.
func membersOf(tag string) members {
	all := members{}
	for i := range recordType.NumField() {
		f := recordType.Field(i)
		for _, name := range strings.Fields(f.Tag.Get(tag)) {
			path := "." + name
			all[path] = member{i, f.Tag.Get("is"), all[path].isOuter}
			for at := range path {
				if outer, known := all[path[:at]]; path[at] == '.' {
					if outer.isOuter = true; !known {
						outer.field = -1
					}
					all[path[:at]] = outer
				}
			}
		}
	}
	return all
}

// jsonReader reads values of Slurm's JSON, in every form since data parser 0.0.37 (Slurm 21.08),
// as the text that sacct and squeue print, so that the same parsers interpret text and JSON. A
// value that is null, not set or unlimited is empty; strings may stand for numbers.
//
// The forms are those of Slurm's src/plugins/openapi (0.0.37, 0.0.38) and
// src/plugins/data_parser (0.0.39 to 0.0.46).
type jsonReader struct {
	jsontext.Scanner
	path  []byte   // of the member that is being read or, after a fault, of the one at fault
	steps []record // of the job
	step  *fields
}

// values reads the next object: it sets fields of a record from the object's members and those
// of the objects in it. If several members are for one field, the first one that is not empty
// counts. begin is where the paths in members begin in r.path: after the path of the step, if
// the object is one.
func (r *jsonReader) values(members members, begin int, at []*[]byte) {
	outer := len(r.path)
	for r.Enter('{'); r.Next(); {
		r.path = append(append(r.path[:outer], '.'), r.Key()...)
		switch m, wanted := members[string(r.path[begin:])]; {
		case !wanted, r.Kind() == 'n': // null
			r.Skip()
		case m.isOuter && (m.field < 0 || r.Kind() == '{'):
			r.values(members, begin, at)
		case len(*at[m.field]) == 0:
			*at[m.field] = r.value(m.is)
		default:
			r.Skip()
		}
	}
	if r.Fault() == nil {
		r.path = r.path[:outer]
	}
}

// value reads a value of the form is, see shapes. A time of 0 or below is empty.
func (r *jsonReader) value(is string) (v []byte) {
	switch kind := r.Kind(); {
	case is == "steps":
		r.readSteps()
	case kind == '"':
		v = r.String()
	case kind == '{':
		v = r.number()
	case kind == '[' && is == "state":
		v = r.stateOf()
	case kind == '[' && is == "tres":
		v = r.list()
	case kind == '[':
		r.Fail(r.Offset(), "an array", "a number or a string")
	default:
		switch v = r.Bare(); string(v) {
		case "null", "NaN", "Infinity", "-Infinity", "-1", "-2": // the last two are INFINITE and NO_VAL with a sign
			return nil
		}
		if isNoValue(v) {
			return nil
		}
	}
	if is == "time" && (string(v) == "0" || len(v) > 0 && v[0] == '-') {
		return nil
	}
	return v
}

// number reads an object that represents a number, as since data parser 0.0.39:
// {"set": true, "infinite": false, "number": 5}.
func (r *jsonReader) number() (v []byte) {
	isSet, at := true, r.Offset()
	for r.Enter('{'); r.Next(); {
		switch string(r.Key()) {
		case "set":
			isSet = string(r.Bare()) == "true" && isSet
		case "infinite":
			isSet = string(r.Bare()) != "true" && isSet
		case "number":
			v = r.value("")
		default:
			r.Fail(at, "an object with "+jsontext.Seen(r.Key()), "a number, or an object with set, infinite and number")
		}
	}
	if !isSet {
		return nil
	}
	return v
}

// stateOf reads a list of a state and its flags, as since data parser 0.0.40, and returns the
// one of the highest rank: a flag such as COMPLETING takes precedence over the state.
func (r *jsonReader) stateOf() (name []byte) {
	best := -1
	for r.Enter('['); r.Next(); {
		v := r.String()
		rank := int(states[parseState(v)].rank)
		switch string(v) {
		case "LAUNCH_FAILED", "UPDATE_DB", "RECONFIG_FAIL", "POWER_UP_NODE", "EXPEDITING":
			rank = 0
		}
		if rank > best {
			name, best = v, rank
		}
	}
	return name
}

// list reads a list of resources, [{"type": "gres", "name": "gpu", "count": 4}], in the form
// that sacct prints: "gres/gpu=4". The memory of a job is in MB, the memory that a step used in
// bytes.
func (r *jsonReader) list() (v []byte) {
	for r.Enter('['); r.Next(); {
		var kind, name, count []byte
		for r.Enter('{'); r.Next(); {
			switch string(r.Key()) {
			case "type":
				kind = r.value("")
			case "name":
				name = r.value("")
			case "count":
				count = r.value("")
			default:
				r.Skip()
			}
		}
		if isNoValue(count) {
			continue
		}
		if len(name) > 0 {
			kind = fmt.Appendf(nil, "%s/%s", kind, name)
		}
		v = fmt.Appendf(v, ",%s=%s", kind, count)
	}
	return bytes.TrimPrefix(v, []byte{','})
}

// readSteps reads the steps of a job.
func (r *jsonReader) readSteps() {
	for r.Enter('['); r.Next(); {
		r.step.record = record{}
		r.values(stepMembers, len(r.path), r.step.at)
		r.steps = append(r.steps, r.step.record)
	}
}
