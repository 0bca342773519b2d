package generate

import (
	"cmp"
	"math"
	"slices"
)

const (
	minute = 60
	hour   = 3600
)

// jointTimes are the estimates that are among the 20 most popular of all four
// logs behind the model; roundTimes are those of which multiples fill up.
var (
	jointTimes = []float64{5 * minute, 10 * minute, 15 * minute, 20 * minute, 30 * minute, hour, 2 * hour, 3 * hour,
		4 * hour, 5 * hour, 6 * hour, 8 * hour, 10 * hour, 12 * hour, 18 * hour}
	roundTimes = []float64{200 * hour, 100 * hour, 50 * hour, 10 * hour, 5 * hour, 2 * hour, hour, 20 * minute, 10 * minute, 5 * minute}
)

// head is the model's most popular estimates before chance has a say.
type head struct {
	times    []float64 // the maximum, then the others ascending
	percents []float64 // of the jobs, by popularity rank
	ranks    []int     // of each time, from 1; 0 is for chance to say
}

func (m TsafrirModel) head() head {
	h := head{times: m.headTimes()}
	h.percents, h.ranks = m.headPercents(h.times)
	return h
}

// headTimes returns the times, given ones in the place of the model's nearest:
// pairs by distance, first among those that only fill up, then among the joint.
func (m TsafrirModel) headTimes() []float64 {
	times := defaultHeadTimes(m.Max)
	var added []float64
	for _, g := range m.Given {
		if !slices.Contains(times, g.Time) {
			added = append(added, g.Time)
		}
	}
	slices.Sort(added)
	replaced := len(added) - (headBins - len(times)) // how many have to go
	for _, joint := range []bool{false, true} {
		type pair struct{ given, own float64 }
		var pairs []pair
		for _, g := range added {
			for _, own := range times[1:] {
				if slices.Contains(jointTimes, own) == joint {
					pairs = append(pairs, pair{g, own})
				}
			}
		}
		slices.SortFunc(pairs, func(a, b pair) int {
			return cmp.Or(cmp.Compare(math.Abs(a.given-a.own), math.Abs(b.given-b.own)), cmp.Compare(a.given, b.given), cmp.Compare(a.own, b.own))
		})
		for _, p := range pairs {
			from, to := slices.Index(added, p.given), slices.Index(times, p.own)
			if replaced > 0 && from >= 0 && to >= 0 && !slices.ContainsFunc(m.Given, func(g Bin) bool { return g.Time == p.own }) {
				times = slices.Delete(times, to, to+1)
				added = slices.Delete(added, from, from+1)
				times = append(times, p.given)
				replaced--
			}
		}
	}
	times = append(times, added...)
	slices.Sort(times[1:])
	return times
}

// defaultHeadTimes returns up to 20 times, the maximum first, then ascending.
func defaultHeadTimes(most float64) []float64 {
	times := []float64{most}
	for _, t := range jointTimes {
		if t < most {
			times = append(times, t)
		}
	}
	for _, step := range roundTimes {
		for k := math.Floor(most / step); k > 0 && len(times) < headBins; k-- {
			if t := k * step; !slices.Contains(times, t) {
				times = append(times, t)
			}
		}
	}
	slices.Sort(times[1:])
	return times
}

// headPercents returns the shares by popularity rank and the ranks of the
// given times. A given size takes the place of the nearest, the largest given
// one first; only the maximum may have the first rank. The others are scaled
// so that all have 89 %.
func (m TsafrirModel) headPercents(times []float64) (percents []float64, ranks []int) {
	n := len(times)
	percents, ranks = make([]float64, n), make([]int, n)
	sum := 0.0
	for i := 1; i < n; i++ {
		percents[i] = 14.0491*math.Exp(-0.177531*float64(i+1)) + 0.462513
		sum += percents[i]
	}
	percents[0] = headPercent - sum
	share := func(g Bin) float64 { return 100 * float64(g.Jobs) / float64(m.Jobs) }
	if at := slices.IndexFunc(m.Given, func(g Bin) bool { return g.Time == m.Max }); at >= 0 {
		percents[0] = share(m.Given[at])
		scale := max(0, headPercent-percents[0]) / sum
		for i := 1; i < n; i++ {
			percents[i] *= scale
		}
		slices.SortFunc(percents, func(a, b float64) int { return cmp.Compare(b, a) })
	}
	if len(m.Given) == 0 {
		return percents, ranks
	}

	// owner is the given bin that a rank belongs to.
	owner := make([]*Bin, n)
	given := slices.Clone(m.Given)
	slices.SortStableFunc(given, func(a, b Bin) int { return cmp.Compare(b.Jobs, a.Jobs) })
	for i := range given {
		g, best := &given[i], 0
		for k := 1; k < n; k++ {
			if owner[k] == nil && (best == 0 || math.Abs(share(*g)-percents[k]) < math.Abs(share(*g)-percents[best])) {
				best = k
			}
		}
		if g.Time == m.Max && owner[0] == nil && math.Abs(share(*g)-percents[0]) <= math.Abs(share(*g)-percents[best]) {
			best = 0
		}
		owner[best] = g
	}
	users, others := 0.0, 0.0
	for k, g := range owner {
		if g != nil {
			percents[k] = share(*g)
			users += percents[k]
		} else {
			others += percents[k]
		}
	}
	for k, g := range owner {
		if g == nil && others > 0 {
			percents[k] *= max(0, headPercent-users) / others
		}
	}
	// Sort all but the first by size; ranks follow.
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order[1:], func(a, b int) int { return cmp.Compare(percents[b], percents[a]) })
	sorted := make([]float64, n)
	for rank, k := range order {
		sorted[rank] = percents[k]
		if g := owner[k]; g != nil {
			ranks[slices.Index(times, g.Time)] = rank + 1
		}
	}
	return sorted, ranks
}
