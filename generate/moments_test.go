package generate

import (
	"fmt"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
)

const manyJobs = 300_000

// The generated jobs have the exact moments of the published program's laws,
// within sampling error at a false-alarm rate of 1e-7 a check.
func TestExactMoments(t *testing.T) {
	ref := readReference(t)
	for _, name := range []string{model.Lublin1999, model.Lublin1999Batch, "lublin1999-interactive", model.Lublin1999Untyped} {
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
