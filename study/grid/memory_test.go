package grid

import (
	"iter"
	goruntime "runtime"
	"testing"
	"unsafe"

	"github.com/loadstone-hpc/loadstone/workload"
)

// A job that waits costs its record once, and its place in a queue, its placement,
// at most eight numbers in the scores and, where run times are predicted, what corrections need of it in
// three levels, in slices that grow: a quarter at a time allocates five times what
// they hold in the end, and another quarter may be spare.
func TestMemoryOfJobsSubmittedAtOneInstant(t *testing.T) {
	const n = 200_000
	const levels, grown = 3, 5 * 1.25
	const beside, entry = 72, 64 // bytes of package sched: of a job's record, its page's rest included, and in a queue
	record := float64(unsafe.Sizeof(workload.Job{})+beside+entry) + grown*float64(unsafe.Sizeof(Placement{})+8*unsafe.Sizeof(0.0))
	placed := max(grown*float64(unsafe.Sizeof(heldBack{})), float64(unsafe.Sizeof(ectJob{})))
	predicted := grown * float64(unsafe.Sizeof(waiting{})+levels*(unsafe.Sizeof(watch{})+unsafe.Sizeof(int32(0))))
	jobs := make([]workload.Job, n)
	for i := range jobs {
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.Run, j.Size, j.User = int64(i), int64(i), 0, float64(1+i%100), 1, int64(i%50)
		jobs[i] = j
	}
	g := Grid{Name: "test", Clusters: []Cluster{{Name: "a", Processors: 64, Speed: 1, Partition: workload.Integer(workload.Unknown)}, {Name: "b", Processors: 64, Speed: 1, Partition: workload.Integer(workload.Unknown)}}}
	for _, p := range []Policy{ECTPerfect{}, ECT{}, LB{}, FPF{}} {
		t.Run(p.Name(), func(t *testing.T) {
			var before, after goruntime.MemStats
			goruntime.ReadMemStats(&before)
			if _, err := Study(func() iter.Seq2[workload.Job, error] { return workload.JobsOf(jobs) }, []Policy{p}, Options{Grid: g, Workers: 1}); err != nil {
				t.Fatal(err)
			}
			goruntime.ReadMemStats(&after)
			got, most := float64(after.TotalAlloc-before.TotalAlloc)/n, record+placed
			if _, ok := p.(ECT); ok {
				most += predicted
			}
			t.Logf("%.0f bytes a job", got)
			if got > most {
				t.Errorf("%.0f bytes a job allocated, want at most %.0f", got, most)
			}
		})
	}
}
