package fit

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// TestQQ: points by hand under an exponential law of mean 2: one job of 1 s,
// two of 3 s, one of 5 s are at the shares 1/8, 1/2 and 7/8.
func TestQQ(t *testing.T) {
	r := Report{Attribute: RunTime, Transform: None, Law: dist.Exponential{Mean: 2}}
	s := Sample{Values: []float64{1, 3, 5}, Counts: []float64{1, 2, 1}}
	qq, err := r.QQ(s, 10)
	if err != nil || len(qq) != 3 {
		t.Fatal(qq, err)
	}
	for i, share := range []float64{1.0 / 8, 1.0 / 2, 7.0 / 8} {
		relative(t, "law's quantile", qq[i].Theoretical, -2*math.Log1p(-share), 1e-12)
		if qq[i].Empirical != s.Values[i] {
			t.Errorf("%+v, want %g", qq[i], s.Values[i])
		}
	}
	// Of two parts of the four jobs the middles are in the first and the
	// third job: 1 and 3 s.
	if two, err := r.QQ(s, 2); err != nil || len(two) != 2 || two[0].Empirical != 1 || two[1].Empirical != 3 {
		t.Errorf("%v, %v; want 2 points at 1 and 3", two, err)
	}
	if _, err := r.QQ(s, 0); err == nil {
		t.Error("no points: no error")
	}
	if _, err := r.QQ(Sample{}, 5); err == nil {
		t.Error("no jobs: no error")
	}
	big := NewSample(RunTime, seconds(batch(0.6), 5000, 1, true))
	fitted := mustFit(t, "hyper-gamma", RunTime, big, Options{})
	points, err := fitted.QQ(big, 100)
	if err != nil || len(points) > 100 || len(points) < 80 {
		t.Fatalf("%d points, %v", len(points), err)
	}
	for i, p := range points {
		if i > 0 && (p.Empirical <= points[i-1].Empirical || p.Theoretical <= points[i-1].Theoretical) {
			t.Errorf("point %d is %+v after %+v", i, p, points[i-1])
		}
		// D of the fit bounds how far the shares are apart.
		if d := math.Abs(fitted.Law.CDF(math.Log(p.Empirical)) - fitted.Law.CDF(math.Log(p.Theoretical))); d > fitted.KS.D+1e-9 {
			t.Errorf("point %+v is %g from the diagonal in shares, D is %g", p, d, fitted.KS.D)
		}
	}
}

// TestQQOfKilledJobs by hand: the shares are Kaplan and Meier's.
func TestQQOfKilledJobs(t *testing.T) {
	// Of eight jobs the curve is at 1, 3/4, 5/8 and 5/24.
	r := Report{Attribute: RunTime, Transform: None, Law: dist.Exponential{Mean: 2}, Censored: 3}
	s := Sample{Values: []float64{2, 3, 5, 6, 9}, Counts: []float64{2, 2, 1, 2, 1}, Censored: []float64{0, 1, 1, 0, 1}}
	qq, err := r.QQ(s, 10)
	if err != nil || len(qq) != 3 {
		t.Fatal(qq, err)
	}
	for i, above := range []float64{7.0 / 8, 11.0 / 16, 5.0 / 12} {
		relative(t, "quantile at Kaplan and Meier's share", qq[i].Theoretical, -2*math.Log(above), 1e-12)
		if want := []float64{2, 3, 6}[i]; qq[i].Empirical != want {
			t.Errorf("point %d is at %g, want %g", i, qq[i].Empirical, want)
		}
	}
}
