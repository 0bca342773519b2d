package population

import (
	"math"
	"testing"
)

// A model has the traits of users always, and those of what jobs ask for with the
// part that they are of.
func TestHas(t *testing.T) {
	some := Atoms{Values: []float64{1}}
	parts := []struct {
		name     string
		model    Model
		from, to Trait
	}{
		{"users", Model{}, LnJobs, EstimateMean - 1},
		{"estimates", Model{Estimates: Estimates{Atoms: some}}, EstimateMean, EstimateReached},
		{"memory", Model{Memory: some}, MemoryMean, MemorySame},
		{"queues", Model{Queues: some}, QueueMean, QueueSame},
		{"applications", Model{Applications: Applications{Count: 1}}, ApplicationNew, ApplicationSame},
		{"resources", Model{Resources: Resources{Sizes: []int64{1}}}, ResourceMean, ResourceSame},
	}
	for _, p := range parts {
		for trait := range NumTraits {
			want := trait < EstimateMean || trait >= p.from && trait <= p.to
			if got := p.model.Has(trait); got != want {
				t.Errorf("a model with %s has %s: %t, want %t", p.name, trait, got, want)
			}
		}
	}
}

// Ranges by hand: e^69 processor seconds are 9e29, the bounds of jobs and days are
// those of a model, and there are seven days in a week.
func TestRanges(t *testing.T) {
	for _, c := range []struct {
		trait  Trait
		lo, hi float64
	}{
		{LnJobs, 0, 31 * math.Ln2}, {LnWork, 0, 69}, {LnSpan, 0, math.Log(36525)}, {Days, 0, 7},
		{Active, 0, 1}, {BagOne, 0, 1}, {Follow, 0, 25}, {ApplicationSame, 0, 1},
		{BagAgain, -.999, .999}, {EstimateRun, -.999, .999}, {RunDrift, 0, 20}, {QueueSD, 0, 20},
		{ResourceMean, -10, 10}, {ResourceSD, 0, 20}, {ResourceSame, 0, 1},
		{RunSweep, 0, 20}, {BagMean, -10, 10}, {SessionSize, -10, 10}, {QueueMean, -10, 10},
	} {
		if lo, hi := c.trait.Range(); lo != c.lo || math.Abs(hi-c.hi) > 1e-13 {
			t.Errorf("%s: %g to %g, want %g to %g", c.trait, lo, hi, c.lo, c.hi)
		}
	}
}

// Half the bags wait for a job whose response time is exp(Follow), a quarter for one of
// three times that.
func TestFollowsByHand(t *testing.T) {
	for _, c := range []struct{ response, want float64 }{{0, 1}, {600, .5}, {1800, .25}, {math.Inf(1), 0}} {
		if got := Follows(math.Log(600), c.response); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("after %g s: %g, want %g", c.response, got, c.want)
		}
	}
}
