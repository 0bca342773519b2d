package generate

import (
	"fmt"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

const manyJobs = 300_000

// The generated jobs have the exact moments of the published program's laws,
// within sampling error at a false-alarm rate of 1e-7 a check.
func TestExactMoments(t *testing.T) {
	ref := readReference(t)
	for _, name := range []string{model.Lublin1999, model.Lublin1999Batch, model.Lublin1999Interactive, model.Lublin1999Untyped} {
		for at, processors := range []int64{128, 100, 300} {
			t.Run(fmt.Sprintf("%s/%d", name, processors), func(t *testing.T) {
				w := prepare(t, name, Options{Jobs: manyJobs, Processors: processors, Seed: 20031101})
				all := collect(t, w)
				if len(all.ids) != manyJobs {
					t.Fatalf("%d jobs", len(all.ids))
				}
				for _, c := range w.Site.Classes {
					class, part := c.Name, all
					if len(w.Site.Classes) > 1 {
						part = all.of(c.Value)
					}
					if class == "all" {
						class = "untyped"
					}
					checkMoments(t, class, part, ref[class], at)
				}
			})
		}
	}
}

func checkMoments(t *testing.T, class string, jobs table, ref reference, at int) {
	want := ref.At[at]
	n := len(jobs.sizes)
	counts := map[int64]int{}
	sizes, areas := make([]float64, n), make([]float64, n)
	serial, powers := 0, 0
	for i, s := range jobs.sizes {
		counts[s]++
		sizes[i] = float64(s)
		areas[i] = float64(s) * jobs.runs[i]
		switch {
		case s == 1:
			serial++
		case s > 1 && s&(s-1) == 0:
			powers++
		}
		if r := jobs.runs[i]; r != math.Floor(r) || r < 1 || r > 162754 {
			t.Fatalf("%s: run time %g", class, r)
		}
	}
	size, _ := meanAndSD(sizes)
	checkMean(t, class+" mean size", size, want.SizeMean, want.SizeSD, n)
	checkShare(t, class+" serial share", serial, n, want.Serial)
	checkShare(t, class+" power-of-two share", powers, n, want.PowerOfTwo)
	checkCounts(t, class+" sizes", counts, want.SizeLaw, n)
	run, _ := meanAndSD(jobs.runs)
	checkMean(t, class+" mean run time", run, want.RunMean, want.RunSD, n)
	// A quantile of whole seconds: the jobs below it and those not above it
	// are binomial counts of known probabilities.
	for _, q := range want.RunQuantiles {
		below, notAbove := 0, 0
		for _, r := range jobs.runs {
			if r < q.Value {
				below++
			}
			if r <= q.Value {
				notAbove++
			}
		}
		checkShare(t, fmt.Sprintf("%s run times below %g", class, q.Value), below, n, q.Below)
		checkShare(t, fmt.Sprintf("%s run times up to %g", class, q.Value), notAbove, n, q.NotAbove)
	}
	// Sizes and run times depend on each other: so does the mean area.
	area, sd := meanAndSD(areas)
	checkMean(t, class+" mean area", area, want.AreaMean, sd, n)
}

// The table that was given for these models, in its own rounding, is what the
// reference says.
func TestReferenceIsTheTable(t *testing.T) {
	ref := readReference(t)
	for class, want := range map[string][6]float64{
		"batch":       {13.893, 0.2927, 0.67566, 9491.8, 814, 34317},
		"interactive": {8.045, 0.1541, 0.69136, 240.5, 13, 472},
		"untyped":     {12.134, 0.244, 0.62507, 4357.5, 108, 19806},
	} {
		r := ref[class].At[0]
		got := [6]float64{r.SizeMean, r.Serial, r.PowerOfTwo, r.RunMean, r.RunQuantiles[0].Value, r.RunQuantiles[1].Value}
		for i, half := range [6]float64{5e-4, 1e-12, 5e-6, 0.05, 0, 0} {
			if math.Abs(got[i]-want[i]) > half {
				t.Errorf("%s: %v, want %v", class, got, want)
			}
		}
	}
}

// A law that reaches below one processor and above the machine gives jobs from
// one processor to all of them, with the probabilities that the model says.
func TestSizesAtTheEnds(t *testing.T) {
	const n, processors = 100_000, 22
	s := site(t, model.Lublin1999Untyped)
	s.Processors = processors
	log2 := dist.TwoStageUniform{Low: -0.9, Mid: 2, High: 6, P: 0.5}
	s.Classes[0].Sizes = model.RoundedSizes{SerialShare: 0.1, PowerOfTwoShare: 0.4, Log2: log2}
	// By hand: log2 is below 0.5 with probability 0.5 1.4/2.9, so rounded to 0,
	// and below log2 1.5; it is above 3.5 with probability 0.5 2.5/4, so
	// rounded to 16, the largest power of two, and above log2 21.5.
	parallel := make([]float64, processors+1)
	for size := 1; size <= processors; size++ {
		parallel[size] = 0.6 * (cut(log2, math.Log2(float64(size)+0.5)) - cut(log2, math.Log2(float64(size)-0.5)))
	}
	parallel[1] = 0.6*0.5*(math.Log2(1.5)+0.9)/2.9 + 0.4*0.5*1.4/2.9
	for i, size := range []int{2, 4, 8} {
		k := float64(i + 1)
		parallel[size] += 0.4 * (cut(log2, k+0.5) - cut(log2, k-0.5))
	}
	parallel[16] += 0.4 * 0.5 * 2.5 / 4
	parallel[22] = 0.6 * 0.5 * (6 - math.Log2(21.5)) / 4
	counts, sum := map[int64]int{}, 0.0
	for size := range parallel {
		parallel[size] *= 0.9
		if size == 1 {
			parallel[size] += 0.1
		}
		sum += parallel[size]
		if got := s.Classes[0].Sizes.Probability(int64(size), processors); math.Abs(got-parallel[size]) > 1e-12 {
			t.Errorf("the model's probability of %d processors is %g, want %g", size, got, parallel[size])
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Fatalf("the probabilities sum to %g", sum)
	}
	for _, size := range collect(t, build(t, s, Options{Jobs: n, Seed: 3})).sizes {
		counts[size]++
	}
	checkCounts(t, "sizes", counts, parallel, n)
}

// cut is a two-stage uniform law's distribution function, written out.
func cut(u dist.TwoStageUniform, x float64) float64 {
	if x <= u.Mid {
		return u.P * max(0, x-u.Low) / (u.Mid - u.Low)
	}
	return u.P + (1-u.P)*min(1, (x-u.Mid)/(u.High-u.Mid))
}
