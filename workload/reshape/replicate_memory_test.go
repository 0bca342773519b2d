package reshape

import (
	goruntime "runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Copies of a million jobs take a place each in memory, and the jobs themselves
// no more than a JobFile keeps of them: 32,768 blocks of 8. Another half of that
// is for all else.
func TestMemoryOfReplicas(t *testing.T) {
	if testing.Short() {
		t.Skip("a million jobs")
	}
	const n, factor = 1_000_000, 1.5
	jobs := func(yield func(workload.Job, error) bool) {
		for i := range n {
			j := workload.UnknownJob()
			j.ID, j.Row, j.Submit, j.Run, j.Size, j.User = int64(i), int64(i), float64(10*i), 5, 1, int64(i%50)
			if !yield(j, nil) {
				return
			}
		}
	}
	none, _ := (&workload.Header{}).Clock()
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	seq, err := Replicate(jobs, factor, none, seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	out := 0
	for _, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out++
	}
	goruntime.ReadMemStats(&after)
	kept := 32768 * 8 * float64(unsafe.Sizeof(workload.Job{}))
	got, most := float64(after.TotalAlloc-before.TotalAlloc), 1.5*(kept+factor*n*16)
	t.Logf("%.0f MB for %d jobs", got/1e6, out)
	if got > most {
		t.Errorf("%.0f MB allocated, want at most %.0f", got/1e6, most/1e6)
	}
}

// What would take too much memory is refused before the jobs are copied, and says
// what would help.
func TestReplicasAreBounded(t *testing.T) {
	for _, c := range []struct {
		jobs   int64
		factor float64
		want   string // "" is none
	}{
		{1_000_000, 1000, "a log of 1000000 jobs made into 1e+09 jobs, want at most 268435456: a lower load, a part of the log, or method interarrival, which holds none of them"},
		{mostReplicas, 1, ""},
		{mostReplicas, 1.01, "want at most 268435456"},
	} {
		err := CheckReplicas(c.jobs, c.factor)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d jobs by %g: %v, want %q", c.jobs, c.factor, err, c.want)
		}
	}
}
