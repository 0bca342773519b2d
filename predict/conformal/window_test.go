package conformal

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// What the bounds rest on is the waits that are known, of the window: the
// last job of each call of feed waits, one of which is beyond the window at the end.
func TestLearned(t *testing.T) {
	p, err := New(plain(0.95))
	if err != nil {
		t.Fatal(err)
	}
	var jobs []workload.Job
	for _, n := range []int{100, 450, windowJobs + 300} {
		jobs = append(jobs, feed(p, len(jobs), n-len(jobs), 100*float64(len(jobs)))...)
		want := map[int]int{100: 0, 450: 448, windowJobs + 300: windowJobs - 2}[n]
		if got := p.Learned(); got != want {
			t.Errorf("%d jobs: %d, want %d", n, got, want)
		}
	}
}
