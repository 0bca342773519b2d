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

// member is a predictor in the battery.
type member struct {
	name string
	// constant says that it predicts a class's run time where all are equal.
	constant bool
	// definition is its formula over the whole history of a class, in order of
	// the ends; NaN where it has nothing to say. nil where there is another
	// test.
	definition func(past []workload.Job, r workload.Request) (seconds float64, n int)
}

// battery is every predictor: a new one is one line here.
var battery = []member{
	{"es", true, func(past []workload.Job, _ workload.Request) (float64, int) { return smoothed(past, 0.5), len(past) }},
	{"rm", true, func(past []workload.Job, _ workload.Request) (float64, int) { return mean(past), len(past) }},
	{"sm", true, func(past []workload.Job, _ workload.Request) (float64, int) {
		return median(newest(past, 5)), min(len(past), 5)
	}},
	{"last", true, func(past []workload.Job, _ workload.Request) (float64, int) {
		return mean(newest(past, 1)), min(len(past), 1)
	}},
	{"last2", true, func(past []workload.Job, _ workload.Request) (float64, int) {
		return mean(newest(past, 2)), min(len(past), 2)
	}},
	{"estimate", false, func(_ []workload.Job, r workload.Request) (float64, int) { return asked(r), 0 }},
	{"tsafrir", true, tsafrirDefinition},
	{"alea", false, aleaDefinition},
	{"des", true, func(past []workload.Job, r workload.Request) (float64, int) {
		var all []func([]workload.Job) float64
		for _, alpha := range []float64{0.5, 1, 0.75, 0.35, 0.2, 0.1, 0.05} {
			all = append(all, func(past []workload.Job) float64 { return smoothed(past, alpha) })
		}
		return bestDefinition(past, all), len(past)
	}},
	{"nws", true, nil},
	{"knn", true, knnDefinition},
	{"quantile", true, quantileDefinition},
	{"kernel", true, nil}, // TestKernelDefinition
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

func median(past []workload.Job) float64 {
	return stats.Quantile(slices.Sorted(slices.Values(runsOf(past))), 0.5)
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

// bestDefinition is the rule with the highest mean accuracy on the second and
// later jobs, each predicted from those before it.
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
		d += math.Ln2 * gpus
		for _, differs := range []bool{j.User != r.User, j.Application != r.Application, j.Queue != r.Queue, j.Partition != r.Partition} {
			if differs {
				d++
			}
		}
		return d + others
	}
	slices.SortStableFunc(past, func(a, b workload.Job) int { return cmp.Compare(away(a), away(b)) })
	past = past[:min(len(past), 5)]
	return mean(past), len(past)
}

