package population

import (
	"math"
	"testing"
)

// Half the bags wait for a job whose response time is exp(Follow), a quarter for one of
// three times that.
func TestFollowsByHand(t *testing.T) {
	for _, c := range []struct{ response, want float64 }{{0, 1}, {600, .5}, {1800, .25}, {math.Inf(1), 0}} {
		if got := Follows(math.Log(600), c.response); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("after %g s: %g, want %g", c.response, got, c.want)
		}
	}
}
