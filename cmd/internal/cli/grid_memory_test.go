package cli

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/study/grid"
)

// A million jobs at one instant, under four policies on two cores, took 1.63 GB.
func TestGridMemoryIsEstimated(t *testing.T) {
	if m := studyMemory(1_000_000, 4, 2); m < 1.2e9 || m > 2*1.63e9 {
		t.Errorf("%.3g bytes estimated, measured 1.63e9", m)
	}
	for jobs, want := range map[int]string{
		1_000_000:   "",
		mostStudied: "big.swf: if most of the 4000000 jobs wait at once, the study takes up to 3.2 GB of memory; fewer --days or --policies take less\n",
	} {
		var errs strings.Builder
		r := &gridRun{a: &app{Streams: Streams{Err: &errs}}, o: gridOptions{input: "big.swf"}, policies: make([]grid.Policy, 1)}
		r.warnOfMemory(jobs)
		if got := strings.TrimPrefix(errs.String(), "warning: "); got != want {
			t.Errorf("%d jobs: said %q, want %q", jobs, got, want)
		}
	}
}
