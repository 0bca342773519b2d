package model

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Where all half hours have one shape the mean is the law's, and jumps take as
// long as interarrival times on average.
func TestMeanByShapeOfOneShape(t *testing.T) {
	a := preset(t, Lublin1999Batch).Classes[0].Arrivals
	var shapes [Slots]float64
	for i := range shapes {
		shapes[i] = a.Law().Shape
	}
	for _, stretch := range []float64{0.01, 1, 30} {
		if got, want := a.meanByShape(shapes, stretch), stretch*a.Gap(); !near(got, want, 1e-9) {
			t.Errorf("stretch %g: mean %g, want %g", stretch, got, want)
		}
	}
	// Of interarrival times below a day the jumps have the mean, in steps.
	g := dist.Gamma{Shape: 6, Scale: 0.9}
	const maxLn = 11 // e^11 s is 16.6 hours, 66.5 steps
	row := jumps(g, maxLn, 1)
	sum, mean := 0.0, 0.0
	for k, p := range row {
		sum += p
		mean += p * float64(k)
	}
	if want := (dist.Ln{Inner: g, MaxLn: maxLn}).Mean() / stepWidth; !near(sum, 1, 1e-9) || !near(mean, want, 1e-9) {
		t.Errorf("jumps sum to %.12g with mean %.12g, want 1 and %.12g", sum, mean, want)
	}
}

// A chain of which the long run is known: from every step to the next one, but
// from the first half of them only with probability 1/2.
func TestStationaryByHand(t *testing.T) {
	var chain [steps][steps]float64
	for i := range chain {
		stay := 0.0
		if i < steps/2 {
			stay = 0.5
		}
		chain[i][i] += stay
		chain[i][(i+1)%steps] += 1 - stay
	}
	for i, p := range stationary(&chain) {
		want := 2.0 / 3 / (steps / 2)
		if i >= steps/2 {
			want /= 2
		}
		if math.Abs(p-want) > 1e-14 {
			t.Errorf("step %d: %g, want %g", i, p, want)
		}
	}
}
