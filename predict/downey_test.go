package predict

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// law is the distribution in the tests below: C_i(t) = ln(1 + t/age) / ln(10000/age) for ages
// from 10 to 10000 s.
var law = OneLaw{dist.UniformLog{TMin: 10, TMax: 10000}}

func head(needed int64, sizeAge ...float64) *Head {
	h := &Head{Needed: needed}
	for i := 0; i < len(sizeAge); i += 2 {
		h.Running = append(h.Running, Occupant{Size: int64(sizeAge[i]), Age: sizeAge[i+1]})
	}
	return h
}

func TestDowneyByHand(t *testing.T) {
	half := math.Sqrt(0.5)
	for _, c := range []struct {
		name   string
		h      *Head
		a, b   float64 // NaN for no prediction
		na, nb int     // observations
	}{
		// A: the median remaining lifetime, sqrt(100 * 10000) - 100. B: C = 4/8
		// is the same equation.
		{"one job", head(4, 8, 100), 900, 900, 1, 1},
		// B: C = 1/4, so t = 100 (10000/100)^(1/4) - 100.
		{"one job, quarter", head(2, 8, 100), 900, 100*math.Sqrt(10) - 100, 1, 1},
		// A: both survive with probability 1/2, so each with sqrt(1/2).
		{"two benefactors", head(4, 4, 100, 8, 100), 100*math.Pow(100, 1-half) - 100, 100*math.Pow(100, 1./3) - 100, 2, 2},
		// A considers only the job of 4; B: C = 4/7, since both jobs have the same age.
		{"one of two", head(4, 4, 100, 3, 100), 900, 100*math.Pow(100, 4./7) - 100, 1, 2},
		// No job has 5 processors. B: C = 5/6.
		{"no benefactor", head(5, 4, 100, 2, 100), math.NaN(), 100*math.Pow(100, 5./6) - 100, 0, 2},
		// All running jobs must end: the latest possible end of the youngest job.
		{"whole machine", head(8, 4, 100, 4, 400), math.NaN(), 9900, 0, 2},
		// The old job ends within 2 s, and the new one not before 10 s: from 2 s to 10 s the
		// expected number stays at 4, so B gives 2 s. A: 1 - C = 1/2 for the old job alone, at
		// sqrt(9998 * 10000) - 9998 s, which is reported as 1 s (0.9999).
		{"flat", head(4, 4, 9998, 4, 0), 1, 2, 2, 2},
		// Older than TMax: the survival is age/(age+t), so C = 1/2 at t = age.
		{"old job", head(4, 8, 20000), 20000, 20000, 1, 1},
		// The job's end is never certain: B has no time at which it is, and so no prediction.
		{"old job, all of it", head(8, 8, 20000), 20000, math.NaN(), 1, 0},
		// Younger than TMin: the median of the distribution, less the age.
		{"young job", head(4, 8, 4), math.Sqrt(1e5) - 4, math.Sqrt(1e5) - 4, 1, 1},
		// Times below a second are reported as a second.
		{"about to end", head(8, 8, 9999.5), 1, 1, 1, 1},
		// An impossible state gives no prediction, and no endless search.
		{"too few", head(9, 4, 100, 4, 100), math.NaN(), math.NaN(), 0, 0},
	} {
		for _, x := range []struct {
			p    HeadPredictor
			want float64
			n    int
		}{{DowneyA(law), c.a, c.na}, {DowneyB(law), c.b, c.nb}} {
			got, ok := x.p.Predict(c.h)
			if ok == math.IsNaN(x.want) || ok == math.IsNaN(got.Seconds) || ok && !near(got.Seconds, x.want, 1e-9) || got.Observations != x.n {
				t.Errorf("%s, %s: %.12g from %d jobs, %v, want %.12g from %d", c.name, x.p.Name(), got.Seconds, got.Observations, ok, x.want, x.n)
			}
		}
	}
}

func TestDowneyCombined(t *testing.T) {
	a, b := DowneyA(law), DowneyB(law)
	for _, c := range []struct {
		h                *Head
		n32, benefactors HeadPredictor
	}{
		{head(31, 31, 100, 40, 700), a, a}, // two benefactors
		{head(32, 32, 100, 40, 700), b, a},
		{head(31, 30, 100, 31, 700), a, b}, // one
		{head(31, 30, 100, 30, 700), b, b}, // none
		{head(32, 31, 100, 30, 700), b, b},
	} {
		for _, x := range [][2]HeadPredictor{{DowneyN32(law), c.n32}, {DowneyBenefactors(law), c.benefactors}} {
			got, ok := x[0].Predict(c.h)
			want, _ := x[1].Predict(c.h)
			if !ok || got != want {
				t.Errorf("%s, %d needed: %v, want %s's %v", x[0].Name(), c.h.Needed, got, x[1].Name(), want)
			}
		}
	}
}

// Where the time is never reached, B gives no prediction to its callers: the combinations, the
// corrected B, and B for the whole queue.
func TestDowneyWithoutEnd(t *testing.T) {
	old := head(8, 8, 20000)
	unbiased := NewUnbiased(DowneyB(law))
	for i := range unbiasedFrom + 2 { // ln actual rises steeply with ln predicted
		at := head(4, 8, 100)
		if i%2 == 0 {
			at = head(2, 8, 100)
		}
		p, _ := unbiased.Predict(at)
		unbiased.Learn(math.Pow(p.Seconds, 20))
	}
	for _, c := range []struct {
		p HeadPredictor
		h *Head
	}{{DowneyB(law), old}, {DowneyN32(law), head(40, 40, 20000)}, {DowneyBenefactors(law), old}, {NewUnbiased(DowneyB(law)), old}, {unbiased, head(4, 8, 100)}} {
		if p, ok := c.p.Predict(c.h); ok || !math.IsNaN(p.Seconds) || p.Observations != 0 {
			t.Errorf("%s: %v, %v, want no prediction", c.p.Name(), p, ok)
		}
	}
	if p, ok := (DowneyBQueue{Lifetimes: law}).Predict(machineOf(8, 8, 20000), asks(8)); ok {
		t.Errorf("for the whole queue: %v, want no prediction", p)
	}
}
