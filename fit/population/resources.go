package population

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// resourceColumns holds the columns of the job table named in population.ResourceColumns.
var resourceColumns = func() (columns [11]*workload.Column) {
	for i, name := range population.ResourceColumns {
		columns[i] = workload.FindColumn(name)
	}
	return columns
}()

const totalMemory = len(resourceColumns) - 2 // index of the memory per job; the memory per processor follows it

// combination holds a job's values of resourceColumns, -1 where unknown.
type combination [len(resourceColumns)]float64

// nothing is the combination whose values are all unknown.
var nothing = func() (x combination) {
	for i := range x {
		x[i] = -1
	}
	return x
}()

// combinations numbers distinct combinations in the order in which they are first seen, from 0
// for nothing.
type combinations struct {
	numbers map[combination]int32
	list    []combination
	others  workload.ColumnSet // optional columns with values that are not resource columns
}

func newCombinations() combinations {
	return combinations{numbers: map[combination]int32{nothing: 0}, list: []combination{nothing}}
}

// add returns the number of a job's combination.
func (c *combinations) add(j *workload.Job) int32 {
	if !j.HasOptional() {
		return 0
	}
	// value returns an integer or a float, NaN if unknown.
	value := func(column *workload.Column) float64 {
		if n := column.Int(j); n != workload.Unknown {
			return float64(n)
		}
		return column.Number(j)
	}
	x := nothing
	for i, column := range resourceColumns {
		if v := value(column); v >= 0 && v <= population.MostOf(population.ResourceColumns[i]) {
			x[i] = v
		}
	}
	for i := workload.FirstOptional; i < workload.NumColumns; i++ {
		if column := workload.ColumnAt(i); !c.others.Has(i) && !slices.Contains(population.ResourceColumns, column.Name) && !math.IsNaN(value(column)) {
			c.others |= workload.ColumnSetOf(i)
		}
	}
	return c.number(x)
}

// number returns the number of a combination, assigning a new one if it has not been seen.
func (c *combinations) number(x combination) int32 {
	k, ok := c.numbers[x]
	if !ok {
		k = int32(len(c.list))
		c.list, c.numbers[x] = append(c.list, x), k
	}
	return k
}

// taken returns the number of GPUs or nodes that the jobs of each combination take, below 1 for
// none.
func (c *combinations) taken(unit population.Unit) (n []int64) {
	columns := unit.Columns()
	given, asked := slices.Index(population.ResourceColumns, columns[0]), slices.Index(population.ResourceColumns, columns[1])
	for _, x := range c.list {
		n = append(n, workload.RigidSize(int64(x[given]), int64(x[asked])))
	}
	return n
}

// row represents the jobs of one size with the same combination of resources.
type row struct {
	rowKey
	order  combination // sort key: the combination with identifiers replaced by ranks
	jobs   int
	weight int     // rows of larger weight are kept first
	into   *row    // the kept row in which its jobs are counted: itself if it is kept
	score  float64 // normal score among the jobs of its size; NaN if they are all in this row
}

type rowKey struct {
	size        int64
	combination int32
}

// resources fits the joint distribution of sizes and resources, and sets the combination and the
// score of each job. The distribution is empty if the log has no column of nodes, GPUs, total
// memory or quality of service.
func (f *fitter) resources() {
	used, any := f.usedColumns()
	if !any {
		for _, j := range f.jobs {
			j.combination = 0
		}
		return
	}
	byKey, rows := f.rows(used)
	keep(rows)
	rows = fold(rows)
	r := population.Resources{About: "resources of jobs of each size, and their shares; -1: unknown"}
	for lo, hi := range runsOf(rows, func(a, b *row) bool { return a.size == b.size }) {
		total, below := 0, 0
		for _, x := range rows[lo:hi] {
			total += x.jobs
		}
		for _, x := range rows[lo:hi] {
			if x.score = normal((float64(below) + float64(x.jobs)/2) / float64(total)); hi == lo+1 {
				x.score = math.NaN()
			}
			r.Sizes, r.Shares = append(r.Sizes, x.size), append(r.Shares, population.Short(float64(x.jobs)/float64(total)))
			below += x.jobs
		}
	}
	for k := range resourceColumns {
		if used[k] {
			r.Columns = append(r.Columns, f.resourceColumn(k, rows))
		}
	}
	for _, j := range f.jobs {
		x := byKey[rowKey{j.size, j.combination}].into
		j.combination, j.resourceRank = x.combination, float32(x.score)
		if j.combination > 0 {
			r.Jobs++
		}
	}
	f.m.Resources = r
}

// usedColumns returns which resource columns have values in the log. any reports whether one of
// them is not in the standard workload format. Memory per processor is used only if the log also
// has memory per job.
func (f *fitter) usedColumns() (used [len(resourceColumns)]bool, any bool) {
	for _, j := range f.jobs {
		for k, x := range f.combinations.list[j.combination] {
			used[k] = used[k] || x >= 0
			any = any || x >= 0 && resourceColumns[k].SWF == 0
		}
	}
	used[totalMemory+1] = used[totalMemory+1] && used[totalMemory]
	return used, any
}

