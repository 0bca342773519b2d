package score

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
)

// One workload far from all others, which fall together though they differ.
func TestMapOnWhichAllFallTogether(t *testing.T) {
	points := []stats.Point{{X: 9}, {}, {X: 0.1}, {Y: 0.1}}
	unlike := [][]float64{{0, 10, 11, 10}, {10, 0, 6, 5}, {11, 6, 0, 4}, {10, 5, 4, 0}}
	if i := fallenTogether(points, unlike); i != 0 {
		t.Errorf("got %d, want the first", i)
	}
	points[1] = stats.Point{Y: 3}
	if i := fallenTogether(points, unlike); i != -1 {
		t.Errorf("got %d of points that are apart", i)
	}
}
