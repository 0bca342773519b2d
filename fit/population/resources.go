package population

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// resourceColumns are population.ResourceColumns in the job table.
var resourceColumns = func() (columns [11]*workload.Column) {
	for i, name := range population.ResourceColumns {
		columns[i] = workload.FindColumn(name)
	}
	return columns
}()

// combination has a job's values of resourceColumns; -1 if unknown.
type combination [len(resourceColumns)]float64

// nothing is the combination whose values are all unknown.
var nothing = func() (x combination) {
	for i := range x {
		x[i] = -1
	}
	return x
}()

// combinations numbers distinct combinations from 1, in the order in which they are first
// seen. 0 stands for jobs without any optional column.
type combinations struct {
	numbers map[combination]int32
	list    []combination
	others  workload.ColumnSet // optional columns that are not of resources
}

// add returns the number of a job's combination.
func (c *combinations) add(j *workload.Job) int32 {
	if !j.HasOptional() {
		return 0
	}
	// An integer or float, NaN if unknown.
	value := func(column *workload.Column) float64 {
		if n := column.Int(j); n != workload.Unknown {
			return float64(n)
		}
		return column.Number(j)
	}
	var x combination
	for i, column := range resourceColumns {
		if x[i] = value(column); !(x[i] >= 0 && x[i] <= population.MostOf(population.ResourceColumns[i])) {
			x[i] = -1
		}
	}
	for i := workload.FirstOptional; i < workload.NumColumns; i++ {
		if column := workload.ColumnAt(i); !c.others.Has(i) && !slices.Contains(population.ResourceColumns, column.Name) && !math.IsNaN(value(column)) {
			c.others |= workload.ColumnSetOf(i)
		}
	}
	return c.number(x)
}

// number returns the number of a combination, a new one if it has not been seen.
func (c *combinations) number(x combination) int32 {
	k, ok := c.numbers[x]
	if !ok {
		if c.numbers == nil {
			c.numbers = map[combination]int32{}
		}
		c.list = append(c.list, x)
		k = int32(len(c.list))
		c.numbers[x] = k
	}
	return k
}

// at returns the combination of a number.
func (c *combinations) at(number int32) combination {
	if number == 0 {
		return nothing
	}
	return c.list[number-1]
}

// taken returns, by number of a combination, how many GPUs or nodes its jobs take: the
// allocated number, or else the requested one; below 1 if there are none.
func (c *combinations) taken(unit population.Unit) []int64 {
	asked, given := population.RequestedGPUs, population.AllocatedGPUs
	if unit == population.OfNodes {
		asked, given = population.RequestedNodes, population.AllocatedNodes
	}
	i, k := slices.Index(population.ResourceColumns, given), slices.Index(population.ResourceColumns, asked)
	n := make([]int64, 1+len(c.list))
	for number := range n {
		x := c.at(int32(number))
		n[number] = workload.RigidSize(int64(x[i]), int64(x[k]))
	}
	return n
}

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

// resources returns the joint distribution of sizes and resources, and sets the combination
// and the score of each job. It is empty if the log has no column of nodes, GPUs, total
// memory or quality of service.
func (c *Collector) resources(header *workload.Header) population.Resources {
	used, any := c.usedColumns()
	if !any {
		for i := range c.jobs {
			c.jobs[i].combination = 0
		}
		return population.Resources{}
	}
	rows := c.rows(used)
	keep(rows)
	at := fold(rows)
	kept := slices.DeleteFunc(slices.Clone(rows), func(x row) bool { return !x.kept })
	r := population.Resources{About: "what jobs of each size have beside it, and the shares of these jobs; -1: unknown"}
	var scored []float64
	for lo, hi := range runsOf(kept, func(a, b *row) bool { return a.size == b.size }) {
		total, below := 0, 0
		for _, x := range kept[lo:hi] {
			total += x.jobs
		}
		for _, x := range kept[lo:hi] {
			score := normal((float64(below) + float64(x.jobs)/2) / float64(total))
			if hi == lo+1 { // the only row of its size: a score would be meaningless
				score = math.NaN()
			}
			r.Sizes, r.Shares, scored = append(r.Sizes, x.size), append(r.Shares, population.Short(float64(x.jobs)/float64(total))), append(scored, score)
			below += x.jobs
		}
	}
	for k, name := range population.ResourceColumns {
		if used[k] {
			r.Columns = append(r.Columns, c.resourceColumn(name, k, kept, header))
		}
	}
	for i := range c.jobs {
		j := &c.jobs[i]
		k := at[rowKey{j.size, j.combination}]
		j.combination, j.resourceRank = kept[k].of, float32(scored[k])
		if c.combinations.at(j.combination) != nothing {
			r.Jobs++
		}
	}
	return r
}

