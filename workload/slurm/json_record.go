package slurm

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
)

// members are what is read of a job or a step, by paths such as ".time.submission".
type members map[string]member

// member is read into a field of record, as what it looks like or as the reader behind a comma
// says. The objects in which members are have none.
type member struct {
	field int
	is    string
}

// membersOf are the members that a tag of record names, and the objects in which they are.
func membersOf(tag string) members {
	all := members{}
	for i := range recordType.NumField() {
		f := recordType.Field(i)
		for _, name := range strings.Fields(f.Tag.Get(tag)) {
			path, is, _ := strings.Cut("."+name, ",")
			for at := range path {
				if path[at] == '.' {
					all[path[:at]] = member{is: "object"}
				}
			}
			all[path] = member{i, cmp.Or(is, f.Tag.Get("is"))}
		}
	}
	return all
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
	path  []byte   // of the member that is being read, or of which the reader stands at a fault
	steps []record // of the job
	step  *fields
}

// values reads the object that comes next: its members, and those of the objects in it, into the
// fields of a record. Of several members of one field the first counts that is not empty. The
// paths of members begin behind that of a step, if it is one.
func (r *jsonReader) values(members members, begin int, at []*[]byte) {
	outer := len(r.path)
	for r.Enter('{'); r.Next(); {
		r.path = append(append(r.path[:outer], '.'), r.Key()...)
		switch m, wanted := members[string(r.path[begin:])]; {
		case !wanted, m.is == "object" && r.Kind() == 'n': // null
			r.Skip()
		case m.is == "object":
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

// value reads what looks like is. Times, and what is positive, are none where they are 0 or
// below.
func (r *jsonReader) value(is string) (v []byte) {
	var micro []byte
	switch kind := r.Kind(); {
	case is == "steps":
		r.readSteps(kind)
	case kind == '"':
		v = r.String()
	case kind == '{':
		v, micro = r.object(is)
	case kind == '[' && is == "state":
		v = r.stateOf()
	case kind == '[' && (is == "tres" || is == "memory"):
		v = r.list(is)
	case kind == '[':
		r.Fail(r.Offset(), "an array", "a number or a string")
	default:
		switch v = r.Bare(); string(v) {
		case "null", "NaN", "Infinity", "-Infinity", "-1", "-2": // NO_VAL and INFINITE with a sign
			return nil
		}
		if isNoValue(v) {
			return nil
		}
	}
	switch {
	case (is == "time" || is == "positive") && (string(v) == "0" || len(v) > 0 && v[0] == '-'):
		return nil
	case is == "duration":
		return r.clock(v, micro)
	case is == "memory":
		return listed(v, "mem") // in bytes
	case is == "step" && len(v) == 0:
		return []byte("0")
	case is == "step":
		return v[bytes.LastIndexByte(v, '.')+1:]
	}
	return v
}

// object reads an object that stands for a number, since data parser 0.0.39
// {"set": true, "infinite": false, "number": 5}, for a duration, {"seconds": 3, "microseconds":
// 500000}, or for the number of a step, {"job_id": 4, "step_id": "batch"}.
func (r *jsonReader) object(is string) (v, micro []byte) {
	set, at := true, r.Offset()
	for r.Enter('{'); r.Next(); {
		switch key := string(r.Key()); {
		case key == "set":
			set = string(r.Bare()) == "true" && set
		case key == "infinite":
			set = string(r.Bare()) != "true" && set
		case key == "number", key == "seconds" && is == "duration", key == "step_id" && is == "step":
			v = r.value("")
		case key == "microseconds" && is == "duration":
			micro = r.value("")
		case is == "duration", is == "step":
			r.Skip()
		default:
			r.Fail(at, "an object with "+jsontext.Seen(r.Key()), "a number, or an object with set, infinite and number")
		}
	}
	if !set {
		return nil, nil
	}
	return v, micro
}

// clock is a duration as Slurm prints it: "0:03.500000".
func (r *jsonReader) clock(seconds, micro []byte) []byte {
	s, want := parseCount(seconds)
	if want != "" {
		r.Fail(r.Offset()-len(seconds), jsontext.Seen(seconds), want)
	}
	us, want := parseCount(micro)
	if want != "" {
		r.Fail(r.Offset()-len(micro), jsontext.Seen(micro), want)
	}
	if s < 0 || r.Fault() != nil {
		return nil
	}
	us = max(us, 0)
	s += us / 1e6
	return fmt.Appendf(nil, "%d:%02d.%06d", s/60, s%60, us%1e6)
}

// stateOf reads a state since data parser 0.0.40, a list, in which flags
// follow the state proper. A flag such as COMPLETING goes before the state.
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

// list reads a list of resources, [{"type": "gres", "name": "gpu", "count": 4}], as
// sacct prints it: "gres/gpu=4". Memory of a job is in MB, that which a step used in
// bytes.
func (r *jsonReader) list(is string) (v []byte) {
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
		if len(v) > 0 {
			v = append(v, ',')
		}
		if v = append(v, kind...); len(name) > 0 {
			v = append(append(v, '/'), name...)
		}
		if v = append(append(v, '='), count...); string(kind) == "mem" && is == "tres" {
			v = append(v, 'M')
		}
	}
	return v
}

// readSteps reads the steps of a job.
func (r *jsonReader) readSteps(kind byte) {
	if kind == 'n' {
		r.Skip()
		return
	}
	for r.Enter('['); r.Next(); {
		r.step.record = record{}
		r.values(stepMembers, len(r.path), r.step.at)
		r.steps = append(r.steps, r.step.record)
	}
}
