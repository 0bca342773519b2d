package slurm_test

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// Every reason in Slurm's own list is known, and so are the longer texts that Slurm prints instead
// of some.
func TestSqueueReasons(t *testing.T) {
	want := map[string]string{
		"":             "queued",
		"(null)":       "queued",
		"(Resources)":  "queued",
		"((Priority))": "queued",
		"(Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)": "queued",
		"ReqNodeNotAvail, UnavailableNodes:n[1-3]":                                                      "held",
		"(ReqNodeNotAvail, May be reserved for other job)":                                              "held",
		"ReqNodeNotAvail(Unavailable:n7)":                                                               "held",
		"launch failed requeued held":                                                                   "held",
		"(job requeued in held state)":                                                                  "held",
		"BurstBufferOperation: setup failed":                                                            "held",
		"Reservation maintenance was deleted":                                                           "held",
		"QOSMaxGRESRunMinsPerUser":                                                                      "held", // added after the list
		"MaxCpuRunMinsPerAccount":                                                                       "held",
		"MpiPortsBusy":                                                                                  "unknown",
		"PriorityOfSomethingElse":                                                                       "unknown",
		"waits for the moon":                                                                            "unknown",
	}
	reasons := 0
	for _, line := range strings.Split(readText("testdata/squeue-reasons.txt"), "\n") {
		if name, class, ok := strings.Cut(line, " "); ok && name != "#" {
			want[name], reasons = class, reasons+1
		}
	}
	if reasons != 199 {
		t.Errorf("%d reasons in the list, want 199", reasons)
	}
	for text, class := range want {
		if got := slurm.ReasonOf(text); got != class {
			t.Errorf("%q is %s, want %s", text, got, class)
		}
	}
}
