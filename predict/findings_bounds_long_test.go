//go:build long

package predict

import (
	"fmt"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/papers"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// boundScore is what a bound is worth on a log.
type boundScore struct {
	covered, nonzero float64 // %
	accuracy         float64
	tightness        float64 // geometric mean of bound over wait, of the jobs that waited
	over             float64 // %
}

// boundScores scores bounds on a log's own waits.
func boundScores(t *testing.T, log string, predictors []BoundPredictor) []boundScore {
	t.Helper()
	jobs := jobtest.InOrder(t, log)
	training, err := TrainingTenth(workload.JobsOf(jobs))
	if err != nil {
		t.Fatal(err)
	}
	type tally struct {
		n, hit, above, aboveHit, over int
		accuracy, ratio               stats.Moments
	}
	tallies := make([]tally, len(predictors))
	for w, err := range replayBounds(workload.JobsOf(jobs), predictors...) {
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range w.Forecasts[0].Bounds {
			if w.Number < training || math.IsNaN(b.Seconds) {
				continue
			}
			x := &tallies[i]
			hit := w.Actual <= b.Seconds
			x.n++
			x.accuracy.Add(stats.Accuracy(b.Seconds, w.Actual))
			if hit {
				x.hit++
			}
			if b.Seconds > w.Actual {
				x.over++
			}
			if w.Actual > 0 {
				x.above++
				if hit {
					x.aboveHit++
				}
				if b.Seconds > 0 {
					x.ratio.Add(math.Log(b.Seconds / w.Actual))
				}
			}
		}
	}
	var out []boundScore
	for _, x := range tallies {
		out = append(out, boundScore{100 * float64(x.hit) / float64(x.n), 100 * float64(x.aboveHit) / float64(x.above),
			x.accuracy.Mean(), math.Exp(x.ratio.Mean()), 100 * float64(x.over) / float64(x.n)})
	}
	return out
}

// comparison is the document's row of two bounds on a log.
func comparison(name string, a, b boundScore) string {
	tightness := func(x float64) string { // three digits
		if x < 99.95 {
			return fmt.Sprintf("%.1f", x)
		}
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("| %s | %.2f %% | %.2f %% | %.4f | %.4f | %s | %s |", name, a.covered, b.covered, a.accuracy, b.accuracy, tightness(a.tightness), tightness(b.tightness))
}

// The bounds of docs/findings/papers.md on the logs with real waits.
func TestFindingBounds(t *testing.T) {
	for _, log := range []string{"KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-Par-1996-3.1-cln.swf.gz", "UniLu-Gaia-2014-1.swf.gz", "RICC-2010-2.swf.gz"} {
		const bmbp, chebyshev = 0, 1
		predictors, err := NewBounds([]string{"bmbp", "chebyshev"}, []float64{0.95}, 0.95, BoundOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s := boundScores(t, log, predictors)
		for i, p := range predictors {
			t.Logf("%s, %s: covered %.2f %%, of waits above 0 %.2f %%, accuracy %.4f, tightness %.2f, over %.1f %%", log, p.Name(), s[i].covered, s[i].nonzero, s[i].accuracy, s[i].tightness, s[i].over)
		}
		papers.Has(t, fmt.Sprintf("| %s | %.1f %% | %.1f %% | %.1f %% |", paperName(log), s[bmbp].covered, s[bmbp].nonzero, s[chebyshev].covered))
		if s[bmbp].covered < 95 {
			t.Errorf("%s: BMBP covers %.2f %%", log, s[bmbp].covered)
		}
		if s[chebyshev].accuracy >= s[bmbp].accuracy || s[chebyshev].over <= s[bmbp].over {
			t.Errorf("%s: Chebyshev's accuracy %.3f and over-predictions %.1f %%, BMBP's %.3f and %.1f %%", log, s[chebyshev].accuracy, s[chebyshev].over, s[bmbp].accuracy, s[bmbp].over)
		}
	}
}

// QBETS makes its ranges of the last 5000 waits, the authors' program of all:
// what that does on logs with estimates.
func TestFindingQBETSKept(t *testing.T) {
	for _, log := range []string{"KTH-SP2-1996-2.1-cln.swf.gz", "UniLu-Gaia-2014-1.swf.gz"} {
		var predictors []BoundPredictor
		for _, kept := range []int{qbetsKept, 1 << 30} {
			q, err := NewQBETS(0.95, 0.95, BoundOptions{})
			if err != nil {
				t.Fatal(err)
			}
			q.kept = kept
			predictors = append(predictors, q)
		}
		s := boundScores(t, log, predictors)
		for i, name := range []string{"last 5000", "all"} {
			t.Logf("%s, %s: covered %.2f %%, of waits above 0 %.2f %%, accuracy %.4f, tightness %.2f", log, name, s[i].covered, s[i].nonzero, s[i].accuracy, s[i].tightness)
			if s[i].covered < 95 {
				t.Errorf("%s, %s: covers %.2f %%, want 95", log, name, s[i].covered)
			}
		}
		papers.Has(t, comparison(paperName(log), s[0], s[1]))
		if s[0].tightness >= s[1].tightness || s[0].accuracy <= s[1].accuracy {
			t.Errorf("%s: %+v with the last 5000, %+v with all; want the first tighter and more accurate", log, s[0], s[1])
		}
	}
}

// TestBoundsOnLogs on the largest log.
func TestBoundsOnLargeLog(t *testing.T) {
	boundsLog{"RICC-2010-2.swf.gz", 403015, 95.6}.check(t)
}