// rows returns the rows of all sizes, by key and sorted. In the jobs' combinations it sets the
// columns that are not used to unknown.
func (f *fitter) rows(used [len(resourceColumns)]bool) (map[rowKey]*row, []*row) {
	combinations := newCombinations()
	rows := map[rowKey]*row{}
	for _, j := range f.jobs {
		x := f.combinations.list[j.combination]
		for k := range x {
			if !used[k] {
				x[k] = -1
			}
		}
		j.combination = combinations.number(x)
		key := rowKey{j.size, j.combination}
		r := rows[key]
		if r == nil {
			r = &row{rowKey: key, order: x}
			rows[key] = r
		}
		r.jobs++
		r.weight++
	}
	f.combinations = combinations
	for k, column := range resourceColumns {
		if !used[k] || column.Use != workload.Identifier {
			continue
		}
		place := map[float64]float64{-1: -1}
		for n, x := range f.byRunTime(func(j *job) int64 {
			if x := combinations.list[j.combination][k]; x >= 0 {
				return int64(x)
			}
			return workload.Unknown
		}) {
			place[float64(x)] = float64(n)
		}
		for _, x := range rows {
			x.order[k] = place[x.order[k]]
		}
	}
	return rows, slices.SortedFunc(maps.Values(rows), func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.size, b.size), slices.Compare(a.order[:], b.order[:]))
	})
}

// resourceColumn returns the k-th resource column, with the values of rows. A GPU type without a
// name is named by its number.
func (f *fitter) resourceColumn(k int, rows []*row) population.ResourceColumn {
	column := population.ResourceColumn{Name: population.ResourceColumns[k]}
	known := f.header.NamesOf(column.Name)
	for _, x := range rows {
		v := f.combinations.list[x.combination][k]
		column.Values = append(column.Values, v)
		if resourceColumns[k].Use != workload.Identifier || v < 0 {
			continue
		}
		text := strings.TrimSpace(known[int64(v)])
		if text == "" && column.Name == population.GPUType {
			text = strconv.FormatInt(int64(v), 10)
		}
		if text != "" {
			if column.Names == nil {
				column.Names = map[int64]string{}
			}
			column.Names[int64(v)] = text
		}
	}
	return column
}

// runsOf yields the bounds of each run rows[lo:hi] of like rows.
func runsOf(rows []*row, like func(a, b *row) bool) iter.Seq2[int, int] {
	return func(yield func(lo, hi int) bool) {
		for lo, hi := 0, 0; lo < len(rows); lo = hi {
			for hi = lo + 1; hi < len(rows) && like(rows[lo], rows[hi]); {
				hi++
			}
			if !yield(lo, hi) {
				return
			}
		}
	}
}

// maxRows is the largest number of rows kept, not counting the most frequent row of each size.
const maxRows = 500

// keep marks the rows to keep: all rows or, if there are more than maxRows, the most frequent row
// of each size and two sets of maxRows/2 rows. The first set has the most frequent rows; rows
// that differ only in memory count together, for the most frequent of them. The second set is
// spread evenly over the jobs of the remaining rows, because in some logs nearly every job has
// its own amount of memory.
func keep(rows []*row) {
	byWeight := func(a, b *row) int { return cmp.Compare(a.weight, b.weight) }
	for lo, hi := range runsOf(rows, func(a, b *row) bool {
		return a.size == b.size && slices.Equal(a.order[:totalMemory], b.order[:totalMemory])
	}) {
		lead := slices.MaxFunc(rows[lo:hi], byWeight)
		lead.weight = 0
		for _, x := range rows[lo:hi] {
			lead.weight += x.jobs
		}
	}
	for lo, hi := range runsOf(rows, func(a, b *row) bool { return a.size == b.size }) {
		x := slices.MaxFunc(rows[lo:hi], byWeight)
		x.into = x
	}
	frequent := slices.Clone(rows)
	slices.SortStableFunc(frequent, func(a, b *row) int { return byWeight(b, a) })
	if len(rows) > maxRows {
		frequent = frequent[:maxRows/2]
	}
	for _, x := range frequent {
		x.into = x
	}
	left, sum := 0, 0
	for _, x := range rows {
		if x.into == nil {
			left += x.jobs
		}
	}
	for _, x := range rows {
		if x.into == nil {
			below := sum
			if sum += x.jobs; below*(maxRows/2)/left != sum*(maxRows/2)/left {
				x.into = x
			}
		}
	}
}

// fold adds the jobs of each row that is not kept to the previous or next kept row of its
// size, whichever agrees with it in more leading columns. It returns the kept rows.
func fold(rows []*row) []*row {
	kept := slices.DeleteFunc(slices.Clone(rows), func(x *row) bool { return x.into == nil })
	next := 0 // index of the next kept row
	for _, x := range rows {
		if x.into != nil {
			next++
			continue
		}
		alike := func(k int) (n int) {
			if k < 0 || k >= len(kept) || kept[k].size != x.size {
				return -1
			}
			for n < len(x.order) && x.order[n] == kept[k].order[n] {
				n++
			}
			return n
		}
		to := next
		if alike(next) < alike(next-1) {
			to--
		}
		x.into = kept[to]
		x.into.jobs += x.jobs
	}
	return kept
}
