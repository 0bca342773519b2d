package slurm

import (
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// exit reads how a job ended as sacct prints it, "3:0": {"status": ["ERROR"],
// "return_code": 3, "signal": {"id": 0}}, or as wait(2) has it, 768. It notes whether the
// return_code is a bare number: those data parsers, to 0.0.39, say SUCCESS and 0 of
// every job that no signal ended.
func (r *jsonReader) exit() []byte {
	if r.Kind() != '{' {
		return r.waitStatus(r.scalar())
	}
	var code, signal, status []byte
	set := true
	r.Enter('{')
	for r.Next() {
		switch string(r.Key()) {
		case "return_code":
			r.plainExit = r.Kind() != '{'
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
		r.plainExit = false
		return r.waitStatus(status)
	case len(signal) > 0:
		return r.join([]byte("0:"), signal)
	case len(code) > 0:
		return r.join(code, []byte(":0"))
	}
	return nil
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
