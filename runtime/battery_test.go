package runtime

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// definition is the formula of a predictor, applied to the whole history of a class, in order of
// the ends; NaN if it makes no prediction.
type definition func(past []workload.Job, r workload.Request) (seconds float64, n int)

// battery has the definition of every predictor except those with separate tests.
var battery = map[string]definition{
	"es": func(past []workload.Job, _ workload.Request) (float64, int) { return smoothed(past, 0.5), len(past) },
	"rm": func(past []workload.Job, _ workload.Request) (float64, int) { return mean(past), len(past) },
	"sm": func(past []workload.Job, _ workload.Request) (float64, int) { return median5(past), min(len(past), 5) },
	"last": func(past []workload.Job, _ workload.Request) (float64, int) {
		return lately(past, 1), min(len(past), 1)
	},
	"last2": func(past []workload.Job, _ workload.Request) (float64, int) {
		return lately(past, 2), min(len(past), 2)
	},
	"estimate": func(_ []workload.Job, r workload.Request) (float64, int) { return asked(r), 0 },
	"tsafrir":  tsafrirDefinition,
	"alea":     aleaDefinition,
	"des": func(past []workload.Job, _ workload.Request) (float64, int) {
		var all []func([]workload.Job) float64
		for _, alpha := range []float64{0.5, 1, 0.75, 0.35, 0.2, 0.1, 0.05} {
			all = append(all, func(past []workload.Job) float64 { return smoothed(past, alpha) })
		}
		return bestDefinition(past, all), len(past)
	},
	"knn":      knnDefinition,
	"quantile": quantileDefinition,
}

func newest(past []workload.Job, n int) []workload.Job { return past[max(0, len(past)-n):] }

func runsOf(past []workload.Job) []float64 {
	var runs []float64
	for _, j := range past {
		runs = append(runs, j.Run)
	}
	return runs
}

func mean(past []workload.Job) float64 {
	sum := 0.0
	for _, j := range past {
		sum += j.Run
	}
	return sum / float64(len(past))
}

// lately returns the mean of the last n run times.
func lately(past []workload.Job, n int) float64 { return mean(newest(past, n)) }

func median5(past []workload.Job) float64 {
	return stats.Quantile(slices.Sorted(slices.Values(runsOf(newest(past, 5)))), 0.5)
}

func smoothed(past []workload.Job, alpha float64) float64 {
	if len(past) == 0 {
		return math.NaN()
	}
	if len(past) == 1 {
		return past[0].Run
	}
	return alpha*past[len(past)-1].Run + (1-alpha)*smoothed(past[:len(past)-1], alpha)
}

func asked(r workload.Request) float64 {
	if r.Time > 0 {
		return r.Time
	}
	return math.NaN()
}

func tsafrirDefinition(past []workload.Job, r workload.Request) (float64, int) {
	switch {
	case math.IsNaN(asked(r)):
		return mean(newest(past, 2)), min(len(past), 2)
	case len(past) < 2:
		return asked(r), 0
	}
	return min(asked(r), mean(newest(past, 2))), 2
}

func aleaDefinition(past []workload.Job, r workload.Request) (float64, int) {
	past = slices.DeleteFunc(slices.Clone(past), func(j workload.Job) bool { return math.IsNaN(asked(j.Request)) })
	past = newest(past, 5)
	if len(past) == 0 {
		return asked(r), 0
	}
	var ratios []float64
	for _, j := range past {
		ratios = append(ratios, j.Run/asked(j.Request))
	}
	return asked(r) * slices.Max(ratios), len(past)
}

