package population

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// maxRows is the largest number of rows that are kept, in addition to the most frequent row
// of each size.
const maxRows = 500

// rowKey is a combination of resources of a size.
type rowKey struct {
	size int64
	of   int32 // number of the combination
}

// row counts the jobs of a size that have the same combination of resources.
type row struct {
	rowKey
	order  combination // as it sorts: identifiers are replaced by ranks
	jobs   int
	weight int // rows of larger weight are kept first
	kept   bool
}

// rows returns the sorted rows of all sizes. It sets the columns that are not used to
// unknown in the jobs' combinations.
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

// keep marks the rows to keep: the most frequent row of each size and, if there are more
// than maxRows, two halves of maxRows. The first half are the most frequent; rows that
// differ only in memory count together, for the most frequent of them. The second half are
// spread evenly over the jobs of the remaining rows, because in some logs nearly every job
// has its own amount of memory.
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

// fold adds the jobs of each row that is not kept to the previous or next kept row of its
// size, whichever agrees with it in more leading columns. It returns the place of each row's
// jobs among the kept rows.
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
