package fit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ClassColumn is one column by which lifetimes.Collector tells jobs apart.
//
// Identifiers (those of model.Columns) have a class for each number, or for
// each name of Groups. Quantities have a class for each range: from a power
// of two to the next, its lower end not in it, so that sizes of 5 to 8
// processors are a class; or the ranges that Edges divide.
type ClassColumn struct {
	Column string // one of ClassColumns

	// Edges are the upper ends of ranges of a quantity, ascending; the last
	// range is what is above them all. nil is powers of two.
	Edges []float64
	// Groups names classes of several identifiers: the queues of short jobs
	// "short". Those it does not have are the class "other". nil is a class
	// for each identifier.
	Groups map[int64]string
}

// quantity is a column of numbers that are told apart by ranges.
type quantity struct {
	name  string
	whole bool
	of    func(*workload.Job) float64
}

// quantities lists them. All but the allocated processors and the used memory
// are known when a job is submitted.
func quantities() []quantity {
	return []quantity{
		{"size", true, func(j *workload.Job) float64 { return known(j.Size) }},
		{"requested_processors", true, func(j *workload.Job) float64 { return known(j.Processors) }},
		{"allocated_processors", true, func(j *workload.Job) float64 { return known(j.Allocated) }},
		{"requested_time_s", false, func(j *workload.Job) float64 { return j.Time }},
		{"requested_memory_kb", false, func(j *workload.Job) float64 { return j.Memory }},
		{"used_memory_kb", false, func(j *workload.Job) float64 { return j.UsedMemory }},
	}
}

// ClassColumns lists the columns that a ClassColumn may have: identifiers,
// then quantities.
func ClassColumns() []string {
	names := slices.Clone(model.Columns())
	for _, q := range quantities() {
		names = append(names, q.name)
	}
	return names
}

// classCells tells the class of a job by one column, and names it.
type classCells struct {
	of    func(*workload.Job) int64 // workload.Unknown where the job has no value
	label func(int64) string
}

// notAbove0 is the range of quantities that no power of two bounds.
const notAbove0 = workload.Unknown + 1

func (c ClassColumn) cells() (classCells, error) {
	i := slices.IndexFunc(quantities(), func(q quantity) bool { return q.name == c.Column })
	if i >= 0 {
		return c.ranges(quantities()[i])
	}
	if c.Column == "" || !slices.Contains(model.Columns(), c.Column) {
		return classCells{}, fmt.Errorf("fit: column to tell classes by is %q, want one of %s", c.Column, strings.Join(ClassColumns(), ", "))
	}
	if c.Edges != nil {
		return classCells{}, fmt.Errorf("fit: edges for %s, want them for quantities only: its numbers are names", c.Column)
	}
	of, err := classOf(c.Column)
	if err != nil {
		return classCells{}, err
	}
	if c.Groups == nil {
		return classCells{of, func(v int64) string { return fmt.Sprintf("%s=%d", c.Column, v) }}, nil
	}
	var names []string
	for _, name := range c.Groups {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	group := make(map[int64]int64, len(c.Groups))
	for id, name := range c.Groups {
		group[id] = int64(slices.Index(names, name))
	}
	names = append(names, "other")
	return classCells{
		of: func(j *workload.Job) int64 {
			id := of(j)
			if g, ok := group[id]; ok {
				return g
			}
			if id == workload.Unknown {
				return id
			}
			return int64(len(names) - 1)
		},
		label: func(v int64) string { return names[v] },
	}, nil
}

// ranges are the cells of a quantity.
func (c ClassColumn) ranges(q quantity) (classCells, error) {
	if c.Groups != nil {
		return classCells{}, fmt.Errorf("fit: groups for %s, want them for identifiers only", c.Column)
	}
	if c.Edges != nil && len(c.Edges) == 0 {
		return classCells{}, fmt.Errorf("fit: no edges of %s, want at least one, or nil for powers of two", c.Column)
	}
	for i, e := range c.Edges {
		if math.IsNaN(e) || math.IsInf(e, 0) || i > 0 && !(e > c.Edges[i-1]) {
			return classCells{}, fmt.Errorf("fit: edge %d of %s is %g, want finite numbers in ascending order", i, c.Column, e)
		}
	}
	place := powerOfTwoRange
	if c.Edges != nil {
		edges := slices.Clone(c.Edges)
		place = func(v float64) int64 {
			i, _ := slices.BinarySearch(edges, v)
			return int64(i)
		}
	}
	return classCells{
		of: func(j *workload.Job) int64 {
			v := q.of(j)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return workload.Unknown
			}
			return place(v)
		},
		label: func(at int64) string {
			low, high := math.Inf(-1), math.Inf(1)
			switch {
			case c.Edges != nil:
				if at > 0 {
					low = c.Edges[at-1]
				}
				if at < int64(len(c.Edges)) {
					high = c.Edges[at]
				}
			case at == notAbove0:
				high = 0
			default:
				low, high = math.Ldexp(1, int(at-1)), math.Ldexp(1, int(at))
			}
			return rangeLabel(q, low, high)
		},
	}, nil
}

// powerOfTwoRange returns the k with 2^(k-1) < v <= 2^k.
func powerOfTwoRange(v float64) int64 {
	if v <= 0 {
		return notAbove0
	}
	part, k := math.Frexp(v) // part in [1/2, 1)
	if part == 0.5 {
		k--
	}
	return int64(k)
}

// rangeLabel names low < q <= high.
func rangeLabel(q quantity, low, high float64) string {
	number := func(v float64) string {
		if math.Abs(v) < 1e15 && v == math.Trunc(v) {
			return fmt.Sprintf("%d", int64(v))
		}
		return fmt.Sprintf("%g", v)
	}
	switch {
	case math.IsInf(low, -1):
		return q.name + "<=" + number(high)
	case math.IsInf(high, 1):
		return q.name + ">" + number(low)
	}
	least, most := math.Floor(low)+1, math.Floor(high)
	switch {
	case !q.whole || least > most:
		return q.name + "=" + number(low) + ".." + number(high)
	case least == most:
		return q.name + "=" + number(most)
	}
	return q.name + "=" + number(least) + "-" + number(most)
}

// ColumnsOf returns columns of these names, each without ranges.
func ColumnsOf(names []string) []ClassColumn {
	var columns []ClassColumn
	for _, name := range names {
		columns = append(columns, ClassColumn{Column: name})
	}
	return columns
}
