package population

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

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
	r := population.Resources{About: "what jobs of each size have beside it, and the shares of these jobs; -1: unknown"}
	var scored []float64 // of kept rows
	for lo := 0; lo < len(rows); {
		hi, total := lo, 0
		for hi < len(rows) && rows[hi].size == rows[lo].size {
			total += rows[hi].jobs
			hi++
		}
		below, n := 0, len(r.Sizes)
		for _, x := range rows[lo:hi] {
			if x.kept {
				r.Sizes, r.Shares = append(r.Sizes, x.size), append(r.Shares, population.Short(float64(x.jobs)/float64(total)))
				scored = append(scored, normal((float64(below)+float64(x.jobs)/2)/float64(total)))
				below += x.jobs
			}
		}
		if len(r.Sizes) == n+1 { // the only row of its size: a score would be meaningless
			scored[n] = math.NaN()
		}
		lo = hi
	}
	kept := slices.DeleteFunc(slices.Clone(rows), func(x row) bool { return !x.kept })
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
		z := float64(j.resourceRank)
		if math.IsNaN(z) { // all jobs of its size have the same
			prev = j
			continue
		}
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
		last[j.size], prev = j, j
	}
	if n > 0 {
		t[population.ResourceMean], t[population.ResourceSD] = mean, math.Sqrt(squares/n)
	}
	if pairs > 0 {
		t[population.ResourceSame] = again / pairs
	}
}
