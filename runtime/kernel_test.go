package runtime

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// kernelSample computes the weighted sample of the package documentation directly from the whole
// history, with equal shares of the weightings.
func kernelSample(past []workload.Job, r workload.Request) (values, weights []float64) {
	past = slices.Clone(past)
	slices.Reverse(past)
	same := func(j workload.Job) bool {
		return j.User == r.User && j.Application == r.Application && j.Queue == r.Queue && j.Partition == r.Partition &&
			j.Size == r.Size && (j.Time == r.Time || !(j.Time > 0) && !(r.Time > 0)) && sameAsked(j.Request, r)
	}
	own := slices.DeleteFunc(slices.Clone(past), func(j workload.Job) bool { return j.User != r.User })
	classmate := func(j workload.Job) bool {
		return j.User == r.User && j.Application == r.Application && j.Partition == r.Partition && j.Size == r.Size
	}
	kind := slices.DeleteFunc(slices.Clone(own), func(j workload.Job) bool { return !same(j) })
	kind = kind[:min(len(kind), 20)]
	class := slices.DeleteFunc(slices.Clone(own), func(j workload.Job) bool { return !classmate(j) })
	class = class[:min(len(class), 20)]
	others := own
	if len(own) == 0 {
		others = past
	}
	others = others[:min(len(others), 40)]
	octaves := func(x, y float64) float64 {
		switch known := []bool{x > 0, y > 0}; {
		case known[0] && known[1]:
			return math.Abs(math.Log2(x / y))
		case known[0] || known[1]:
			return 1
		}
		return 0
	}
	type like struct{ unlike, rank, tau, run float64 }
	shares := [][4]float64{{1, 10, 20, 1 - math.Exp(-0.2)}, {1, 2, 5, 1 - math.Exp(-1)}, {1, 40, 60, 1 - math.Exp(-1./30)}, {0.25, 10, 20, 1 - math.Exp(-0.2)}}
	for e, p := range shares {
		var all []like
		for i, j := range kind {
			all = append(all, like{0, float64(i), p[1], j.Run})
		}
		unlike := func(j workload.Job) float64 {
			d := 2 * octaves(float64(j.Size), float64(r.Size))
			if x, y := asked(j.Request), asked(r); x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
				d += 2 + octaves(x, y)
			}
			if j.Application != r.Application {
				d += 2
			}
			if j.Queue != r.Queue {
				d++
			}
			if j.Partition != r.Partition {
				d++
			}
			octaves, others := askedAway(j.Request, r)
			return d + 2*octaves + others
		}
		for i, j := range class {
			if !same(j) {
				all = append(all, like{unlike(j), float64(i), p[1], j.Run})
			}
		}
		for i, j := range others {
			if len(own) == 0 || !classmate(j) {
				all = append(all, like{unlike(j), float64(i), p[2], j.Run})
			}
		}
		var w []float64
		seen, sum := 1.0, 0.0
		for i, x := range all {
			s := math.Exp(-math.Floor(16*p[0]*x.unlike+0.5)/16) * math.Exp(-x.rank/x.tau)
			w = append(w, s*seen)
			seen *= 1 - p[3]*s
			if e == 0 {
				w[i] *= math.Pow(1+x.run, 0.75)
			}
		}
		for _, x := range w {
			sum += x
		}
		for i, x := range all {
			value := x.run
			if r.Time > 0 {
				value = min(value, r.Time)
			}
			values, weights = append(values, value), append(weights, w[i]/sum/4)
		}
	}
	return values, weights
}

func sameAsked(a, b workload.Request) bool {
	octaves, others := askedAway(a, b)
	return octaves+others == 0
}

// TestKernelDefinition compares a Kernel that has had nothing from which to learn its shares with
// the plain sample: the same number of jobs, and an equally good point.
func TestKernelDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		past := drawRequested(rt)
		if rapid.Bool().Draw(rt, "long") {
			for len(past) < 150 {
				past = append(past, past...)
			}
		}
		r := past[rapid.IntRange(0, len(past)-1).Draw(rt, "like")].Request
		k := NewKernel(stats.ByAccuracy, 0.95)
		for _, j := range past {
			k.Observe(&j)
		}
		values, weights := kernelSample(past, r)
		got, ok := k.Predict(&r)
		if !ok || got.Observations != len(values)/4 {
			rt.Fatalf("%v, %t; want one from %d jobs", got, ok, len(values)/4)
		}
		expected := func(c float64) (sum float64) {
			for i, v := range values {
				sum += weights[i] * stats.Accuracy(c, v)
			}
			return sum
		}
		for _, c := range values {
			if expected(c) > expected(got.Seconds)+1e-9 {
				rt.Fatalf("%g has an expected accuracy of %g, %g one of %g", got.Seconds, expected(got.Seconds), c, expected(c))
			}
		}
	})
}

