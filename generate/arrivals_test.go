package generate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/model"
)

// slotScore returns the largest deviation of the 48 slots' shares of all submissions from their
// weights, each in units of its standard error. Shares on neighbouring days are dependent, so the
// error is estimated from blocks of days, which are far longer than the longest interarrival time
// of five days. limit is the deviation that chance exceeds with probability falseAlarm.
func slotScore(t *testing.T, submits []float64, weights []float64) (score, limit float64) {
	t.Helper()
	const length = 20 * secondsPerDay
	blocks := int(submits[len(submits)-1] / length) // whole blocks
	if blocks < 50 {
		t.Fatalf("only %d blocks", blocks)
	}
	counts := make([][model.Slots]float64, blocks)
	for _, s := range submits {
		if b := int(s / length); b < blocks {
			counts[b][int(math.Mod(s, secondsPerDay)/model.SlotSeconds)]++
		}
	}
	for slot, weight := range weights {
		off := make([]float64, blocks)
		for b, c := range counts {
			all := 0.0
			for _, n := range c {
				all += n
			}
			off[b] = c[slot] - weight/model.Slots*all
		}
		mean, sd := meanAndSD(off)
		score = max(score, math.Abs(mean)/(sd/math.Sqrt(float64(blocks))))
	}
	return score, distuv.StudentsT{Sigma: 1, Nu: float64(blocks - 1)}.Quantile(1 - falseAlarm/2/model.Slots)
}

// The submissions of a class take as long as its law of interarrival times requires: a day has 48
// points whatever the cycle, so the sum differs by a day at most. Half hours have the shares of
// their weights.
func TestArrivals(t *testing.T) {
	ref := readReference(t)
	for _, name := range []string{model.Lublin1999Batch, "lublin1999-interactive", model.Lublin1999Untyped} {
		w := prepare(t, name, Options{Jobs: manyJobs, Seed: 11})
		class := w.Site.Classes[0].Name
		r, submits := ref[class], collect(t, w).submits
		allowed := sigmas()*r.InterarrivalSD*math.Sqrt(manyJobs) + secondsPerDay
		if last, want := submits[manyJobs-1], manyJobs*r.Interarrival; math.Abs(last-want) > allowed {
			t.Errorf("%s: %d jobs take %g s, want %g within %g", class, manyJobs, last, want, allowed)
		}
		if score, limit := slotScore(t, submits, r.Weights); score > limit {
			t.Errorf("%s: a half hour is %.1f standard errors off its weight, want at most %.1f", class, score, limit)
		}
	}
}

// A clock with slots counted by hand: weights 2, 0, 1, then 45/45.
func TestClockByHand(t *testing.T) {
	a := arrivals{whole: true, weights: make([]float64, model.Slots)}
	for i := range a.weights {
		a.weights[i] = 1
	}
	a.weights[0], a.weights[1] = 2, 0
	c := a.start()
	for i, tt := range []struct{ seconds, want float64 }{
		{1800, 900},               // one point of slot 0's two: half of it
		{900, 1350},               // three quarters
		{900, 1800},               // all of it, exactly: still in slot 0
		{900, 4500},               // past slot 1, which has weight 0, and half into slot 2
		{48 * 1800, 90900},        // a day later
		{3*48*1800 + 450, 350550}, // three days and 450 s later, skipped in one step
		{0, 350550},               // the same instant
	} {
		if c.advance(tt.seconds); c.exact != tt.want {
			t.Errorf("arrival %d: %g s, want %g", i, c.exact, tt.want)
		}
	}

	a.weights[0] = 0
	c = a.start()
	c.advance(0)
	if c.exact != 3600 {
		t.Errorf("in a day that begins with two slots of weight 0, the clock is at %g s, want 3600", c.exact)
	}
}
