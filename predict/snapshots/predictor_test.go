package snapshots

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func all(seed uint64) []Predictor {
	return []Predictor{NewConstant(0.9), NewGroupMeans(0.9), NewRidge(1, false), NewRidge(1, true), NewForest(0.9, seed)}
}

func predict(t *testing.T, p Predictor, past []Row, now float64, rows []Row) []Prediction {
	t.Helper()
	if err := p.Learn(past, now); err != nil {
		t.Fatal(err)
	}
	out := make([]Prediction, len(rows))
	p.Predict(rows, out)
	return out
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 || a != a && b != b }

// TestMeans by hand: waits of 10, 100 and 1000 s are known at 2000 s, one of 5000 s is
// not.
func TestMeans(t *testing.T) {
	past := []Row{{Time: 0, Wait: 10, Group: 0}, {Time: 0, Wait: 1000, Group: 0}, {Time: 0, Wait: 5000, Group: 0}, {Time: 1900, Wait: 100, Group: 1}}
	rows := []Row{{Group: 0}, {Group: 1}, {Group: 2}}
	nan := math.NaN()
	for _, c := range []struct {
		p    Predictor
		now  float64
		want [3]Prediction
	}{
		{NewConstant(0.5), 2000, [3]Prediction{{2, 2}, {2, 2}, {2, 2}}},
		{NewConstant(0.95), 2000, [3]Prediction{{2, 3}, {2, 3}, {2, 3}}},
		{NewGroupMeans(0.5), 2000, [3]Prediction{{2, 1}, {2, 2}, {2, 2}}},
		{NewGroupMeans(0.5), 1999, [3]Prediction{{2, 1}, {2, 1}, {2, 1}}}, // group 1 has nothing known
		{NewConstant(0.5), 9, [3]Prediction{{nan, nan}, {nan, nan}, {nan, nan}}},
	} {
		for i, got := range predict(t, c.p, past, c.now, rows) {
			if !near(got.Log, c.want[i].Log) || !near(got.Bound, c.want[i].Bound) {
				t.Errorf("%s at %g, group %d: %+v, want %+v", c.p.Name(), c.now, i, got, c.want[i])
			}
		}
	}
}

// TestRidge by hand: a feature of -1 and 1 has mean 0 and deviation 1, so that the
// coefficient is sum(x y)/(n+penalty) of the centred answers -1 and 1: 2/(2+2).
func TestRidge(t *testing.T) {
	nan := math.NaN()
	past := []Row{{Wait: 10, Features: []float64{-1, 7, nan}}, {Wait: 1000, Features: []float64{1, 7, nan}}}
	rows := []Row{{Features: []float64{1, 7, 1}}, {Features: []float64{3, 8, 1}}, {Features: []float64{nan, nan, nan}}}
	for i, want := range []float64{2.5, 3.5, 2} {
		for _, p := range []Predictor{NewRidge(2, false)} {
			if got := predict(t, p, past, 1000, rows)[i]; !near(got.Log, want) || got.Bound == got.Bound {
				t.Errorf("row %d: %+v, want %g", i, got, want)
			}
		}
	}
	// Symmetric logarithms of -1 and 1 are -ln 2 and ln 2: 3 counts as ln 4 / ln 2 = 2.
	if got := predict(t, NewRidge(2, true), past, 1000, rows)[1]; !near(got.Log, 3) {
		t.Errorf("with logarithms: %+v, want 3", got)
	}
}

