package slurm

import (
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Jobs submitted at 100 s start at 200 s. Those that waited for another, or were held, were eligible
// at 160 s, or after their start, which no wait is longer than; a limit has all of the wait.
func TestPendingOfStarted(t *testing.T) {
	for _, c := range []struct {
		reason   string
		eligible float64
		want     []workload.Pending
	}{
		{"None", 160, []workload.Pending{{Reason: "Priority or Resources", Jobs: 1, Seconds: 100}}},
		{"Dependency", 160, []workload.Pending{{Reason: "Priority or Resources", Jobs: 1, Seconds: 40}, {Reason: "Dependency", Jobs: 1, Seconds: 60}}},
		{"JobHeldUser", 160, []workload.Pending{{Reason: "Priority or Resources", Jobs: 1, Seconds: 40}, {Reason: "held", Jobs: 1, Seconds: 60}}},
		{"JobHeldUser", 300, []workload.Pending{{Reason: "held", Jobs: 1, Seconds: 100}}},
		{"JobHeldAdmin", math.NaN(), []workload.Pending{{Reason: "held", Jobs: 1, Seconds: 100}}},
		{"QOSMaxJobsPerUserLimit", 160, []workload.Pending{{Reason: "limits of associations and QOS", Jobs: 1, Seconds: 100}}},
		{"BeginTime", 160, []workload.Pending{{Reason: "other", Jobs: 1, Seconds: 100}}},
		{"NewInSlurm99", 160, []workload.Pending{{Reason: "unknown", Jobs: 1, Seconds: 100}}},
	} {
		r := emptyRow
		r.Submit, r.Eligible, r.Wait = 100, c.eligible, 100
		var times pendingTimes
		times.started(&r, causeOf(c.reason))
		if got := times.list(); !slices.Equal(got, c.want) {
			t.Errorf("%s, eligible at %g s: %v, want %v", c.reason, c.eligible, got, c.want)
		}
	}
	r := emptyRow // which has not started
	var times pendingTimes
	if times.started(&r, causePriority); times.list() != nil {
		t.Errorf("a job that waits still: %v", times.list())
	}
}
