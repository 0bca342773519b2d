package grid

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
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
	g := newTally([]int64{4, 2})
	g.add(placed(0, 0, 100, 2), 0, 0, 50)   // accuracy 0.5; slowdown 1
	g.add(placed(10, 90, 30, 1), 0, 45, 30) // 1; wait's 0.5; (90+30)/60 = 2
	g.add(placed(20, 0, 180, 2), 1, nan, nan)
	g.add(placed(20, nan, 180, 2), 1, nan, nan) // not counted
	r := g.result()
	// Work 200 + 30 and 360 over 200 s of 4 and 2 processors.
	for _, c := range []struct {
		name string
		got  stats.Number
		want float64
	}{
		{"jobs", stats.Number(r.Jobs), 3}, {"processors", stats.Number(r.Processors), 6}, {"tau", stats.Number(r.Tau), 60},
		{"mean wait", r.Wait.Mean, 30}, {"mean response", r.Response.Mean, (100.0 + 120 + 180) / 3},
		{"mean slowdown", r.BoundedSlowdown.Mean, (1.0 + 2 + 1) / 3}, {"utilisation", r.Utilisation, 590.0 / 1200},
		{"predicted", stats.Number(r.Predicted), 2}, {"run accuracy", r.RunAccuracyMean, 0.75}, {"wait accuracy", r.WaitAccuracyMean, 0.5},
		{"wait error", r.WaitErrorMean, 22.5},
		{"jobs of cluster 1", stats.Number(r.Clusters[0].Jobs), 2}, {"share of cluster 2", r.Clusters[1].JobsPct, 100.0 / 3},
		{"wait on cluster 1", r.Clusters[0].WaitMean, 45}, {"utilisation of cluster 1", r.Clusters[0].Utilisation, 230.0 / 800},
		{"utilisation of cluster 2", r.Clusters[1].Utilisation, 360.0 / 400},
	} {
		if math.Abs(float64(c.got)-c.want) > 1e-12 {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
	empty := newTally([]int64{1})
	if r := empty.result(); r.Jobs != 0 || !math.IsNaN(float64(r.Wait.Mean)) || !math.IsNaN(float64(r.RunAccuracyMean)) {
		t.Errorf("of no jobs: %+v", r)
	}
}

func TestAgreement(t *testing.T) {
	if got := agreementPct([]int32{0, 1, 2, -1, 3}, []int32{0, 2, 2, 1, -1}); math.Abs(got-200.0/3) > 1e-12 {
		t.Errorf("agreement %v, want two of three", got)
	}
	if got := agreementPct([]int32{-1}, []int32{0}); !math.IsNaN(got) {
		t.Errorf("agreement of nothing is %v", got)
	}
}