// askedAway is how far two requests of drawRequested are in GPUs, in factors of two of
// one more than them, and how many of the other columns, or of GPUs, differ or are of one
// of them only.
func askedAway(a, b workload.Request) (octaves, others float64) {
	x, y := a.Asked.Value(), b.Asked.Value()
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

// quantileDefinition for 0.95 with confidence 0.95: the rank by summing the
// binomial probabilities.
func quantileDefinition(past []workload.Job, _ workload.Request) (float64, int) {
	runs := slices.Sorted(slices.Values(runsOf(newest(past, 1000))))
	n := len(runs)
	below := 0.0
	lnGamma := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
	for k := range n {
		// Where Pr{Bin(n, 0.95) <= k} reaches 0.95, x(k+1) is the bound.
		below += math.Exp(lnGamma(n) - lnGamma(k) - lnGamma(n-k) + float64(k)*math.Log(0.95) + float64(n-k)*math.Log(0.05))
		if below >= 0.95 {
			return runs[k], n
		}
	}
	return math.NaN(), 0
}

func TestBatteryIsComplete(t *testing.T) {
	var names []string
	for _, m := range battery {
		names = append(names, m.name)
	}
	if !slices.Equal(names, PredictorNames()) {
		t.Errorf("the battery has %q, the package %q", names, PredictorNames())
	}
}

// everything is all predictors under all classes, and with a fallback.
func everything(t testing.TB) []Entry {
	t.Helper()
	classes := append(ClassesNames(), "all", "user+size")
	entries, err := Entries(workload.Grouping{}, classes, PredictorNames(), nil)
	if err != nil {
		t.Fatal(err)
	}
	chained, err := FallbackEntries(workload.Grouping{}, "fallback", []string{"user-app-size-site", "user", "all", "estimate"}, PredictorNames(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return append(entries, chained...)
}

// drawRequested draws a log whose jobs have estimates, sizes, queues, GPUs, their kind and
// a quality of service, too, or lack them.
func drawRequested(rt *rapid.T) []workload.Job {
	jobs := drawLog(rt)
	for i := range jobs {
		j := &jobs[i]
		if rapid.Bool().Draw(rt, "estimated") {
			j.Time = float64(rapid.IntRange(1, 20).Draw(rt, "time"))
		}
		j.Size = rapid.SampledFrom([]int64{workload.Unknown, 1, 2, 8}).Draw(rt, "size")
		j.Queue = rapid.Int64Range(0, 1).Draw(rt, "queue")
		if rapid.Bool().Draw(rt, "asked") {
			asked := workload.NoAsked
			asked.TakesGPUs = rapid.SampledFrom([]int64{workload.Unknown, 0, 1, 3}).Draw(rt, "gpus")
			asked.QOS = rapid.SampledFrom([]int64{workload.Unknown, 1, 2}).Draw(rt, "qos")
			asked.GPUType = rapid.SampledFrom([]int64{workload.Unknown, 1}).Draw(rt, "gpu type")
			j.Asked = &asked
		}
	}
	return jobs
}

// TestDefinitions compares each predictor, which keeps little, with its formula
// over the whole history.
func TestDefinitions(t *testing.T) {
	for _, m := range battery {
		if m.definition == nil {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				p, err := New(m.name, Classes{Name: "all"})
				if err != nil {
					t.Fatal(err)
				}
				past := drawRequested(rt)
				// Longer than the windows of these two, now and then.
				if most := map[string]int{"knn": 120, "quantile": 1100}[m.name]; rapid.IntRange(0, 3).Draw(rt, "long") == 0 {
					for len(past) < most {
						past = append(past, past...)
					}
				}
				n := rapid.IntRange(0, len(past)-1).Draw(rt, "n")
				for _, j := range past[:n] {
					p.Observe(j)
				}
				r := past[n].Request
				want, observations := m.definition(past[:n], r)
				got, ok := p.Predict(r)
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

// TestWindows compares the two predictors that keep many jobs of a class with
// their formulas, as their windows fill and jobs fall out of them.
func TestWindows(t *testing.T) {
	for _, m := range battery {
		length := map[string]int{"knn": 250, "quantile": 2100}[m.name]
		p, err := New(m.name, Classes{Name: "all"})
		if err != nil {
			t.Fatal(err)
		}
		var past []workload.Job
		for i := range length {
			// No two alike; the estimates drift, so that old jobs may be near again.
			j := job(int64(i), 0, 0, float64(1+i*7919%10007), 1, 1)
			j.Time = 1e4 + 5e3*math.Sin(float64(i)/20)
			want, n := m.definition(past, j.Request)
			got, ok := p.Predict(j.Request)
			if ok == math.IsNaN(want) || ok && (got.Observations != n || math.Abs(got.Seconds-want) > 1e-9*want) {
				t.Fatalf("%s after %d jobs: %v, %v, want %g from %d", m.name, i, got, ok, want, n)
			}
			p.Observe(j)
			past = append(past, j)
		}
	}
}

// TestSane: what is predicted is a time, and says something of the past.
func TestSane(t *testing.T) {
	entries := everything(t)
	rapid.Check(t, func(rt *rapid.T) {
		for id, row := range predictions(t, drawRequested(rt), entries...) {
			for i, p := range row {
				if !math.IsNaN(p.Seconds) && !(p.Seconds >= 0 && !math.IsInf(p.Seconds, 1)) || p.Observations < 0 {
					rt.Fatalf("job %d: %s under %s says %v", id, entries[i].Predictor, entries[i].Classes.Name, p)
				}
			}
		}
	})
}

// TestConstantLog: where all run times are equal, accuracy is 1.
func TestConstantLog(t *testing.T) {
	var jobs []workload.Job
	for i := range int64(200) {
		jobs = append(jobs, job(i, float64(100*i), 3, 77, i%2, 1))
	}
	for _, m := range battery {
		if !m.constant {
			continue
		}
		entries, err := Entries(workload.Grouping{}, []string{"user"}, []string{m.name}, nil)
		if err != nil {
			t.Fatal(err)
		}
		predicted := 0
		for id, row := range predictions(t, jobs, entries...) {
			if p := row[0]; !math.IsNaN(p.Seconds) {
				predicted++
				if stats.Accuracy(p.Seconds, 77) < 1-1e-12 {
					t.Errorf("%s: job %d: %v, want 77 s", m.name, id, p)
				}
			}
		}
		if predicted == 0 {
			t.Errorf("%s predicts nothing", m.name)
		}
	}
}
