package lifetimes

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// A classifier names the classes that a collector makes of the same columns.
func TestClassifierAgreesWithCollector(t *testing.T) {
	by := []workload.ClassColumn{{Column: "queue_id", Groups: map[int64]string{1: "short"}}, {Column: "size"}, {Column: "requested_time_s", Edges: []float64{60}}}
	c, err := workload.NewClassifier(by)
	if err != nil {
		t.Fatal(err)
	}
	for _, queue := range []int64{1, 2, workload.Unknown} {
		for _, size := range []int64{1, 7, workload.Unknown} {
			j := workload.UnknownJob()
			j.Queue, j.Size, j.Time, j.Run = queue, size, float64(30*size), 5
			collector, err := NewCollector(Options{By: by})
			if err != nil {
				t.Fatal(err)
			}
			collector.Add(&j)
			classes, _ := collector.Classes()
			if got, want := c.Label(c.Key(&j)), classes[0].Label; got != want {
				t.Errorf("queue %d, size %d: %q, want %q", queue, size, got, want)
			}
		}
	}
	one, err := workload.NewClassifier(nil)
	if j := workload.UnknownJob(); err != nil || one.Label(one.Key(&j)) != "all" {
		t.Errorf("no columns: %v", err)
	}
	for _, bad := range [][]workload.ClassColumn{{{Column: "run_time"}}, make([]workload.ClassColumn, 5)} {
		if _, err := workload.NewClassifier(bad); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}
