//go:build long

package grid

import (
	"fmt"
	"testing"
)

// What the paper finds in table 6, on twenty workloads of its size. Ratios are over
// ECT-Perfect, geometric means over the seeds, within three standard errors.
// Some two minutes of one core.
func TestFindingsAtFullSize(t *testing.T) {
	das3, err := Preset("das3")
	if err != nil {
		t.Fatal(err)
	}
	auver, err := Preset("auvergrid")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, model string
		grid        Grid
		jobs        int64
		load        float64
	}{{"das3, speeds of the preset", "das3-like", das3, 220_000, 0.3}, {"das3, speeds 0.5 to 2", "das3-like", unequal(t), 220_000, 0.3}, {"auvergrid", "auvergrid-like", auver, 90_000, 0.7}} {
		policies := []Policy{ECT{}, ECT{Forecast{Own: true}}, LB{}, FPF{}, FPF{InOrder: true}}
		response, wait := make([]ratios, len(policies)), make([]ratios, len(policies))
		for seed := range uint64(20) {
			jobs := synthetic(t, c.model, c.jobs, c.load, seed)
			perfect := meansOf(t, jobs, c.grid, ECTPerfect{})
			for i, p := range policies {
				m := meansOf(t, jobs, c.grid, p)
				response[i].add(m.response, perfect.response)
				wait[i].add(m.wait, perfect.wait)
			}
		}
		for i, p := range policies {
			r, rThree := response[i].mean()
			w, wThree := wait[i].mean()
			what := fmt.Sprintf("%s, %s (own %v): response %.3f times (within a factor of %.3f), wait %.3f times (%.3f)", c.name, p.Name(), isOwn(p), r, rThree, w, wThree)
			t.Log(what)
			low := c.load < 0.5
			switch {
			case isOwn(p):
				if !low && !(r/rThree > 1.05) {
					t.Error(what + ": want more than 1.05 times, the price of each cluster's own history")
				}
			case low && p == Policy(LB{}):
				if !(r/rThree > 1.2 && w/wThree > 1.25) {
					t.Error(what + ": want LB far worse")
				}
			case low && p == Policy(FPF{}):
				if !(r*rThree < 1 && w*wThree < 0.5) {
					t.Error(what + ": want FPF best, which is not what the paper prints")
				}
			case low && p == Policy(FPF{InOrder: true}):
				if !(w/wThree > 1.25) {
					t.Error(what + ": want FPF worse where jobs do not overtake in its queue")
				}
			case low && p.Name() == "ect-last2":
				if r/rThree > 1 || r*rThree < 1 || rThree > 1.25 {
					t.Error(what + ": want Last2 as good as perfect")
				}
			case !low:
				if r*rThree > 1.01 || r/rThree < 0.99 {
					t.Error(what + ": want all alike")
				}
			}
		}
	}
}

func isOwn(p Policy) bool {
	e, ok := p.(ECT)
	return ok && e.Own
}
