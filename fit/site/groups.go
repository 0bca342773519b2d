package site

import "github.com/loadstone-hpc/loadstone/stats"

// group is a run of neighbouring distinct values, from <= i < to.
type group struct{ from, to int }

// equalGroups splits distinct values with counts into at most n groups of
// about equal counts, without splitting a value (see stats.EqualGroups). A
// greedy split can be far from it: with it the slope of p(size) of the KTH log
// is a quarter of this one's.
func equalGroups(counts []float64, n int) []group {
	var groups []group
	from := 0
	for _, to := range stats.EqualGroups(counts, n) {
		groups = append(groups, group{from, to})
		from = to
	}
	return groups
}
