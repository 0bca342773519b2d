package grid

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// means are mean wait and response time of a policy, in s.
type means struct{ wait, response float64 }

// unequal is DAS3 with speeds that differ by a factor of four: what the paper
// used is not published.
func unequal(t *testing.T) Grid {
	t.Helper()
	g, err := Preset("das3")
	if err != nil {
		t.Fatal(err)
	}
	g.Clusters[1].Speed, g.Clusters[2].Speed = 2, 0.5
	return g
}

func meansOf(t *testing.T, jobs []workload.Job, g Grid, p Policy) means {
	t.Helper()
	var m means
	for _, x := range run(t, jobs, g, p) {
		m.wait += x.Job.Wait
		m.response += x.Job.Wait + x.Job.Run
	}
	n := float64(len(jobs))
	return means{m.wait / n, m.response / n}
}

// ratios is the geometric mean, over workloads, of one policy's figure over
// another's, and the factor of three standard errors of it.
type ratios struct{ sum, squares, n float64 }

func (r *ratios) add(a, b float64) {
	x := math.Log(a / b)
	r.sum, r.squares, r.n = r.sum+x, r.squares+x*x, r.n+1
}

func (r *ratios) mean() (ratio, three float64) {
	m := r.sum / r.n
	return math.Exp(m), math.Exp(3 * math.Sqrt((r.squares/r.n-m*m)/(r.n-1)))
}

// What Sonmez and others (2009), section 5.4, find, on workloads of their load,
// mean run time, sizes and users (testdata/models.py): at the low load of DAS3,
// with unequal speeds, jobs are worse off under LB than under ECT. How much worse
// is for findings_long_test.go: a few jobs of 64 processors make most of the
// waits, so that short workloads scatter widely.
func TestLBIsWorseAtLowLoad(t *testing.T) {
	g := unequal(t)
	all := map[string]*ratios{"response": {}, "wait": {}, "response against Last2": {}}
	for seed := range uint64(12) {
		jobs := synthetic(t, "das3-like", 15_000, 0.3, seed)
		perfect, balanced := meansOf(t, jobs, g, ECTPerfect{}), meansOf(t, jobs, g, LB{})
		all["response"].add(balanced.response, perfect.response)
		all["wait"].add(balanced.wait, perfect.wait)
		all["response against Last2"].add(balanced.response, meansOf(t, jobs, g, ECT{}).response)
	}
	for name, r := range all {
		ratio, three := r.mean()
		t.Logf("LB, %s: %.3f times, within a factor of %.3f", name, ratio, three)
		if !(ratio/three > 1) {
			t.Errorf("LB, %s: %.3f times, within a factor of %.3f; want more than 1", name, ratio, three)
		}
	}
}

// At the high load of AuverGrid, with equal speeds, all policies are alike: the
// paper's mean response times are within 1 % of each other.
func TestPoliciesAreAlikeAtHighLoad(t *testing.T) {
	g, err := Preset("auvergrid")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*ratios{}
	for seed := range uint64(6) {
		jobs := synthetic(t, "auvergrid-like", 9_000, 0.7, seed)
		perfect := meansOf(t, jobs, g, ECTPerfect{})
		for _, p := range []Policy{ECT{}, LB{}, FPF{}} {
			if all[p.Name()] == nil {
				all[p.Name()] = &ratios{}
			}
			all[p.Name()].add(meansOf(t, jobs, g, p).response, perfect.response)
		}
	}
	for name, r := range all {
		ratio, three := r.mean()
		t.Logf("%s: %.4f times the response of perfect predictions, within a factor of %.4f", name, ratio, three)
		if ratio*three > 1.01 || ratio/three < 0.99 {
			t.Errorf("%s: %.4f times the response of perfect predictions, within a factor of %.4f; want 0.99 to 1.01", name, ratio, three)
		}
	}
}
