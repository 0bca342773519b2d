package population

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// maxRows are the rows of resources that are kept, beside the most frequent of each size.
const maxRows = 500

// rowKey is a combination of resources of a size.
type rowKey struct {
	size int64
	of   int32 // number of the combination
}

// row is the jobs of a size that have the same combination of resources.
type row struct {
	rowKey
	order  combination // with the ranks of labels in their place
	jobs   int
	weight int // by which rows are kept
	kept   bool
}

// rows counts the combinations of each size, and sorts them. Columns that are not used
// are taken out of the jobs' combinations.
func (c *Collector) rows(used [len(resourceColumns)]bool) []row {
	var of combinations
	count := map[rowKey]int{}
	for i := range c.jobs {
		j := &c.jobs[i]
		x := c.combinations.at(j.combination)
		for k := range x {
			if !used[k] {
				x[k] = -1
			}
		}
		j.combination = of.number(x)
		count[rowKey{j.size, j.combination}]++
	}
	c.combinations = of
	order := slices.Clone(of.list)
	for k, column := range resourceColumns {
		if !used[k] || column.Use != workload.Identifier {
			continue
		}
		place := map[float64]float64{-1: -1}
		label := func(i int) int64 {
			if x := c.combinations.at(c.jobs[i].combination)[k]; x >= 0 {
				return int64(x)
			}
			return workload.Unknown
		}
		for n, x := range c.byRunTime(label) {
			place[float64(x)] = float64(n)
		}
		for i := range order {
			order[i][k] = place[order[i][k]]
		}
	}
	var rows []row
	for key, n := range count {
		rows = append(rows, row{rowKey: key, order: order[key.of-1], jobs: n, weight: n})
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.size, b.size), slices.Compare(a.order[:], b.order[:]))
	})
	return rows
}

// keep chooses the rows to keep: the most frequent one of each size, and half of them by
// frequency, where of rows that differ in memory alone the most frequent counts for all.
// The other half stand for as many jobs each of those that are left, as where memory is
// hardly ever the same.
func keep(rows []row) {
	const memory = len(resourceColumns) - 2 // the columns from it on
	group := func(same func(a, b *row) bool, f func(of []row)) {
		for lo := 0; lo < len(rows); {
			hi := lo + 1
			for hi < len(rows) && same(&rows[lo], &rows[hi]) {
				hi++
			}
			f(rows[lo:hi])
			lo = hi
		}
	}
	most := func(of []row) *row {
		at := 0
		for i := range of {
			if of[i].weight > of[at].weight {
				at = i
			}
		}
		return &of[at]
	}
	group(func(a, b *row) bool { return a.size == b.size && slices.Equal(a.order[:memory], b.order[:memory]) }, func(of []row) {
		lead := most(of)
		lead.weight = 0
		for i := range of {
			lead.weight += of[i].jobs
		}
	})
	group(func(a, b *row) bool { return a.size == b.size }, func(of []row) { most(of).kept = true })
	frequent := make([]int, len(rows))
	for i := range frequent {
		frequent[i] = i
	}
	slices.SortStableFunc(frequent, func(a, b int) int { return cmp.Compare(rows[b].weight, rows[a].weight) })
	if len(rows) > maxRows {
		frequent = frequent[:maxRows/2]
	}
	for _, i := range frequent {
		rows[i].kept = true
	}
	left, sum := 0, 0
	for i := range rows {
		if !rows[i].kept {
			left += rows[i].jobs
		}
	}
	for i := range rows {
		if x := &rows[i]; !x.kept {
			x.kept = sum*(maxRows/2)/left != (sum+x.jobs)*(maxRows/2)/left
			sum += x.jobs
		}
	}
}

// fold adds the jobs of rows that are not kept to that kept row of their size beside
// them which is like them in more columns. It returns the places of rows among those
// that are kept.
func fold(rows []row) map[rowKey]int {
	at := map[rowKey]int{}
	like := func(i, k int) (n int) {
		if k < 0 || k >= len(rows) || rows[i].size != rows[k].size {
			return -1
		}
		for n < len(rows[i].order) && rows[i].order[n] == rows[k].order[n] {
			n++
		}
		return n
	}
	before, kept, after := -1, 0, 0 // the last kept row, how many there were before it, the next one
	for i := range rows {
		if rows[i].kept {
			if before >= 0 {
				kept++
			}
			before = i
			at[rows[i].rowKey] = kept
			continue
		}
		for after = max(after, i); after < len(rows) && !rows[after].kept; {
			after++
		}
		to, place := before, kept
		if like(i, after) >= like(i, before) {
			to, place = after, kept+1
			if before < 0 {
				place = 0
			}
		}
		rows[to].jobs += rows[i].jobs
		rows[i].jobs = 0
		at[rows[i].rowKey] = place
	}
	return at
}
