package cli

import (
	"strings"
	"testing"
)

// TestLawKernel: the queue's predictors take the distributions of like jobs for
// the law of run times, and those of the head of the queue are left out.
func TestLawKernel(t *testing.T) {
	state, past := writeFile(t, "state.swf", nowState1), writeFile(t, "past.swf", nowPast())
	args := []string{"-q", "wait", state, past, "--at", "200", "--size", "4", "--predictors", "drawn,simulated", "--format", "csv"}
	usual, kernel := loadstone(t, "", args...), loadstone(t, "", append(args, "--law", "kernel")...)
	if kernel.code != exitDone || !strings.Contains(kernel.out, "drawn") || !strings.Contains(kernel.out, "simulated") || kernel.out == usual.out {
		t.Errorf("exit code %d, %s\n%s\nwith the usual distribution\n%s", kernel.code, kernel.err, kernel.out, usual.out)
	}
}
