package score

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// LeastReplicas is the smallest number of twins for which a Verdict can say
// that the log lies outside their range.
const LeastReplicas = 19

// Rank fills in the rank of the log among its twins, which were all drawn in
// the same way. If the log were one of them, every rank would be equally
// likely, and InsidePct would be at least 100 - FalseAlarm on average. pinned
// names the rows whose values the twins have from the log by construction.
//
// A row is outside if the log is among the lowest or the highest 5 %. With 20
// twins that means the lowest or the highest of 21, with probability 9.5 %.
// With fewer than LeastReplicas twins nothing is judged.
func (v *Verdict) Rank(log *Traits, twins []*Traits, pinned []string) {
	n := len(twins) + 1
	all := append([]*Traits{log}, twins...)
	values := v.ranked(all)
	v.Replicas, v.Tested, v.Inside = len(twins), 0, 0
	tail := n / (LeastReplicas + 1)
	for i := range v.Rows {
		r := &v.Rows[i]
		x := values[i]
		if slices.ContainsFunc(x, math.IsNaN) {
			continue
		}
		below, equal := 0, 0
		for _, y := range x[1:] {
			if _, y = settled(x[0], y); y < x[0] {
				below++
			} else if y == x[0] {
				equal++
			}
		}
		lowest, highest := 1+below, 1+below+equal
		r.Rank, r.RankOf = stats.Number(float64(lowest+highest)/2), n
		if r.Pinned = slices.Contains(pinned, r.Name) || equal == len(twins); r.Pinned || tail == 0 {
			continue
		}
		inside := highest > tail && lowest <= n-tail
		if r.As == AsDistance {
			inside = lowest <= n-2*tail
		}
		r.Inside = &inside
		v.Tested++
		if inside {
			v.Inside++
		}
	}
	v.InsidePct, v.FalseAlarm = stats.Number(100*ratio(v.Inside, v.Tested)), stats.Number(missing)
	if tail > 0 {
		v.FalseAlarm = stats.Number(200 * float64(tail) / float64(n))
	}
}

// ranked are, by row, the numbers of workloads that ranks are of. For a
// distribution it is the distance from that of all workloads together, which is a
// symmetric function of them, so that ranks of workloads drawn alike are uniform.
func (v *Verdict) ranked(all []*Traits) [][]float64 {
	var rows [][]float64
	for i := range traitDistances {
		pool := stats.DistinctCounts{Limit: traitDistinct}
		for _, t := range all {
			pool.Merge(&t.distributions[i])
		}
		var x []float64
		for _, t := range all {
			x = append(x, distance(i, &pool, &t.distributions[i]))
		}
		rows = append(rows, x)
	}
	for i := range traits {
		var x []float64
		for _, t := range all {
			x = append(x, t.values[i])
		}
		rows = append(rows, x)
	}
	for k := range all[0].schedules {
		for i := range scheduleTraits {
			var x []float64
			for _, t := range all {
				x = append(x, t.schedules[k].values[i])
			}
			rows = append(rows, x)
		}
	}
	return rows
}
