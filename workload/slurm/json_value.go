package slurm

import (
	"strconv"

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
	scratch []byte         // texts put together
	path    [4][]byte      // the member of the job that is being read, and its own
	steps   *[]sacctValues // of a job of sacct's
}

// begin prepares to read a job. Its steps are appended to steps, which is emptied first;
// nil reads none.
func (r *jsonReader) begin(steps *[]sacctValues) {
	r.scratch, r.steps = r.scratch[:0], steps
	if steps != nil {
		*steps = (*steps)[:0]
	}
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
		r.Fail(r.Offset(), "an array", "a number or a string")
		return nil
	}
	return known(r.Bare())
}

// known returns a number or word, nil for a word that means no value.
func known(word []byte) []byte {
	switch string(word) {
	case "null", "NaN", "Infinity", "-Infinity", "-1", "-2": // NO_VAL and INFINITE with a sign
		return nil
	}
	if isNoValue(word) {
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

// seconds reads {"seconds": 3, "microseconds": 500000} as "0:03.500000".
func (r *jsonReader) seconds() []byte {
	var whole, micro int64
	known := false
	switch r.Kind() {
	case 'n': // null
		r.Skip()
		return nil
	case '{':
	default:
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

// wholeSeconds reads a number of seconds as "0:03".
func (r *jsonReader) wholeSeconds() []byte {
	var s int64
	if !r.whole(&s) {
		return nil
	}
	return r.duration(s, 0)
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

// join concatenates texts.
func (r *jsonReader) join(texts ...[]byte) []byte {
	from := len(r.scratch)
	for _, t := range texts {
		r.scratch = append(r.scratch, t...)
	}
	return r.scratch[from:len(r.scratch):len(r.scratch)]
}
