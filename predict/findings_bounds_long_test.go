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

// withPublishedMisses is BMBP by the default rule with the published table of misses.
func withPublishedMisses(t *testing.T) *BMBP {
	b, err := NewBMBP(0.95, 0.95, BoundOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rules := newChangeRules(TrimOnMisses, 0.95, b.minimum)
	copy(rules.limits.rows[:], missRun[:])
	b.groups = newGrouped(nil, func() *bmbpGroup { return &bmbpGroup{history: history{changes: rules.changes()}} })
	return b
}

// The bounds of docs/findings/papers.md on the logs with real waits; and the published
// table of misses against the recomputed one, by the default rule, on coverage
// and tightness.
func TestFindingBounds(t *testing.T) {
	publishedCovers := 0
	logs := []string{"KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-Par-1996-3.1-cln.swf.gz", "UniLu-Gaia-2014-1.swf.gz", "RICC-2010-2.swf.gz"}
	for _, log := range logs {
		const bmbp, publishedTable, publishedRule, never, authors, chebyshev, oneSided = 0, 1, 2, 3, 4, 5, 6
		predictors := []BoundPredictor{nil, withPublishedMisses(t), nil, nil, nil, nil, nil}
		for i, make := range map[int]func() (BoundPredictor, error){
			bmbp:          func() (BoundPredictor, error) { return NewBMBP(0.95, 0.95, BoundOptions{}) },
			publishedRule: func() (BoundPredictor, error) { return NewBMBP(0.95, 0.95, BoundOptions{Changes: TrimPublished}) },
			never:         func() (BoundPredictor, error) { return NewBMBP(0.95, 0.95, BoundOptions{Changes: TrimNever}) },
			authors:       func() (BoundPredictor, error) { return NewBMBPAuthors(0.95, 0.95, BoundOptions{}) },
			chebyshev:     func() (BoundPredictor, error) { return NewChebyshev(0.95, 0.95, BoundOptions{}) },
			oneSided:      func() (BoundPredictor, error) { return NewChebyshevOneSided(0.95, 0.95, BoundOptions{}) },
		} {
			var err error
			if predictors[i], err = make(); err != nil {
				t.Fatal(err)
			}
		}
		s := boundScores(t, log, predictors)
		for i, name := range []string{"bmbp", "bmbp, published table", "bmbp, published rule", "bmbp, never", "bmbp-authors", "chebyshev", "chebyshev-one-sided"} {
			t.Logf("%s, %s: covered %.2f %%, of waits above 0 %.2f %%, accuracy %.4f, tightness %.2f, over %.1f %%", log, name, s[i].covered, s[i].nonzero, s[i].accuracy, s[i].tightness, s[i].over)
		}
		name := paperName(log)
		papers.Has(t,
			fmt.Sprintf("| %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% |", name, s[bmbp].covered, s[bmbp].nonzero,
				s[publishedRule].covered, s[never].covered, s[authors].covered, s[chebyshev].covered, s[oneSided].covered),
			comparison(name, s[publishedTable], s[bmbp]))
		if s[bmbp].covered < 95 {
			t.Errorf("%s: the default covers %.2f %%", log, s[bmbp].covered)
		}
		if s[publishedRule].covered >= 95 {
			publishedCovers++
		}
		// The two tables hardly differ.
		if d := s[bmbp].covered - s[publishedTable].covered; d < -0.01 || d > 0.15 {
			t.Errorf("%s: the recomputed table covers %+.3f %% more than the published one, want -0.01 to 0.15", log, d)
		}
		if r := s[bmbp].tightness / s[publishedTable].tightness; r < 0.98 || r > 1.02 {
			t.Errorf("%s: its bounds are %.3f times as wide, want within 2 %%", log, r)
		}
		for _, i := range []int{chebyshev, oneSided} {
			if s[i].accuracy >= s[bmbp].accuracy || s[i].over <= s[bmbp].over {
				t.Errorf("%s: Chebyshev's accuracy %.3f and over-predictions %.1f %%, BMBP's %.3f and %.1f %%", log, s[i].accuracy, s[i].over, s[bmbp].accuracy, s[bmbp].over)
			}
		}
	}
	if publishedCovers != 2 {
		t.Errorf("the published rules cover 95 %% on %d of %d logs, the document says 2", publishedCovers, len(logs))
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
