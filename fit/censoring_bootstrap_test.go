package fit

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// TestKaplanMeier by hand: of 8 jobs, at 2 two end, at 3 one ends and one is
// killed, at 5 one is killed, at 6 two end, at 9 one is killed. The curve falls
// to 6/8 at 2, by 5/6 at 3, by 1/3 at 6: 0.75, 0.625, 0.20833. A job that
// ended at 3 counts as ended before the one that was killed: past 3 the limits'
// survival is 4/5, past 5 by 3/4 3/5, past 9 it is 0.
func TestKaplanMeier(t *testing.T) {
	s := Sample{Values: []float64{2, 3, 5, 6, 9}, Counts: []float64{2, 2, 1, 2, 1}, Censored: []float64{0, 1, 1, 0, 1}}
	tk := task{x: s.Values, sample: s, options: Options{Censored: true, Transform: None}}
	var got []float64
	tk.kaplanMeier(func(i int, before, upTo float64) { got = append(got, s.Values[i], 1-before, 1-upTo) })
	want := []float64{2, 1, 0.75, 3, 0.75, 0.625, 6, 0.625, 0.625 / 3}
	for i := range want {
		near(t, "Kaplan-Meier", got[i], want[i], 1e-15)
	}
	// D by hand to a uniform law on [0, 10]: at 2, 0.2 to 0 or 0.25; at 3, 0.3
	// to 0.25 or 0.375; at 6, 0.6 to 0.375 or 0.79167.
	near(t, "D", tk.censoredDistance(dist.Uniform{Low: 0, High: 10}), 0.6-0.375, 1e-15)
	l := tk.limits()
	if d := cmp.Diff([]float64{3, 5, 9}, l.values); d != "" {
		t.Error(d)
	}
	for i, share := range []float64{1.0 / 5, 1.0 / 4, 1} {
		near(t, "share of limits", l.shares[i], share, 1e-15)
	}
	for i, below := range []float64{0.2, 0.4, 1} {
		near(t, "limits up to", l.below[i], below, 1e-15)
	}
	// Rounded down, the one that ended at 3 did so after the one that was
	// killed.
	tk.options.Rounding = RoundedDown
	got = nil
	tk.kaplanMeier(func(i int, before, upTo float64) { got = append(got, 1-upTo) })
	near(t, "rounded down", got[1], 0.75*4/5, 1e-15)
	near(t, "share of limits, rounded down", tk.limits().shares[0], 1.0/6, 1e-15)
}

// TestCensoredReplicates: p-values and intervals are the same on any number of
// cores; of jobs of the law they are not small and hold the truth, of another
// law the p-value is small. The tests that know nothing of censoring are not
// made, and say so.
func TestCensoredReplicates(t *testing.T) {
	truth := dist.Weibull{Shape: 0.7, Scale: 1500}
	for _, rounding := range []Rounding{NoRounding, RoundedDown} {
		s := killedSample(truth, 600, 5)
		o := Options{Rounding: rounding, Censored: true, Replicates: 79, Intervals: 0.95, Seed: 2, Workers: 1, Tests: true, Subsamples: 3}
		one := mustFit(t, "weibull", RunTime, s, o)
		o.Workers = 3
		if d := cmp.Diff(one, mustFit(t, "weibull", RunTime, s, o)); d != "" {
			t.Errorf("one worker and three differ:\n%s", d)
		}
		if ks := one.KS; ks.Failed > 0 || ks.Replicates != 79 || !(ks.PValue > 0.02) || ks.Method != "parametric-bootstrap" {
			t.Errorf("of the distribution itself: %+v", ks)
		}
		for i, p := range one.Intervals.Of {
			// The percentile interval at 95 % is about two standard errors to
			// each side: three times its width to both holds the truth.
			v, want := one.Parameters[i].Value, dist.Parameters(truth)[i].Value
			if w := float64(p.High - p.Low); !(w > 0) || math.Abs(v-want) > 1.5*w {
				t.Errorf("%s: %g, interval %g to %g, truth %g", p.Name, v, p.Low, p.High, want)
			}
		}
		if w := strings.Join(one.Warnings, "\n"); one.AD != nil || one.ChiSquare != nil || one.Subsamples != nil ||
			!strings.Contains(w, "no Anderson-Darling and no chi-square test") || !strings.Contains(w, "no test of subsamples") {
			t.Errorf("tests of censored jobs; warnings are %q", w)
		}
		other := mustFit(t, "exponential", RunTime, s, Options{Rounding: rounding, Censored: true, Replicates: 79, Seed: 2})
		if other.KS.PValue != 1.0/80 {
			t.Errorf("of an exponential distribution the p-value is %g, want 1/80", other.KS.PValue)
		}
		o.Intervals, o.Sequential = 0, 5
		if ks := mustFit(t, "weibull", RunTime, s, o).KS; !ks.Stopped || ks.PValue != 5/stats.Number(ks.Replicates) {
			t.Errorf("sequential: %+v", ks)
		}
	}
	// Exact values have no cells to walk along.
	s := Sample{Values: []float64{1.5, 2.25, 4.5, 8.125, 20.5}, Counts: []float64{3, 5, 9, 4, 2}, Censored: []float64{0, 2, 0, 3, 0}}
	if ks := mustFit(t, "log-normal", RunTime, s, Options{Censored: true, Replicates: 20}).KS; ks.Failed > 0 || ks.Replicates != 20 {
		t.Errorf("exact values: %+v", ks)
	}
}

