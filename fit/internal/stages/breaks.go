package stages

import (
	"math"
	"slices"
)

// The search tries up to candidateBreaks candidates for breaks. If the sample has more distinct
// values, it then tries breakWindow values around each break, for at most refineRounds rounds. It
// repeats both, with the breaks that were found added to the candidates, at most gridPasses
// times.
const (
	candidateBreaks = 400
	breakWindow     = 32
	refineRounds    = 20
	gridPasses      = 3
)

// Best returns the best broken lines of 1 to most segments, indexed by the number of segments.
// Breaks are distinct values of the jobs kept. The result does not depend on workers, the number
// of goroutines.
func Best(c *Curve, most, workers int) []Broken {
	return bestBreaks(c, most, candidateBreaks, workers)
}

// bestBreaks implements Best with about the given number of candidates for the breaks.
//
// With up to that many distinct values, all are candidates, and the result is optimal. With more,
// the candidates are a grid on the values. The breaks are then improved together among all values
// around them, and the breaks found for one number of stages are added to the grid for the
// others.
//
// The loss caused by the grid is bounded. Let f be the best line over all values and g the line
// through f at the first candidate at or after each break of f. From one break of g to the next,
// f has a break only in the last cell of the grid, where f rises by r, say, and g by its slope
// times the cell's width. Both begin and end at the same heights, and f is straight before that
// cell, so |f-g| is at most max(r, slope × width). The root mean square of the best line on the
// grid is at most that of f plus the largest such bound. Cells are even in ln t and in jobs, to
// keep both small, and if a value has more jobs than a cell, it and the previous value are both
// candidates. A test measures the actual loss.
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
		// A good break for one number of stages is often good for others.
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

// fewCandidates is the number of candidates up to which a search needs no bounds.
const fewCandidates = 32

// bounds returns upper bounds for the sums of squares of the best lines among the candidates: the
// sums of the best lines among every second candidate, which are found in the same way.
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

// allWindows returns windows in which each break of a line of most stages can be any of n
// candidates except the first and the last.
func allWindows(n, most int) [][2]int {
	w := make([][2]int, most-1)
	for l := range w {
		w[l] = [2]int{1, n - 2}
	}
	return w
}

// grid returns the indexes of about most points at most: all points, or some that are evenly
// spaced in x and in weight, and values heavier than a cell together with the values before them.
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

// refine moves the breaks of b, which are among the candidates, together to the best places among
// all points around them. The first round tries the points between the neighbouring candidates of
// each break or, if there are more than breakWindow, some of them. Each later round tries the
// points between the neighbours in the previous round, until every point in between has been a
// candidate and the line no longer improves.
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
			if step == 1 { // extend it to the whole window
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