// bestDefinition applies the rule with the highest mean accuracy on the second and later jobs, each
// predicted from those before it.
func bestDefinition(past []workload.Job, all []func([]workload.Job) float64) float64 {
	best, most := 0, -1.0
	for i, rule := range all {
		sum := 0.0
		for k := 1; k < len(past); k++ {
			sum += stats.Accuracy(rule(past[:k]), past[k].Run)
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return all[best](past)
}

func knnDefinition(past []workload.Job, r workload.Request) (float64, int) {
	past = slices.Clone(newest(past, 100))
	slices.Reverse(past)
	away := func(j workload.Job) float64 {
		d := 0.0
		for _, x := range [][2]float64{{asked(j.Request), asked(r)}, {float64(j.Size), float64(r.Size)}} {
			switch known := [2]bool{x[0] > 0, x[1] > 0}; {
			case known[0] && known[1]:
				d += math.Abs(math.Log(x[0]) - math.Log(x[1]))
			case known[0] || known[1]:
				d++
			}
		}
		gpus, others := askedAway(j.Request, r)
		d += others + math.Ln2*gpus
		for _, differs := range []bool{j.User != r.User, j.Application != r.Application, j.Queue != r.Queue, j.Partition != r.Partition} {
			if differs {
				d++
			}
		}
		return d
	}
	slices.SortStableFunc(past, func(a, b workload.Job) int { return cmp.Compare(away(a), away(b)) })
	past = past[:min(len(past), 5)]
	return mean(past), len(past)
}

// askedAway returns the distance of two requests of drawRequested: in GPUs, as factors of two of
// their number plus one, and as the number of other columns, or GPUs, that differ or are known for
// only one of the two.
func askedAway(x, y workload.Request) (octaves, others float64) {
	switch known := [2]bool{x.TakesGPUs >= 0, y.TakesGPUs >= 0}; {
	case known[0] && known[1]:
		octaves = math.Abs(math.Log2(float64(1+x.TakesGPUs)) - math.Log2(float64(1+y.TakesGPUs)))
	case known[0] || known[1]:
		others++
	}
	if x.QOS != y.QOS {
		others++
	}
	if x.GPUType != y.GPUType {
		others++
	}
	return octaves, others
}

// quantileDefinition for 0.95 with confidence 0.95: the rank is found by summing the binomial
// probabilities.
func quantileDefinition(past []workload.Job, _ workload.Request) (float64, int) {
	runs := slices.Sorted(slices.Values(runsOf(newest(past, 1000))))
	n := len(runs)
	below := 0.0
	lnGamma := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
	for k := range n {
		// At the k where Pr{Bin(n, 0.95) <= k} reaches 0.95, x(k+1) is the bound.
		below += math.Exp(lnGamma(n) - lnGamma(k) - lnGamma(n-k) + float64(k)*math.Log(0.95) + float64(n-k)*math.Log(0.05))
		if below >= 0.95 {
			return runs[k], n
		}
	}
	return math.NaN(), 0
}

// drawRequested draws a log some of whose jobs have estimates, sizes, queues, GPUs, a GPU type and
// a quality of service. Ratios of estimates, sizes and 1 + GPUs have no prime factor in common, so
// that distances are equal only if their terms are. Definitions add the terms in the order of
// distance, because rounding may decide between neighbours at equal distances.
func drawRequested(rt *rapid.T) []workload.Job {
	jobs := drawLog(rt)
	for i := range jobs {
		j := &jobs[i]
		if rapid.Bool().Draw(rt, "estimated") {
			j.Time = rapid.SampledFrom([]float64{1, 3, 7, 19}).Draw(rt, "time")
		}
		j.Size = rapid.SampledFrom([]int64{workload.Unknown, 1, 2, 8}).Draw(rt, "size")
		j.Queue = rapid.Int64Range(0, 1).Draw(rt, "queue")
		if rapid.Bool().Draw(rt, "asked") {
			j.TakesGPUs = rapid.SampledFrom([]int64{workload.Unknown, 0, 4, 10}).Draw(rt, "gpus")
			j.QOS = rapid.SampledFrom([]int64{workload.Unknown, 1, 2}).Draw(rt, "qos")
			j.GPUType = rapid.SampledFrom([]int64{workload.Unknown, 1}).Draw(rt, "gpu type")
		}
	}
	return jobs
}

// TestDefinitions compares each predictor, which keeps little state, with its formula over the
// whole history.
func TestDefinitions(t *testing.T) {
	for _, name := range PredictorNames() {
		define := battery[name]
		if define == nil {
			if name != "nws" && name != "kernel" { // TestNWS, TestKernelDefinition
				t.Errorf("%s has no definition to compare with", name)
			}
			continue
		}
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				p, err := New(name, Classes{Name: "all"})
				if err != nil {
					t.Fatal(err)
				}
				past := drawRequested(rt)
				// Occasionally longer than the windows of these two.
				if most := map[string]int{"knn": 120, "quantile": 1100}[name]; rapid.IntRange(0, 3).Draw(rt, "long") == 0 {
					for len(past) < most {
						past = append(past, past...)
					}
				}
				n := rapid.IntRange(0, len(past)-1).Draw(rt, "n")
				for _, j := range past[:n] {
					p.Observe(&j)
				}
				r := past[n].Request
				want, observations := define(past[:n], r)
				got, ok := p.Predict(&r)
				if ok == math.IsNaN(want) {
					rt.Fatalf("got %v, %v, want %g", got, ok, want)
				}
				if ok && (got.Observations != observations || math.Abs(got.Seconds-want) > 1e-9*(1+want)) {
					rt.Fatalf("got %v, want %g from %d", got, want, observations)
				}
			})
		})
	}
}

// TestNWS checks that nws predicts what the best of its rules so far predicts.
func TestNWS(t *testing.T) {
	all := []func([]workload.Job) float64{
		func(past []workload.Job) float64 { return lately(past, 2) },
		func(past []workload.Job) float64 { return lately(past, 1) },
		median5,
		func(past []workload.Job) float64 { return smoothed(past, 0.5) },
		mean,
	}
	rapid.Check(t, func(rt *rapid.T) {
		past := drawLog(rt)
		runs := runsOf(past)
		// Rules with the same prediction may tie except for rounding: any of the best is accepted.
		got, ok := answerAfter(t, "nws", runs...)
		sums := make([]float64, len(all))
		for i, rule := range all {
			for k := 1; k < len(past); k++ {
				sums[i] += stats.Accuracy(rule(past[:k]), past[k].Run)
			}
		}
		for i, rule := range all {
			if sums[i] > slices.Max(sums)-1e-9 && math.Abs(rule(past)-got.Seconds) < 1e-9*(1+got.Seconds) && ok {
				return
			}
		}
		rt.Fatalf("%v, %v after %v: sums of accuracies %v", got, ok, runs, sums)
	})
}
