package generate

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// malleables draws the jobs of a class that can run on any number of
// processors.
type malleables struct {
	stream     stream
	model      *model.Malleable
	processors int64
	exact      bool
}

func newMalleables(c model.Class, processors int64, o Options) malleables {
	return malleables{newStream(o.Seed, partMalleable, c.Name), c.Malleable, processors, o.Exact}
}

// malleableColumns are the columns of a block of malleable jobs; the last two
// are nil where there is no allocation.
type malleableColumns struct {
	sequential, parallelism, sigma []float64

	sizes []int64
	runs  []float64
}

func newMalleableColumns(rows int, rigid bool) (c malleableColumns) {
	c.sequential, c.parallelism, c.sigma = make([]float64, rows), make([]float64, rows), make([]float64, rows)
	if rigid {
		c.sizes, c.runs = make([]int64, rows), make([]float64, rows)
	}
	return c
}

// draw fills row i: the sequential time, the average parallelism and sigma,
// in this order, as they are; a run time is of whole seconds and at least one.
func (m *malleables) draw(rng *rand.Rand, c *malleableColumns, i int) {
	c.sequential[i] = m.model.SequentialTime.Rand(rng)
	a := m.model.AverageParallelism.Rand(rng)
	sigma := m.model.Sigma.Rand(rng)
	c.parallelism[i], c.sigma[i] = a, sigma
	if c.sizes == nil {
		return
	}
	if m.model.Allocation == model.NoAllocation { // beside classes that have one
		c.sizes[i], c.runs[i] = workload.Unknown, math.NaN()
		return
	}
	n := m.model.Size(a, m.processors)
	c.sizes[i] = n
	c.runs[i] = c.sequential[i] / model.DowneyS(float64(n), a, sigma)
	if !m.exact {
		c.runs[i] = max(1, math.Floor(c.runs[i]))
	}
}

// columns are the values of the job table.
func (c *malleableColumns) columns() []workload.Values {
	return []workload.Values{
		{Column: workload.ColSequentialTime, Floats: c.sequential},
		{Column: workload.ColAverageParallelism, Floats: c.parallelism},
		{Column: workload.ColSigma, Floats: c.sigma},
	}
}
