package population

import "testing"

// By hand: ten jobs of 100 s and ten of 1000 s to where the law has a quarter at
// 60 s, and the rest at 6000 s: ranks from 0 to a quarter come to 60 s, no run time
// is beyond the law's. A total that is a little more than its parts, as sums of
// floating-point numbers are, does not change that.
func TestRankMap(t *testing.T) {
	from, to := make([]float64, runCells), make([]float64, runCells)
	from[runCell(100)], from[runCell(1000)] = 10, 10
	to[runCell(60)], to[runCell(6000)] = 5, 15
	for _, total := range []float64{20, 20.000001} {
		m := rankMap(from, to, 20, total)
		for run, want := range map[float64]int{0: runCell(60), 99: runCell(60), 500: runCell(6000), 1001: runCell(6000), 1e9: runCell(6000)} {
			if got := runCell(m.at(run)); got < want-1 || got > want+1 {
				t.Errorf("%g s to %g s", run, m.at(run))
			}
		}
	}
}
