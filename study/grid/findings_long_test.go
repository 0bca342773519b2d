//go:build long

package grid

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// What the paper finds in table 6, on twenty workloads of its size. Ratios are over
// ECT-Perfect, geometric means over the seeds, within three standard errors.
// Some two minutes of one core.
func TestFindingsAtFullSize(t *testing.T) {
	das3 := preset(t, "das3")
	auver := preset(t, "auvergrid")
	for _, c := range []struct {
		name, model string
		grid        *Grid
		jobs        int64
		load        float64
	}{{"das3, speeds of the preset", "das3-like", das3, 220_000, 0.3}, {"das3, speeds 0.5 to 2", "das3-like", unequal(t), 220_000, 0.3}, {"auvergrid", "auvergrid-like", auver, 90_000, 0.7}} {
		policies := []string{"ect-last2", ownLast2, lb, fpf, fpfInOrder}
		response, wait := make([]ratios, len(policies)), make([]ratios, len(policies))
		for seed := range uint64(20) {
			jobs := synthetic(t, c.model, c.jobs, c.load, seed)
			perfect := meansOf(t, jobs, c.grid, ectPerfect)
			for i, p := range policies {
				m := meansOf(t, jobs, c.grid, p)
				response[i].add(m.response, perfect.response)
				wait[i].add(m.wait, perfect.wait)
			}
		}
		for i, p := range policies {
			r, rThree := response[i].mean()
			w, wThree := wait[i].mean()
			what := fmt.Sprintf("%s, %s: response %.3f times (within a factor of %.3f), wait %.3f times (%.3f)", c.name, p, r, rThree, w, wThree)
			t.Log(what)
			low := c.load < 0.5
			switch {
			case p == ownLast2:
				if !(r/rThree > 1.02 && w/wThree > 2) {
					t.Error(what + ": want it clearly worse, the price of each cluster's own history")
				}
			case low && p == lb:
				if !(r/rThree > 1.2 && w/wThree > 5) {
					t.Error(what + ": want LB far worse")
				}
			case low && p == fpf:
				if !(r*rThree < 1.05 && w*wThree < 0.75) {
					t.Error(what + ": want FPF to wait least, which is not what the paper prints")
				}
			case low && p == fpfInOrder:
				if !(w/wThree > 1.25) {
					t.Error(what + ": want FPF worse where jobs do not overtake in its queue")
				}
			case low && p == "ect-last2":
				if r*rThree > 1.2 {
					t.Error(what + ": want Last2 little worse than perfect")
				}
			case !low:
				if r*rThree > 1.01 || r/rThree < 0.99 {
					t.Error(what + ": want all alike")
				}
			}
		}
	}
}

// means are mean wait and response time of a policy, in s.
type means struct{ wait, response float64 }

// unequal is DAS3 with speeds that differ by a factor of four: what the paper
// used is not published.
func unequal(t *testing.T) *Grid {
	t.Helper()
	g := preset(t, "das3")
	g.Clusters[1].Speed, g.Clusters[2].Speed = 2, 0.5
	return g
}

func meansOf(t *testing.T, jobs []workload.Job, g *Grid, policy string) means {
	t.Helper()
	var m means
	for _, x := range run(t, jobs, g, policy) {
		m.wait += x.Wait
		m.response += x.Wait + x.Run
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

// synthetic generates jobs of a model under testdata.
func synthetic(t testing.TB, name string, jobs int64, load float64, seed uint64) []workload.Job {
	t.Helper()
	path := filepath.Join("testdata", name+".json")
	text := jobtest.Must(os.ReadFile(path))
	site := jobtest.Must(model.Decode(path, text))
	w := jobtest.Must(generate.New(site, generate.Options{Jobs: jobs, Load: load, Seed: seed}))
	all := jobtest.Collect(t, w.Jobs())
	return all
}
