package parse

import (
	"bytes"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// StatusWord is the status code of a state as schedulers name it: of all the
// ways to end early, only a cancellation has a code of its own.
func StatusWord(v []byte) (int64, bool) {
	if i := bytes.IndexAny(v, " +"); i >= 0 {
		v = v[:i] // "CANCELLED by 1000"
	}
	switch strings.ToUpper(string(v)) {
	case "COMPLETED", "COMPLETE", "COMPLETING", "CD", "DONE", "FINISHED", "SUCCESS", "SUCCEEDED", "OK":
		return workload.StatusCompleted, true
	case "CANCELLED", "CANCELED", "CA", "KILLED", "DELETED", "ABORTED":
		return workload.StatusCancelled, true
	case "FAILED", "FAILURE", "FAIL", "F", "ERROR", "TIMEOUT", "TO", "OUT_OF_MEMORY", "OOM", "NODE_FAIL", "NF", "BOOT_FAIL", "BF", "DEADLINE", "DL", "PREEMPTED", "PR", "REVOKED", "EXIT", "EXITED":
		return workload.StatusFailed, true
	}
	return 0, false
}
