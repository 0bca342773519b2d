package population

import (
	"math"
	"testing"
)

// All returns the fields in the order of their names.
func TestTraitsInOrder(t *testing.T) {
	x := Traits{LnJobs: 1, ChangeInBag: 2, ResourceSame: 3}
	for i, v := range x.All() {
		if want := map[string]float64{"ln_jobs": 1, "change_in_bag": 2, "resource_same": 3}[TraitName(i)]; v != want {
			t.Errorf("%s is %g, want %g", TraitName(i), v, want)
		}
	}
}

// Half of the bags wait for a job whose response time is exp(Follow), a quarter for one with
// three times that.
func TestFollowsByHand(t *testing.T) {
	for _, c := range []struct{ response, want float64 }{{0, 1}, {600, .5}, {1800, .25}, {math.Inf(1), 0}} {
		if got := Follows(math.Log(600), c.response); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("after %g s: %g, want %g", c.response, got, c.want)
		}
	}
}