// usedColumns returns which columns of resources the log's jobs have. any reports whether
// one of them is not in the standard workload format. Memory per processor is used only if
// the log also has the memory of whole jobs.
func (c *Collector) usedColumns() (used [len(resourceColumns)]bool, any bool) {
	met := make([]bool, 1+len(c.combinations.list))
	for i := range c.jobs {
		met[c.jobs[i].combination] = true
	}
	for number := range met {
		for k, x := range c.combinations.at(int32(number)) {
			used[k] = used[k] || met[number] && x >= 0
		}
	}
	total := false
	for k, column := range resourceColumns {
		if used[k] && column.SWF == 0 {
			any = true
			total = total || column.Name == "requested_memory_total_kb"
		}
	}
	last := len(used) - 1 // memory per processor
	used[last] = used[last] && total
	return used, any
}

// resourceColumn returns one column of the kept rows. A kind of GPU without a name is named
// by its number.
func (c *Collector) resourceColumn(name string, k int, rows []row, header *workload.Header) population.ResourceColumn {
	column := population.ResourceColumn{Name: name}
	known := header.NamesOf(name)
	for _, x := range rows {
		v := c.combinations.at(x.of)[k]
		column.Values = append(column.Values, v)
		if resourceColumns[k].Use != workload.Identifier || v < 0 {
			continue
		}
		text := strings.TrimSpace(known[int64(v)])
		if text == "" && name == population.GPUType {
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
		for n, x := range c.byRunTime(func(j *job) int64 {
			if x := c.combinations.at(j.combination)[k]; x >= 0 {
				return int64(x)
			}
			return workload.Unknown
		}) {
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

// runsOf yields where runs of like rows begin and end.
func runsOf(rows []row, like func(a, b *row) bool) iter.Seq2[int, int] {
	return func(yield func(lo, hi int) bool) {
		for lo, hi := 0, 0; lo < len(rows); lo = hi {
			for hi = lo + 1; hi < len(rows) && like(&rows[lo], &rows[hi]); {
				hi++
			}
			if !yield(lo, hi) {
				return
			}
		}
	}
}

// maxRows is the largest number of rows that are kept, in addition to the most frequent row
// of each size.
const maxRows = 500

// keep marks the rows to keep: the most frequent row of each size and, if there are more
// than maxRows, two halves of maxRows. The first half are the most frequent; rows that
// differ only in memory count together, for the most frequent of them. The second half are
// spread evenly over the jobs of the remaining rows, because in some logs nearly every job
// has its own amount of memory.
func keep(rows []row) {
	most := func(lo, hi int) *row {
		at := lo
		for i := lo; i < hi; i++ {
			if rows[i].weight > rows[at].weight {
				at = i
			}
		}
		return &rows[at]
	}
	const memory = len(resourceColumns) - 2 // the columns from it on
	for lo, hi := range runsOf(rows, func(a, b *row) bool { return a.size == b.size && slices.Equal(a.order[:memory], b.order[:memory]) }) {
		lead := most(lo, hi)
		lead.weight = 0
		for _, x := range rows[lo:hi] {
			lead.weight += x.jobs
		}
	}
	for lo, hi := range runsOf(rows, func(a, b *row) bool { return a.size == b.size }) {
		most(lo, hi).kept = true
	}
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
	var kept []int
	for i := range rows {
		if rows[i].kept {
			at[rows[i].rowKey] = len(kept)
			kept = append(kept, i)
		}
	}
	next := 0 // of the kept rows
	for i := range rows {
		if rows[i].kept {
			next++
			continue
		}
		alike := func(k int) (n int) {
			if k < 0 || k >= len(kept) || rows[kept[k]].size != rows[i].size {
				return -1
			}
			for n < len(resourceColumns) && rows[i].order[n] == rows[kept[k]].order[n] {
				n++
			}
			return n
		}
		to := next
		if alike(next) < alike(next-1) {
			to--
		}
		rows[kept[to]].jobs += rows[i].jobs
		at[rows[i].rowKey] = to
	}
	return at
}

// resourceTraits sets the traits of a user's resources: mean and standard deviation of the
// jobs' scores, and how often a job repeats the last combination with its size. Every job
// counts once, so that a few test jobs without GPUs hardly change a user of GPUs.
func (c *Collector) resourceTraits(p *person) {
	t := &p.traits
	n, mean, squares, again, pairs := 0.0, 0.0, 0.0, 0.0, 0.0
	last := map[int64]*job{} // of each size
	var prev *job
	for _, i := range p.jobs {
		j := &c.jobs[i]
		if z := float64(j.resourceRank); !math.IsNaN(z) { // else all jobs of its size have the same
			n++
			d := z - mean
			mean += d / n
			squares += d * (z - mean)
			if before := last[j.size]; before != nil && !prev.like(j) {
				pairs++
				if before.combination == j.combination {
					again++
				}
			}
			last[j.size] = j
		}
		prev = j
	}
	if n > 0 {
		t[population.ResourceMean], t[population.ResourceSD] = mean, math.Sqrt(squares/n)
	}
	if pairs > 0 {
		t[population.ResourceSame] = again / pairs
	}
}
