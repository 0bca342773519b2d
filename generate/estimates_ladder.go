package generate

import "math"

// ladder finds the smallest of ascending numbers that is not below x.
type ladder struct {
	edges []float64
	scale float64
	start []int32 // first edge that is in this piece of the range, or behind
}

func newLadder(edges []float64) ladder {
	pieces := min(4096, 8*len(edges))
	l := ladder{edges: edges, scale: min(math.MaxFloat64, float64(pieces-1)/edges[len(edges)-1]), start: make([]int32, pieces)}
	at := 0
	for i := range l.start {
		for at < len(edges)-1 && l.piece(edges[at]) < i {
			at++
		}
		l.start[i] = int32(at)
	}
	return l
}

// piece grows with x, so that no edge of an earlier piece is at x or above.
func (l *ladder) piece(x float64) int { return min(int(x*l.scale), len(l.start)-1) }

// find takes an x from 0 to the last edge.
func (l *ladder) find(x float64) int {
	i := int(l.start[l.piece(x)])
	for i < len(l.edges)-1 && l.edges[i] < x {
		i++
	}
	return i
}

// findCut takes any number: what is above the last edge counts as it, and what
// is no run time has no edge.
func (l *ladder) findCut(r float64) (i int, ok bool) {
	if !knownRun(r) {
		return 0, false
	}
	return l.find(math.Min(r, l.edges[len(l.edges)-1])), true
}