// TestKernelBacksOff checks that the prediction is the request if no job has ended and, for a user
// without history, from the group's history, otherwise from that of all jobs.
func TestKernelBacksOff(t *testing.T) {
	k := NewKernel(stats.ByAccuracy, 0.95)
	asks := func(user, group int64, time float64) (float64, bool) {
		j := job(9, 0, 0, 0, user, 1)
		j.Group, j.Time = group, time
		p, ok := k.Predict(&j.Request)
		return p.Seconds, ok
	}
	if _, ok := asks(1, 1, -1); ok {
		t.Error("a prediction from nothing")
	}
	if got, ok := asks(1, 1, 600); !ok || got != 600 {
		t.Errorf("the first job: %g, %t, want its request, 600 s", got, ok)
	}
	later := job(9, 250, 0, 0, 1, 1)
	if p, ok := k.Predict(&later.Request); !ok || p.Seconds != 250 {
		t.Errorf("250 s after the first job, none having ended: %v, %t, want 250 s", p, ok)
	}
	for i, run := range []float64{10, 20} {
		j := job(int64(i), 0, 0, run, int64(i+1), 1)
		j.Group = int64(i + 1)
		k.Observe(&j)
	}
	for _, c := range []struct {
		user, group int64
		time, want  float64
	}{
		{1, 2, -1, 10}, {2, 1, -1, 20}, {3, 1, -1, 10}, {3, 2, -1, 20},
		{3, 3, -1, 20}, // from the last of all jobs
		{2, 2, 15, 15}, // at most the request
	} {
		if got, ok := asks(c.user, c.group, c.time); !ok || got != c.want {
			t.Errorf("user %d of group %d: %g, %t, want %g", c.user, c.group, got, ok, c.want)
		}
	}
}

// TestKernelOptimises checks that each objective's point, except the absolute error's (see
// TestKernelPoints), is optimal for that distribution.
func TestKernelOptimises(t *testing.T) {
	for _, o := range stats.Objectives() {
		k := NewKernel(o, 0.95)
		for i := range int64(30) {
			j := job(i, 0, 0, float64(1+i*i*i%97), 1, 1)
			k.Observe(&j)
		}
		r := job(99, 0, 0, 0, 1, 1).Request
		d, _ := k.Distribution(&r)
		if got, _ := k.Predict(&r); o != stats.ByAbsolute && got.Seconds != d.Point(o) {
			t.Errorf("%s: %g, want %g", o, got.Seconds, d.Point(o))
		}
	}
}

// TestKernelForgets checks that predictions for jobs that never end take bounded memory.
func TestKernelForgets(t *testing.T) {
	k := NewKernel(stats.ByAccuracy, 0.95)
	first := job(0, 0, 0, 5, 1, 1)
	k.Observe(&first)
	r := job(0, 0, 0, 0, 1, 1).Request
	for r.ID = range int64(3 * kernelPendingJobs) {
		k.Predict(&r)
	}
	if n := len(k.pending.newer) + len(k.pending.older); n > 2*kernelPendingJobs {
		t.Errorf("%d predictions are kept, want at most %d", n, 2*kernelPendingJobs)
	}
}

// coverage counts the jobs within the quantiles that a Kernel predicted at their submission.
type coverage struct {
	*Kernel
	at     []float64
	bounds map[int64][]float64
	within []int
	jobs   int
	bound  map[int64]float64
	held   int // number of jobs within Bound
}

func (c *coverage) Predict(r *workload.Request) (workload.Prediction, bool) {
	if d, ok := c.Distribution(r); ok {
		var all []float64
		for _, q := range c.at {
			all = append(all, d.Quantile(q))
		}
		c.bounds[r.Row] = all
	}
	p, ok := c.Kernel.Predict(r)
	c.bound[r.Row] = c.Bound()
	return p, ok
}

func (c *coverage) Observe(j *workload.Job) {
	if all, ok := c.bounds[j.Row]; ok {
		c.jobs++
		if j.Run <= c.bound[j.Row] {
			c.held++
		}
		for i, b := range all {
			if j.Run <= b {
				c.within[i]++
			}
		}
	}
	c.Kernel.Observe(j)
}

func (c *coverage) check(t *testing.T, tolerance float64) {
	t.Helper()
	for i, q := range c.at {
		if got := float64(c.within[i]) / float64(c.jobs); math.Abs(got-q) > tolerance {
			t.Errorf("%g-quantile: %.4f of %d jobs are within it", q, got, c.jobs)
		}
	}
}

func (c *coverage) checkBound(t *testing.T, tolerance float64) {
	t.Helper()
	if got := float64(c.held) / float64(c.jobs); math.Abs(got-0.95) > tolerance {
		t.Errorf("%.4f of %d jobs are within the bound of 0.95", got, c.jobs)
	}
}

func newCoverage(t testing.TB) *coverage {
	return &coverage{Kernel: NewKernel(stats.ByAccuracy, 0.95), at: []float64{0.05, 0.5, 0.9, 0.95}, bounds: map[int64][]float64{}, bound: map[int64]float64{}, within: make([]int, 4)}
}

// TestKernelCoversUnderDrift checks that run times that drift by a random walk of their logarithm
// and jump at every thousandth job, learned with delay, are within each quantile and the bound in
// the long run.
func TestKernelCoversUnderDrift(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	c := newCoverage(t)
	var jobs []workload.Job
	level := [3]float64{6, 6, 6}
	for i := range int64(100_000) {
		u := i % 3
		level[u] = min(max(level[u]+0.1*r.NormFloat64(), 2), 11)
		if i%1000 == 0 {
			level[u] = 2 + 9*r.Float64()
		}
		jobs = append(jobs, job(i, float64(30*i), float64(r.IntN(600)), math.Exp(level[u]+r.NormFloat64()), u, 1))
	}
	predictions(t, jobs, Entry{Predictor: "coverage", Own: c})
	c.check(t, 0.01)
	// The shift stays within kernelLimit, so the coverage can be off by at most that many steps per
	// number of jobs.
	c.checkBound(t, kernelLimit/(kernelShift/math.Sqrt(kernelLossesAll))/float64(c.jobs))
}
