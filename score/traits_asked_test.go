package score

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// gpuJob is a job of the logs of GPUs made by hand.
func gpuJob(submit, run float64, gpus, kind, share, nodes int64, memory float64) workload.Job {
	j := traitJob(submit, run, workload.Unknown, 1, math.NaN())
	asked := workload.NoAsked
	asked.TakesGPUs, asked.GPUType, asked.GPUShare, asked.TakesNodes, asked.Memory = gpus, kind, share, nodes, memory
	j.Asked = &asked
	return j
}

// Two logs of GPUs, every number worked out by hand. The second job of the first shares
// half of its GPU.
//
//	      first               second
//	GPUs  0    1    4    1    8    1
//	run   9  100   50   50  100  100
//	work     50  200   50  800  100   GPU seconds, 300 and 900
//	kind  -    1    1    2    2    3
func TestGPUTraitsByHand(t *testing.T) {
	const no, unknown = 0, workload.Unknown
	nan := math.NaN()
	a := traitsOf(0, gpuJob(0, 9, no, unknown, unknown, 1, 100), gpuJob(10, 100, 1, 1, 500, 1, 100),
		gpuJob(20, 50, 4, 1, unknown, 2, 200), gpuJob(30, 50, 1, 2, unknown, unknown, nan))
	b := traitsOf(0, gpuJob(0, 100, 8, 2, unknown, 1, 200), gpuJob(60, 100, 1, 3, unknown, 1, 200), traitJob(60, 5, 1, 1, nan))
	v := Verdict{Rows: CompareTraits(a, b)}
	for _, c := range []struct {
		name, as   string
		x, y, want float64
	}{
		{"nodes", AsDistance, nan, nan, 1.0 / 3},                     // 1 1 2, and 1 1
		{"gpus", AsDistance, nan, nan, .5},                           // 0 1 1 4, and 1 8: up to 4 all, and half
		{"requested_memory_total_kb", AsDistance, nan, nan, 2.0 / 3}, // 100 100 200, and 200 200
		{"work_gpu_s", AsDistance, nan, nan, 2.0 / 3},                // 50 50 200, and 100 800: below 100
		{"gpus_by_work", AsDistance, nan, nan, 8.0 / 9},              // 1 has 1/3 and 1/9, 4 the rest, 8 the rest
		{"gpu_types", AsDistance, nan, nan, 2.0 / 3},                 // 2/3 1/3 0, and 0 1/2 1/2
		{"gpu_jobs_share", AsDifference, .75, 1, .25},
		{"gpus_asked_mean", AsRatio, 10, 15, 1.5}, // 300 in 30 s, and 900 in 60 s
	} {
		r := v.Row(c.name, "", "")
		if r == nil || r.As != c.as || r.Why != "" || !roughly(float64(r.Compared), c.want) || !same(float64(r.A), c.x) || !same(float64(r.B), c.y) {
			t.Errorf("%s: %+v, want %g", c.name, r, c.want)
		}
	}
	// With themselves all are equal.
	for _, r := range CompareTraits(a, a) {
		if want := map[string]float64{AsRatio: 1}[r.As]; r.Why == "" && float64(r.Compared) != want {
			t.Errorf("with itself: %+v", r)
		}
	}
}

// roughly is same but for the rounding of shares of work to millionths.
func roughly(x, y float64) bool { return math.Abs(x-y) < 2e-6 }

// Rows of GPUs stay where one log has some; other rows stay where neither knows them.
func TestDropUnknown(t *testing.T) {
	plain := traitsOf(8, traitJob(0, 10, 2, 1, 20), traitJob(60, 10, 2, 1, 20))
	some := traitsOf(8, traitJob(0, 10, 2, 1, 20), gpuJob(60, 10, 2, workload.Unknown, workload.Unknown, workload.Unknown, math.NaN()))
	v := Verdict{Rows: CompareTraits(plain, plain)}
	all := len(v.Rows)
	v.DropUnknown()
	if len(v.Rows) != all-8 || v.Row("gpus", "", "") != nil || v.Row("estimate_accuracy", "", "") == nil {
		t.Errorf("%d of %d rows", len(v.Rows), all)
	}
	v = Verdict{Rows: CompareTraits(plain, some)}
	v.DropUnknown()
	if r := v.Row("gpus", "", ""); r == nil || r.Why != "not known of the first" {
		t.Errorf("%+v", r)
	}
	if v.Row("gpu_types", "", "") != nil || v.Row("nodes", "", "") != nil {
		t.Error("rows of kinds and nodes, which no job has")
	}
}