// TestCensoredPValueCountsRefits: the p-value is one more than the replicates
// whose D, from the law that is fitted to them as to any sample, is as large.
func TestCensoredPValueCountsRefits(t *testing.T) {
	const replicates, seed = 30, 7
	s := killedSample(dist.Weibull{Shape: 0.7, Scale: 1500}, 300, 8)
	ks := mustFit(t, "weibull", RunTime, s, Options{Censored: true, Replicates: replicates, Seed: seed}).KS
	o := Options{Censored: true, Replicates: replicates}
	f := families()[slices.IndexFunc(families(), func(f family) bool { return f.name == "weibull" })]
	tk := newTask(f, RunTime, s, o.filled(f, RunTime, s))
	law, limits, n := mustFit(t, "weibull", RunTime, s, Options{Censored: true}).Law, tk.limits(), int(tk.sample.Jobs())
	walk := tk.newCellWalk(law, n, limits)
	exceeded := 0.0
	for i := range uint64(replicates) {
		_, drawn := tk.drawKilled(rand.New(rand.NewPCG(seed, i)), law, n, limits, walk)
		if mustFit(t, "weibull", RunTime, drawn, Options{Censored: true}).KS.D >= ks.D {
			exceeded++
		}
	}
	if want := (1 + exceeded) / (1 + replicates); float64(ks.PValue) != want {
		t.Errorf("p-value is %g, want %g", ks.PValue, want)
	}
}

// TestOptionsInJSON: what changed a fit is in its report, and nothing of it
// where it was not used.
func TestOptionsInJSON(t *testing.T) {
	s := killedSample(dist.LogNormal{Mu: 5, Sigma: 1}, 300, 1)
	r := mustFit(t, "hyper-gamma", RunTime, s, Options{Rounding: RoundedDown, Censored: true, Max: 1e5, ChooseComponents: true, MaxComponents: 2})
	got, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"max":100000,"rounding":"down","resolution":1,"censored":`, `"tried":[{"components":1,"log_likelihood":-`, `"bic":`, `"status":"converged"},{"components":2,`} {
		if !strings.Contains(string(got), part) {
			t.Errorf("%s\nis without %s", got, part)
		}
	}
	n := 0.0
	for i, v := range s.Values {
		if v > 1 {
			n += s.Censored[i]
		}
	}
	if r.Censored != n || n == 0 {
		t.Errorf("%g jobs are censored, want %g", r.Censored, n)
	}
	if got, err = json.Marshal(mustFit(t, "hyper-gamma", RunTime, s, Options{})); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{`"max"`, `"rounding"`, `"resolution"`, `"censored"`, `"tried"`} {
		if strings.Contains(string(got), name) {
			t.Errorf("%s\nhas %s, which was not asked for", got, name)
		}
	}
}