// made are rows of snapshots, one a day, whose wait is 10^x s, about, with x the first
// feature, from 1 to most.
func made(days, jobs int, most float64, seed uint64) (rows []Row) {
	r := rand.New(rand.NewPCG(seed, 1))
	for day := range days {
		for range jobs {
			x := 1 + (most-1)*r.Float64()
			row := Row{Time: 86400 * float64(day), Group: r.IntN(3), Features: []float64{x, r.Float64(), r.NormFloat64()}}
			row.Wait = math.Pow(10, x+0.3*r.NormFloat64())
			if r.IntN(10) == 0 {
				row.Features[2] = math.NaN()
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// TestAnswersUnknownDoNotMatter: no predictor says otherwise for other waits of jobs
// that had not started, nor for the answers of the rows that it is asked about.
func TestAnswersUnknownDoNotMatter(t *testing.T) {
	rows := made(4, 200, 5, 1)
	const jobs = 200
	for i, p := range all(1) {
		other := all(1)[i]
		for day := 1; day < 4; day++ {
			now := 86400 * float64(day)
			changed := slices.Clone(rows[:(day+1)*jobs])
			for k := range changed {
				switch r := &changed[k]; {
				case k >= day*jobs:
					r.Wait = math.NaN()
				case !r.Known(now):
					r.Wait *= 3
				}
			}
			want := predict(t, p, rows[:day*jobs], now, rows[day*jobs:(day+1)*jobs])
			got := predict(t, other, changed[:day*jobs], now, changed[day*jobs:])
			for k := range want {
				if !near(got[k].Log, want[k].Log) || !near(got[k].Bound, want[k].Bound) {
					t.Fatalf("%s, day %d, row %d: %+v became %+v", p.Name(), day, k, want[k], got[k])
				}
			}
		}
	}
}

// TestForestLearns: it finds the feature, is near the best possible error, and its
// bounds cover the share. Nearly all waits are shorter than a day. Of 4,400 predictions
// a coverage of .9 is off by more than .018 with a probability of 1e-4 (binomial
// deviation .0045).
func TestForestLearns(t *testing.T) {
	const days, jobs = 16, 400
	rows := made(days, jobs, 4, 2)
	p := NewForest(0.9, 1)
	squares, covered, n := 0.0, 0, 0
	for day := 1; day < days; day++ {
		now := 86400 * float64(day)
		for i, got := range predict(t, p, rows[:day*jobs], now, rows[day*jobs:(day+1)*jobs]) {
			if day < 5 {
				continue
			}
			z := Log(rows[day*jobs+i].Wait)
			squares += (got.Log - z) * (got.Log - z)
			if z <= got.Bound {
				covered++
			}
			n++
		}
	}
	// The answers' variance about the feature is .09, about their mean .84.
	if mse := squares / float64(n); mse > 0.12 {
		t.Errorf("mean squared error %.3f, want at most .12", mse)
	}
	if share := float64(covered) / float64(n); math.Abs(share-0.9) > 0.018 {
		t.Errorf("bounds cover %.3f, want .9", share)
	}
}

// TestConformal by hand: three scores are 0.1, 0.2 and 0.3; the job that waits has
// waited 10^0.5 times its bound.
func TestConformal(t *testing.T) {
	row := func(time, log float64) Row { return Row{Time: time, Wait: math.Pow(10, log)} }
	past := []Row{row(10, 2.1), row(10, 2.2), row(50, 2.3), row(0, 9)}
	l := &learner{bounds: []float64{2, 2, 2, 2.5}}
	for share, want := range map[float64]float64{0.17: 0.2, 0.33: 0.2, 0.5: 0.3, 0.66: 0.3, 0.7: 0.5} {
		l.quantile = share
		// Weights are 1/2, 1/2, 1 and 1: shares 1/6, 1/3, 2/3 and 1.
		if got := l.conformal(past, 1000); !near(got, want) {
			t.Errorf("share %g: %g, want %g", share, got, want)
		}
	}
	// What has no bound does not count; a move is at most a factor of 10.
	l.quantile, l.bounds = 0.5, []float64{math.NaN(), math.NaN(), math.NaN(), 1}
	if got := l.conformal(past, 1e6); got != 1 {
		t.Errorf("moved by %g, want 1", got)
	}
	if got := (&learner{quantile: 0.5, bounds: []float64{5, 5, 5, 10.5}}).conformal(past, 1e12); got != -1 {
		t.Errorf("moved by %g, want -1", got)
	}
}

func TestRanks(t *testing.T) {
	r := ranksOf([]float64{5, 1, 5, math.NaN(), 9})
	for x, want := range map[float64]float64{0: 0, 1: 0.125, 3: 0.3125, 5: 0.5, 9: 0.875, 10: 1} {
		if got := r.of(x); got != want {
			t.Errorf("rank of %g: %g, want %g", x, got, want)
		}
	}
	if x := r.of(math.NaN()); x == x {
		t.Errorf("rank of NaN: %g", x)
	}
}
