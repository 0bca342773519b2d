package stages

import (
	"math"
	"slices"
)

// The search looks at up to candidateBreaks candidates for breaks. Where the
// sample has more distinct values, it then looks at breakWindow values around
// each break, for at most refineRounds rounds, and again, with the breaks found
// among the candidates, at most gridPasses times.
const (
	candidateBreaks = 400
	breakWindow     = 32
	refineRounds    = 20
	gridPasses      = 3
)

// Best returns the best broken lines of 1 to most segments, by their number of
// segments. Breaks are distinct values of the jobs kept. The result does not
// depend on workers, the number of goroutines.
func Best(c *Curve, most, workers int) []Broken {
	return bestBreaks(c, most, candidateBreaks, workers)
}

// bestBreaks is Best with about the given number of candidates for the breaks.
//
// Up to that many distinct values all are candidates, and the result is the
// best there is. With more, the candidates are a grid on the values; the breaks
// are then improved together among all values around them, and what is found
// for one number of stages is added to the grid for the others.
//
// What the grid can lose is bounded. Let f be the best line over all values
// and g the line through f at the first candidate at or after each break of
// f. From one break of g to the next, f has a break only in the last cell of
// the grid, where f rises by r, say, and g by its slope times the cell's
// width; both begin and end alike and f is straight before, so that nowhere
// |f-g| is above max(r, slope × width). The root mean square of the best line
// on the grid is at most that of f plus the largest such bound. Cells are
// even in ln t and in jobs, to keep both small, and where a value stands for
// more jobs than a cell, it and the value before it are both candidates. What
// is lost in the end a test measures.
func bestBreaks(c *Curve, most, candidates, workers int) []Broken {
	at := c.grid(candidates)
	whole := len(at) == len(c.X)
	var known []float64
	best := make([]Broken, most+1)
	for k := range best {
		best[k].Sum = math.Inf(1)
	}
	for pass := 0; ; pass++ {
		search := newSearch(c, at, allWindows(len(at), most), workers)
		if pass == 0 {
			known = c.bounds(at, most, workers)
		}
		better := false
		for k, b := range search.run(known) {
			if b.Sum < best[k].Sum*(1-1e-9)-slack {
				if !whole {
					b = c.refine(b, at, workers)
				}
				best[k], known[k], better = b, b.Sum, true
			}
		}
		if whole || !better || pass == gridPasses {
			return best
		}
		// What is a good break with one number of stages often is with others.
		for _, b := range best {
			for l := 1; l < len(b.Knots)-1; l++ {
				i := b.Knots[l]
				at = append(at, max(1, i-1), i, min(i+1, len(c.X)-2))
			}
		}
		slices.Sort(at)
		at = slices.Compact(at)
	}
}

// fewCandidates are so few that a search among them needs no bounds.
const fewCandidates = 32

// bounds returns sums of squares that the best lines among the candidates do not exceed: the sums
// of the best lines among every second candidate, which are searched in the same way.
func (c *Curve) bounds(candidates []int, most, workers int) []float64 {
	sums := slices.Repeat([]float64{math.Inf(1)}, most+1)
	if len(candidates) <= fewCandidates {
		return sums
	}
	var half []int
	for i, at := range candidates {
		if i%2 == 0 || i == len(candidates)-1 {
			half = append(half, at)
		}
	}
	for k, b := range newSearch(c, half, allWindows(len(half), most), workers).run(c.bounds(half, most, workers)) {
		sums[k] = b.Sum
	}
	return sums
}

// allWindows lets each break of most stages be any of n candidates but the
// first and the last.
func allWindows(n, most int) [][2]int {
	w := make([][2]int, most-1)
	for l := range w {
		w[l] = [2]int{1, n - 2}
	}
	return w
}

// grid returns the indexes of at most about most points: all, or some evenly
// spaced in x and in weight, and the neighbours of values heavier than a cell.
func (c *Curve) grid(most int) []int {
	n := len(c.X)
	if n <= most {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return all
	}
	half := float64(most/2 - 1)
	at := []int{0, n - 1}
	weight, byX, byWeight := 0.0, 0.0, 0.0
	for i, w := range c.w {
		weight += w
		if i > 0 && w >= 2/half {
			at = append(at, i-1, i)
		}
		if x := math.Floor((c.X[i] - c.X[0]) / (c.X[n-1] - c.X[0]) * half); x > byX {
			at, byX = append(at, i), x
		}
		if q := math.Floor(weight * half); q > byWeight {
			at, byWeight = append(at, i), q
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// refine moves the breaks of b, which are among the candidates, together to
// the best places among all points around them: from one candidate to the
// next at first, where that is more than breakWindow points at some of them,
// then between those, until every point between has been a candidate and the
// line does not improve.
func (c *Curve) refine(b Broken, candidates []int, workers int) Broken {
	if math.IsInf(b.Sum, 1) {
		return b
	}
	used := candidates
	for range refineRounds {
		breaks := b.Knots[1 : len(b.Knots)-1]
		at := []int{0, len(c.X) - 1}
		span := make([][2]int, len(breaks))
		whole := true
		for l, i := range breaks {
			k, _ := slices.BinarySearch(used, i)
			lo, hi := max(1, used[k-1]), min(len(c.X)-2, used[k+1])
			step := max(1, (hi-lo+breakWindow-1)/breakWindow)
			if step == 1 { // as far as the window goes
				more := max(0, breakWindow-(hi-lo)) / 2
				lo, hi = max(1, lo-more), min(len(c.X)-2, hi+more)
			}
			whole = whole && step == 1
			span[l] = [2]int{lo, hi}
			for j := lo; j < hi; j += step {
				at = append(at, j)
			}
			at = append(at, i, hi)
		}
		slices.Sort(at)
		at = slices.Compact(at)
		window := make([][2]int, len(span))
		for l, s := range span {
			lo, _ := slices.BinarySearch(at, s[0])
			hi, _ := slices.BinarySearch(at, s[1])
			window[l] = [2]int{lo, hi}
		}
		k := len(breaks) + 1
		known := make([]float64, k+1)
		for i := range k {
			known[i] = -1
		}
		known[k] = b.Sum
		next := newSearch(c, at, window, workers).run(known)[k]
		better := next.Sum < b.Sum*(1-1e-12)-1e-16
		if next.Sum < b.Sum {
			b = next
		}
		if whole && !better {
			break
		}
		used = at
	}
	return b
}
