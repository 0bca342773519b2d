package grid

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Three jobs on two clusters of 4 and 2 processors, by hand.
func TestTally(t *testing.T) {
	placed := func(submit, wait, run float64, size int64) *workload.Job {
		j := workload.UnknownJob()
		j.Submit, j.Wait, j.Run, j.Size = submit, wait, run, size
		return &j
	}
	nan := math.NaN()
	g := newTally(&Grid{Clusters: []Cluster{{Name: "a", Processors: 4}, {Name: "b", Processors: 2}}})
	g.add(placed(0, 0, 100, 2), 0, 0, 50)   // accuracy 0.5; slowdown 1
	g.add(placed(10, 90, 30, 1), 0, 45, 30) // 1; wait's 0.5; (90+30)/60 = 2
	g.add(placed(20, 0, 180, 2), 1, nan, nan)
	g.add(placed(20, nan, 180, 2), 1, nan, nan) // not counted
	r := g.result("p")
	// The work is 200 + 30 on the cluster of 4 processors and 360 on that of 2, over 200 s.
	jobtest.CheckNumbers(t, r, map[string]float64{
		"jobs": 3, "wait_mean_s": 30, "response_mean_s": (100.0 + 120 + 180) / 3, "bounded_slowdown_mean": (1.0 + 2 + 1) / 3,
		"utilisation": 590.0 / 1200, "predicted": 2, "run_time_accuracy_mean": 0.75, "wait_accuracy_mean": 0.5, "wait_absolute_error_mean_s": 22.5,
	})
	jobtest.CheckNumbers(t, r.Clusters[0], map[string]float64{"jobs": 2, "wait_mean_s": 45, "utilisation": 230.0 / 800})
	jobtest.CheckNumbers(t, r.Clusters[1], map[string]float64{"jobs_pct": 100.0 / 3, "utilisation": 360.0 / 400})
	if r.Policy != "p" || r.Clusters[0].Name != "a" || r.Clusters[1].Name != "b" {
		t.Errorf("%+v", r)
	}
	empty := newTally(&Grid{})
	if r := empty.result("p"); r.Jobs != 0 || !math.IsNaN(float64(r.Wait.Mean)) || !math.IsNaN(float64(r.RunAccuracyMean)) {
		t.Errorf("of no jobs: %+v", r)
	}
}
