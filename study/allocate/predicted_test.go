package allocate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// randomView returns a busy machine with some processors free and jobs of all ages, including ages
// below and above the range of the distribution.
func randomView(rng *rand.Rand, jobs int) view {
	v := view{now: 1e5, free: 1 + rng.IntN(6), queued: 1 + rng.IntN(4)}
	for range jobs {
		age := math.Exp(13 * rng.Float64())
		v.running = append(v.running, occupant{start: v.now - age, end: v.now + 1 + 1e4*rng.Float64(), size: 1 + rng.IntN(40)})
	}
	return v
}

var law = dist.UniformLog{TMin: 800, TMax: 90000}

// inPredict predicts with package predict the seconds until the given number of further processors
// is free.
func inPredict(v *view, needed int) float64 {
	head := predict.Head{Time: v.now, Needed: int64(needed)}
	for i := range v.running {
		r := &v.running[i]
		head.Running = append(head.Running, predict.Occupant{Request: &workload.Request{}, Size: int64(r.size), Age: v.now - r.start})
	}
	p, ok := predict.DowneyBenefactors(predict.OneLaw{Law: law}).Predict(&head)
	if !ok {
		return math.Inf(1)
	}
	return p.Seconds
}

// The fast form agrees with package predict.
func TestOutlookAgainstPredict(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 4))
	medians, means := 0, 0
	for _, n := range []int{1, 2, 3, 8, 30} {
		for range 20 {
			v := randomView(rng, n)
			fast := outlook{law: law}
			fast.reset(&v)
			held := 0
			for i := range v.running {
				held += v.running[i].size
			}
			// Every n', in an order that gives Newton's method bad starting points.
			for _, i := range rng.Perm(held) {
				needed := i + 1
				got, want := fast.wait(needed), inPredict(&v, needed)
				if math.IsInf(got, 1) != math.IsInf(want, 1) || math.Abs(got-want) > 1e-8*want {
					t.Fatalf("%d jobs, %d needed: %.12g, want %.12g", n, needed, got, want)
				}
				if needed <= fast.alone() {
					medians++
				} else {
					means++
				}
			}
		}
	}
	if medians < 300 || means < 1000 {
		t.Errorf("%d by A, %d by B: too few of one", medians, means)
	}
}

// A job chooses the number of processors that an exhaustive search finds, the smallest if several
// are equally good.
func TestChoiceIsTheBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 5))
	rebels := 0
	for range 400 {
		n := 1 + rng.IntN(20)
		v := randomView(rng, n)
		s := Strategy{Name: "x", Foresight: Predicted, Internalised: rng.IntN(2) == 0}
		if rng.IntN(2) == 0 {
			s.RiskAversion = 0.2
		}
		x := task{sequential: math.Exp(2 + 10*rng.Float64()), parallelism: float64(v.free + 1 + rng.IntN(60)), sigma: 2 * rng.Float64()}
		held := v.free
		for i := range v.running {
			held += v.running[i].size
		}
		x.most = min(int(x.parallelism), held)
		if x.most <= v.free {
			continue
		}
		q := 1.0
		if s.Internalised {
			q = float64(v.queued)
		}
		best, size, second := x.run(v.free)*(1-s.RiskAversion), v.free, math.Inf(1)
		for k := v.free + 1; k <= x.most; k++ {
			cost := q*inPredict(&v, k-v.free) + x.run(k)
			if cost < best {
				best, size, second = cost, k, best
			} else {
				second = min(second, cost)
			}
		}
		if second-best < 1e-6*best {
			continue // too close to tell
		}
		got := newForecaster(s, law).choose(&x, &v, x.most)
		if got.size != size {
			t.Errorf("chose %d at %g, the best is %d", got.size, got.until-v.now, size)
		}
		if size > v.free {
			rebels++
			if want := inPredict(&v, size-v.free); math.Abs(got.until-v.now-want) > 1e-8*want {
				t.Errorf("waits %g, want %g", got.until-v.now, want)
			}
		}
	}
	if rebels < 100 {
		t.Errorf("only %d rebels", rebels)
	}
}

// The line through (ln 100, ln 10) and (ln 10000, ln 1000) has slope 1 and intercept -ln 10:
// predictions are ten times too long. Outcomes not known yet do not count, and with fewer than 30
// outcomes nothing is corrected.
func TestBiasLineByHand(t *testing.T) {
	var b biasLine
	for i := range 30 {
		x := []float64{100, 10000}[i%2]
		b.expect(float64(100-i), x, x/10) // the last becomes known first
	}
	b.learn(99)
	if got := b.correct(500); got != 500 {
		t.Errorf("with 29 outcomes 500 s are corrected to %g", got)
	}
	b.learn(100)
	if got := b.correct(500); math.Abs(got-50) > 1e-9 {
		t.Errorf("500 s are corrected to %g, want 50", got)
	}
	if got := b.correct(5); got != predict.Shortest {
		t.Errorf("5 s are corrected to %g, want %g", got, predict.Shortest)
	}
	// Without a prediction there is nothing to learn or to correct.
	b.expect(100, math.Inf(1), 50)
	b.learn(100)
	if got := b.correct(500); math.Abs(got-50) > 1e-9 || !math.IsInf(b.correct(math.Inf(1)), 1) {
		t.Errorf("after a wait without prediction 500 s are corrected to %g", got)
	}
	// Future outcomes change nothing.
	for range 100 {
		b.expect(1000, 10, 5000)
	}
	b.learn(999)
	if got := b.correct(500); math.Abs(got-50) > 1e-9 {
		t.Errorf("500 s are corrected to %g before the outcomes are known", got)
	}
	b.learn(1000)
	if got := b.correct(500); math.Abs(got-50) < 1 {
		t.Errorf("500 s are still corrected to %g", got)
	}
}

// Under bias a prediction is corrected by the line through the outcomes known at its time, and no
// others.
func TestUnbiasedLearnsNothingFromTheFuture(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 6))
	jobs := randomJobs(rng, 400)
	f := forecasts(jobs, Machine{Processors: 16, Day: 1000, Night: 300}, strategy(t, "bias"))
	corrected := 0
	for i := range f {
		var line stats.Correlation
		for j := range i {
			if f[j].Actual > 0 && f[j].Time+f[j].Actual <= f[i].Time {
				line.Add(math.Log(f[j].Raw), math.Log(f[j].Actual))
			}
		}
		want := f[i].Raw
		if line.N() >= linesFrom && line.Slope() > 0 {
			want = max(predict.Shortest, math.Exp(line.Intercept()+line.Slope()*math.Log(f[i].Raw)))
		}
		if math.Abs(f[i].Predicted-want) > 1e-9*want {
			t.Fatalf("forecast %d with %d outcomes known: %g, want %g", i, line.N(), f[i].Predicted, want)
		}
		if math.Abs(want-f[i].Raw) > 0.1*want {
			corrected++
		}
	}
	if corrected < 100 {
		t.Errorf("only %d of %d predictions are corrected by a tenth", corrected, len(f))
	}
}
