package runtime

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestKernelPoints checks that for independent run times with known distributions the median and
// the bound lose at most 5 % more than the quantile of the distribution, which loses least, and
// that the bound covers its share. The requests are useless: far too long, or missing.
func TestKernelPoints(t *testing.T) {
	for name, quantile := range map[string]func(float64) float64{
		"exponential": func(u float64) float64 { return -1000 * math.Log(1-u) },
		"uniform":     func(u float64) float64 { return 500 + 1000*u },
		"Pareto":      func(u float64) float64 { return 100 * math.Pow(1-u, -1/2.5) },
	} {
		for _, level := range []float64{0.8, 0.95} {
			r := rand.New(rand.NewPCG(1, 2))
			k := NewKernel(stats.ByAbsolute, level)
			const jobs, skipped = 30_000, 1000
			var median, bound pairedLoss
			held := 0
			for i := range int64(jobs) {
				j := job(i, float64(i), 0, quantile(r.Float64()), 1, 1)
				j.Time = []float64{-1, 50_000, 100_000}[r.IntN(3)]
				p, _ := k.Predict(&j.Request)
				if i >= skipped {
					median.add(0.5, p.Seconds, quantile(0.5), j.Run)
					bound.add(level, k.Bound(), quantile(level), j.Run)
					if j.Run <= k.Bound() {
						held++
					}
				}
				k.Observe(&j)
			}
			for what, l := range map[string]pairedLoss{"median": median, "bound": bound} {
				if ratio := l.kernel / l.rival; ratio > 1.05 {
					t.Errorf("%s: the %s for %g loses %.3f of the least", name, what, level, ratio)
				}
			}
			if share := float64(held) / (jobs - skipped); math.Abs(share-level) > 0.01 {
				t.Errorf("%s: %.4f of the jobs are within the %g bound", name, share, level)
			}
		}
	}
}

// TestKernelPointFollowsTheBest checks that, whichever source loses least for the user or the
// class, the combination soon loses at most 5 % more, even if another source was the best before.
func TestKernelPointFollowsTheBest(t *testing.T) {
	for best := range kernelSources {
		r := rand.New(rand.NewPCG(5, 6))
		p := kernelPoint{level: 0.5}
		var user, class kernelLosses
		var l pairedLoss
		for i := range 20_000 {
			run := 100 * r.ExpFloat64()
			said := kernelSaidPoint{}
			for k := range said.sources {
				said.sources[k] = run + 200*r.NormFloat64()
			}
			now := best
			if i < 5000 {
				now = (best + 1) % kernelSources
			}
			said.sources[now] = run + 20*r.NormFloat64()
			said.combined = p.combine(&said.sources, &user, &class)
			if i >= 10_000 {
				l.add(0.5, said.combined, said.sources[now], run)
			}
			p.learn(&said, &user, &class, run)
		}
		if ratio := l.kernel / l.rival; ratio > 1.05 {
			t.Errorf("source %d: %.3f of its loss", best, ratio)
		}
	}
}

// TestKernelFor checks that a Kernel's view for another objective predicts the same as a Kernel for
// that objective.
func TestKernelFor(t *testing.T) {
	k := NewKernel(stats.ByAccuracy, 0.95)
	view, alone := k.For(stats.ByAbsolute), NewKernel(stats.ByAbsolute, 0.95)
	for i := range int64(200) {
		j := job(i, float64(i), 0, float64(1+i*i*37%400), i%3, 1)
		k.Predict(&j.Request)
		got, ok := view.Predict(&j.Request)
		want, wanted := alone.Predict(&j.Request)
		if got != want || ok != wanted {
			t.Fatalf("job %d: %v, %t, want %v, %t", i, got, ok, want, wanted)
		}
		for _, p := range []Predictor{k, view, alone} {
			p.Observe(&j)
		}
	}
}

// TestKernelHasARowForEachScore checks that the name stands for both points, once each.
func TestKernelHasARowForEachScore(t *testing.T) {
	for _, c := range [][]string{{"kernel"}, {"kernel", KernelAbsolute}} {
		entries, _, err := Entries(workload.Grouping{}, nil, c, nil)
		if err != nil || len(entries) != 2 || entries[0].Predictor != "kernel" || entries[1].Predictor != KernelAbsolute {
			t.Errorf("%v: %+v, %v", c, entries, err)
		}
	}
}

// Run times without a pattern, of users who know them: after the first hundreds of jobs the request
// is predicted. The similar jobs alone give an accuracy of 0.97.
func TestKernelTrustsAccurateRequests(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	k := NewKernel(stats.ByAccuracy, 0.95)
	sum, n := 0.0, 0
	for i := range 2000 {
		j := workload.UnknownJob()
		j.ID, j.Row, j.User, j.Submit, j.Size = int64(i), int64(i), int64(i%7), float64(i)*1e5, 1
		j.Run = math.Exp(11 * rng.Float64())
		j.Time = j.Run
		if p, ok := k.Predict(&j.Request); ok && i >= 1000 {
			sum += stats.Accuracy(p.Seconds, j.Run)
			n++
		}
		k.Observe(&j)
	}
	if accuracy := sum / float64(n); accuracy < 0.999 {
		t.Errorf("an accuracy of %.3f, want 1", accuracy)
	}
}

// The sources are the quantile of the similar jobs, that of the class, the request and the mean.
func TestKernelSources(t *testing.T) {
	k := NewKernel(stats.ByAbsolute, 0.95)
	for i := range int64(12) {
		j := job(i, 0, 0, 100, 1, 1)
		k.Observe(&j)
	}
	j := job(12, 0, 0, 0, 1, 1)
	j.Time = 600
	k.Predict(&j.Request)
	for i, point := range k.pending.newer[kernelID{j.ID, j.Row}].points {
		for source, want := range []float64{100, 100, 600, 100} {
			if got := point.sources[source]; math.Abs(got-want) > 1e-6 {
				t.Errorf("point %d, source %d: %g s, want %g", i, source, got, want)
			}
		}
	}
}
