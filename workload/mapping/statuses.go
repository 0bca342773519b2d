package mapping

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// status returns the status code in row i.
func (r *reader) status(i int) (code int64, want string) {
	text := r.value(i).asText()
	if text == "" {
		return workload.Unknown, ""
	}
	code, ok := r.codes[text]
	if ok {
		return code, ""
	}
	if r.statuses == nil && parse.Infinite([]byte(text)) {
		return 0, workload.WantFinite
	}
	if code, ok = r.statusOf(text); !ok {
		r.warn("unknown-status", "unknown words for a status: the status is left unknown", i)
		return workload.Unknown, ""
	}
	r.codes[strings.Clone(text)] = code
	return code, ""
}

// statusOf returns the status code of a word in the mapping or, if the mapping lists no words, of a
// scheduler's word or a number of SWF.
func (r *reader) statusOf(text string) (int64, bool) {
	if r.statuses != nil {
		if code, ok := r.statuses[text]; ok {
			return code, true
		}
		code, ok := r.statuses["*"]
		return code, ok
	}
	if code, ok := statusWord([]byte(text)); ok {
		return code, true
	}
	code, want := parse.Whole([]byte(text))
	return code, want == ""
}

// statusWord returns the status code of a state as schedulers name it. Of all the ways to end
// early, only a cancellation has a code of its own.
func statusWord(v []byte) (int64, bool) {
	if i := bytes.IndexAny(v, " +"); i >= 0 {
		v = v[:i] // "CANCELLED by 1000"
	}
	for code, words := range map[int64]string{
		workload.StatusCompleted: "COMPLETED COMPLETE COMPLETING CD DONE FINISHED SUCCESS SUCCEEDED OK",
		workload.StatusCancelled: "CANCELLED CANCELED CA KILLED DELETED ABORTED",
		workload.StatusFailed:    "FAILED FAILURE FAIL F ERROR TIMEOUT TO OUT_OF_MEMORY OOM NODE_FAIL NF BOOT_FAIL BF DEADLINE DL PREEMPTED PR REVOKED EXIT EXITED",
	} {
		if slices.Contains(strings.Fields(words), strings.ToUpper(string(v))) {
			return code, true
		}
	}
	return 0, false
}
