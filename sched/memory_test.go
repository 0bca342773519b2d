package sched

import (
	goruntime "runtime"
	"testing"
	"unsafe"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A waiting job takes the memory of its record, its entry in the queue and its place among the
// vacant slots, plus half of that for growth: no record is stored twice. (A slice of records that
// grows by a quarter at a time allocates five times their size.)
func TestMemoryOfJobsSubmittedAtOneInstant(t *testing.T) {
	n := longtest.Size(50_000, 200_000)
	record := unsafe.Sizeof(held{}) + unsafe.Sizeof(chunk{})/entriesPerChunk + unsafe.Sizeof(int32(0))
	for _, p := range []Policy{FCFS{}, EASY{}, SJF{}} {
		t.Run(p.Name(), func(t *testing.T) {
			var before, after goruntime.MemStats
			jobs := func(yield func(workload.Job, error) bool) {
				for i := range n {
					j := job(0, float64(1+i%100), 1)
					j.Time = j.Run
					if !yield(j, nil) {
						return
					}
				}
			}
			goruntime.ReadMemStats(&before)
			for _, err := range Simulate(jobs, Config{Processors: 64, Policy: p}, nil) {
				jobtest.NoError(t, err)
			}
			goruntime.ReadMemStats(&after)
			got, most := float64(after.TotalAlloc-before.TotalAlloc)/float64(n), 1.5*float64(record)
			t.Logf("%.0f bytes a job", got)
			if got > most {
				t.Errorf("%.0f bytes a job allocated, want at most %.0f", got, most)
			}
		})
	}
}
