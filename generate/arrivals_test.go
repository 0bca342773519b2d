package generate

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/model"
)

// The submissions of a class take as long as its interarrival law says: a day
// is 48 points, whatever the cycle, so the sum differs by a day at most.
func TestMeanInterarrival(t *testing.T) {
	ref := readReference(t)
	for _, name := range []string{model.Lublin1999Batch, model.Lublin1999Interactive, model.Lublin1999Untyped} {
		w := prepare(t, name, Options{Jobs: manyJobs, Seed: 7})
		class := w.Site.Classes[0].Name
		if class == "all" {
			class = "untyped"
		}
		r := ref[class]
		jobs := collect(t, w)
		last := jobs.submits[manyJobs-1]
		allowed := sigmas()*r.InterarrivalSD*math.Sqrt(manyJobs) + secondsPerDay
		if want := manyJobs * r.Interarrival; math.Abs(last-want) > allowed {
			t.Errorf("%s: %d jobs take %g s, want %g within %g", class, manyJobs, last, want, allowed)
		}
	}
}

// slotScore is the largest of the 48 slots' deviations from the share of all
// submissions that its weight is, each in units of its standard error. Shares
// of neighbouring days are dependent, so the error is taken from blocks of
// days, which are far longer than the longest interarrival time of five days.
// The second result is what chance exceeds with probability falseAlarm.
func slotScore(t *testing.T, submits []float64, weights []float64) (score, limit float64) {
	t.Helper()
	const length = 20 * secondsPerDay
	blocks := int(submits[len(submits)-1] / length) // whole ones
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

func TestDailyCycle(t *testing.T) {
	ref := readReference(t)
	for _, name := range []string{model.Lublin1999Batch, model.Lublin1999Interactive, model.Lublin1999Untyped} {
		w := prepare(t, name, Options{Jobs: manyJobs, Seed: 11})
		class := w.Site.Classes[0].Name
		if class == "all" {
			class = "untyped"
		}
		if score, limit := slotScore(t, collect(t, w).submits, ref[class].Weights); score > limit {
			t.Errorf("%s: a half hour is %.1f standard errors off its weight, want at most %.1f", class, score, limit)
		}
		// The test can tell: the original's clock drifts by 150,000 s over so
		// many jobs, which smears the cycle over the day.
		w = prepare(t, name, Options{Jobs: manyJobs, Seed: 11, OriginalClock: true})
		if score, limit := slotScore(t, collect(t, w).submits, ref[class].Weights); score < limit {
			t.Errorf("%s: the drifting clock is only %.1f standard errors off, want more than %.1f", class, score, limit)
		}
	}
}

// program is the published program's arrival process, step by step: points,
// bucket, remainder and a truncated clock that persist.
type program struct {
	weights                 []float64
	points, remainder, time float64
	bucket                  int
}

func (p *program) arrive(seconds float64) float64 {
	p.points += seconds / 1800
	for p.points > p.weights[p.bucket] {
		p.points -= p.weights[p.bucket]
		p.bucket = (p.bucket + 1) % 48
		p.time += 1800
	}
	remainder := p.points / p.weights[p.bucket]
	p.time = math.Trunc(p.time + 1800*(remainder-p.remainder))
	p.remainder = remainder
	return p.time
}

// With the same draws, the original clock is the program's, and the default
// one is ahead of it by half a second a job, on average.
func TestClockAgainstTheProgram(t *testing.T) {
	const n = 20_000
	for _, name := range []string{model.Lublin1999Batch, model.Lublin1999Interactive, model.Lublin1999Untyped} {
		original := prepare(t, name, Options{Jobs: n, Seed: 3, OriginalClock: true}).classes[0].arrivals.start()
		steady := prepare(t, name, Options{Jobs: n, Seed: 3}).classes[0].arrivals.start()
		a := original.arrivals
		rng := rand.New(rand.NewPCG(a.stream.hi, a.stream.lo))
		p := program{weights: a.weights}
		off, sum := 0.0, 0.0
		for range n {
			ln := a.gaps.law.Rand(rng)
			for ln > 13 {
				ln = a.gaps.law.Rand(rng)
			}
			want := p.arrive(math.Exp(ln))
			sum += math.Exp(ln)
			off = max(off, math.Abs(original.next()-want))
			steady.next()
		}
		// Sums of floating-point numbers in another order may fall on the
		// other side of a whole second now and then.
		if off > 2 {
			t.Errorf("%s: %g s off the program's clock", name, off)
		}
		// A truncation loses a uniform part of a second: mean 1/2, variance 1/12.
		lost, sd := steady.now-p.time, math.Sqrt(n/12.0)
		if math.Abs(lost-n/2) > sigmas()*sd+3 {
			t.Errorf("%s: the program's clock loses %g s over %d jobs, want about %d", name, lost, n, n/2)
		}
		if math.Abs(steady.now-sum) > secondsPerDay {
			t.Errorf("%s: the clock shows %g s after interarrival times of %g s", name, steady.now, sum)
		}
	}
}

// A clock whose slots are counted by hand: weights 2, 0, 1, then 45/45.
func TestClockByHand(t *testing.T) {
	a := arrivals{whole: true, weights: make([]float64, model.Slots), calendar: calendar{slots: model.Slots}}
	for i := range a.weights {
		a.weights[i] = 1
	}
	a.weights[0], a.weights[1] = 2, 0
	c := a.start()
	for i, tt := range []struct{ seconds, want float64 }{
		{1800, 900},               // one point of slot 0's two: half of it
		{900, 1350},               // three quarters
		{900, 1800},               // all of it, exactly: still in slot 0
		{900, 4500},               // over slot 1, which has no room, half into slot 2
		{48 * 1800, 90900},        // a day later
		{3*48*1800 + 450, 350550}, // three days and 450 s later, left out at once
		{0, 350550},               // the same instant
	} {
		if got := c.advance(tt.seconds); got != tt.want {
			t.Errorf("arrival %d: %g s, want %g", i, got, tt.want)
		}
	}

	a.weights[0] = 0
	if got := a.start().advance(0); got != 3600 {
		t.Errorf("no time passes in a day that begins with two slots without room: %g s, want 3600", got)
	}
}
