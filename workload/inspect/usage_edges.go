package inspect

import "sort"

// edges divide time, s: stretch k is from edges[k] to edges[k+1].
type edges []float64

// at is the stretch that a time is in, -1 for none. The last one has its end.
func (e edges) at(t float64) int {
	n := len(e)
	if n < 2 || !(t >= e[0] && t <= e[n-1]) {
		return -1
	}
	return min(sort.Search(n, func(k int) bool { return e[k] > t })-1, n-2)
}

// overlaps calls use for each stretch that from to to overlaps, with the seconds.
func (e edges) overlaps(from, to float64, use func(k int, seconds float64)) {
	if len(e) < 2 || !(from < to) || to <= e[0] || from >= e[len(e)-1] {
		return
	}
	for k := max(0, e.at(from)); k < len(e)-1 && e[k] < to; k++ {
		if seconds := min(to, e[k+1]) - max(from, e[k]); seconds > 0 {
			use(k, seconds)
		}
	}
}

// covered is how many seconds of a stretch lie between two times.
func (e edges) covered(k int, first, last float64) float64 {
	return max(0, min(e[k+1], last)-max(e[k], first))
}
