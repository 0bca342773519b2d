package population

import (
	"math"
	"slices"

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

// combination is what a job has beside its size, by the columns of resources; -1 where
// it is unknown.
type combination [len(resourceColumns)]float64

// combinations are those that have been seen, numbered from 1 as they come. 0 is of jobs
// of which nothing is known beyond the standard workload format.
type combinations struct {
	numbers map[combination]int32
	list    []combination
	others  workload.ColumnSet // optional columns that are not of resources
}

// add returns the number of what a job has.
func (c *combinations) add(j *workload.Job) int32 {
	if j.Asked == nil && j.Given == nil {
		return 0
	}
	var x combination
	for i, column := range resourceColumns {
		if x[i] = numberIn(column, j); !(x[i] >= 0 && x[i] <= population.MostOf(population.ResourceColumns[i])) {
			x[i] = -1
		}
	}
	for i := workload.FirstOptional; i < workload.NumColumns; i++ {
		if column := workload.ColumnAt(i); !c.others.Has(i) && !slices.Contains(population.ResourceColumns, column.Name) && !math.IsNaN(numberIn(column, j)) {
			c.others |= workload.ColumnSetOf(i)
		}
	}
	return c.number(x)
}

// number returns the number of a combination, a new one where it has not been seen.
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

// at returns a combination by its number.
func (c *combinations) at(number int32) combination {
	if number == 0 {
		return nothing
	}
	return c.list[number-1]
}

// nothing is the combination of which all is unknown.
var nothing = func() (x combination) {
	for i := range x {
		x[i] = -1
	}
	return x
}()

// numberIn is a job's value of a column of either kind, NaN where it is unknown.
func numberIn(column *workload.Column, j *workload.Job) float64 {
	if n := column.Int(j); n != workload.Unknown {
		return float64(n)
	}
	return column.Number(j)
}

// taken is how much of a unit jobs of each combination take, by its number: what was
// given to them, else asked for; below 1 where that is nothing.
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
