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

// combination has a job's values of resourceColumns; -1 if unknown.
type combination [len(resourceColumns)]float64

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

// nothing is the combination whose values are all unknown.
var nothing = func() (x combination) {
	for i := range x {
		x[i] = -1
	}
	return x
}()

// numberIn returns a job's value in an integer or float column, NaN if unknown.
func numberIn(column *workload.Column, j *workload.Job) float64 {
	if n := column.Int(j); n != workload.Unknown {
		return float64(n)
	}
	return column.Number(j)
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
