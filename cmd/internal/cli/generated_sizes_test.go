package cli

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// TestGeneratedSizes: the D that the fit states for its sizes is the distance
// from the log of the sizes that are generated, but for the noise of the draws
// (2.9 is the root of half of ln 2e7: a false alarm rate of 1e-7), and these
// stay between the log's smallest and largest size. The smallest of
// LLNL-Thunder-2007 is 4.
func TestGeneratedSizes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	const n = 200_000
	for _, name := range []string{"LLNL-Thunder-2007-1.1-cln", "KTH-SP2-1996-2.1-cln", "CTC-SP2-1996.simulated-waits", "NASA-iPSC-1993-3.1-cln"} {
		log, err := logfile.Open(trace(t, name+".swf.gz"), workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		clock, _ := log.Header.Clock()
		processors, _ := log.Header.Processors()
		sizesOf := func(jobs workload.JobSeq, passOn func(workload.Job, error) bool) map[float64]float64 {
			sizes := map[float64]float64{}
			for j, err := range jobs {
				if err != nil {
					t.Fatal(err)
				}
				if j.Size > 0 && (processors == 0 || j.Size <= processors) {
					sizes[float64(j.Size)]++
				}
				if !passOn(j, nil) {
					break
				}
			}
			return sizes
		}
		var real map[float64]float64
		site, report, err := site.Fit(func(yield func(workload.Job, error) bool) { real = sizesOf(log.Jobs(), yield) }, clock, site.Options{Name: name, Processors: processors})
		if err != nil {
			t.Fatal(err)
		}
		w, err := generate.New(site, generate.Options{Jobs: n, Seed: 1, Start: evaluate.ModelStart})
		if err != nil {
			t.Fatal(err)
		}
		x, nx := sortedCounts(real)
		y, ny := sortedCounts(sizesOf(w.Jobs(), func(workload.Job, error) bool { return true }))
		if y[0] < x[0] || y[len(y)-1] > x[len(x)-1] {
			t.Errorf("%s: sizes from %g to %g, want them within %g to %g", name, y[0], y[len(y)-1], x[0], x[len(x)-1])
		}
		ks, err := stats.KolmogorovSmirnovTwoSample(x, nx, y, ny)
		if err != nil {
			t.Fatal(err)
		}
		own, noise := float64(report.Classes[0].Sizes.DGenerated), 2.9/math.Sqrt(n)
		if math.Abs(ks.D-own) > noise {
			t.Errorf("%s: D %.4f, the fit states %.4f, want them within %.4f", name, ks.D, own, noise)
		}
	}
}
