package slurm

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// Jobs submitted at 100 s start at 200 s. Jobs that waited for another job or were held became
// eligible at 160 s, or after their start; no part of the wait exceeds the whole. A limit accounts
// for the whole wait.
func TestPendingOfStarted(t *testing.T) {
	for _, c := range []struct {
		reason   string
		eligible float64
		want     string // reasons with seconds
	}{
		{"None", 160, "Priority or Resources 100"},
		{"Dependency", 160, "Priority or Resources 40, Dependency 60"},
		{"JobHeldUser", 160, "Priority or Resources 40, held 60"},
		{"JobHeldUser", 300, "held 100"},
		{"JobHeldAdmin", math.NaN(), "held 100"},
		{"QOSMaxJobsPerUserLimit", 160, "limits of associations and QOS 100"},
		{"BeginTime", 160, "other 100"},
		{"NewInSlurm99", 160, "unknown 100"},
	} {
		r := emptyRow
		r.Submit, r.Eligible, r.Wait = 100, c.eligible, 100
		var times pendingTimes
		times.started(&r, causeOf(c.reason))
		var got []string
		for _, p := range times.list() {
			if got = append(got, fmt.Sprint(p.Reason, " ", p.Seconds)); p.Jobs != 1 {
				t.Errorf("%s: %d jobs", c.reason, p.Jobs)
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s, eligible at %g s: %s, want %s", c.reason, c.eligible, got, c.want)
		}
	}
	r := emptyRow // which has not started
	var times pendingTimes
	if times.started(&r, causePriority); times.list() != nil {
		t.Errorf("a job that waits still: %v", times.list())
	}
}
