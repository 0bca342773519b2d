package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// ScatterCells and ScatterColumns are the numbers of cells and of columns for
// each factor of 10 in a WaitScatter.
const (
	ScatterCells   = 12
	ScatterColumns = 6
)

// mostWait is the longest time that has a cell, in seconds. Longer times count as this long.
const mostWait = 1e15

// WaitScatter accumulates predicted and actual waits for a scatter plot with
// two log axes, in memory that does not depend on the number of jobs: the
// number of jobs in each cell, and the mean and the median of the actual waits
// in each column of predicted ones, which figure 4 of Downey (1997),
// "Predicting queue times on space-sharing parallel computers", draws as lines.
// Times below a second are in the cells at 1 s. The zero value is empty.
type WaitScatter struct {
	jobs, shortPredicted, shortActual int

	cells   map[[2]int]int
	columns map[int]*scatterColumn
}

type scatterColumn struct {
	mean   stats.Moments
	median stats.Distribution
}

// columnExact is the number of waits of a column that are kept for an exact median; with more,
// its relative error is at most stats.RelativeError.
const columnExact = 1 << 12

// Scatter is the content of a scatter plot of predicted and actual waits
// (WaitScatter).
type Scatter struct {
	Jobs int // jobs with a prediction and a known wait
	// The numbers of these jobs whose predicted or actual wait is below 1 s.
	// They are in the cells at 1 s.
	ShortPredicted, ShortActual int
	Cells                       []ScatterCell
	Columns                     []ScatterColumn
}

// ScatterCell is a square of the plot on log axes. Its upper right corner is
// 10^(1/ScatterCells) times its lower left one.
type ScatterCell struct {
	Predicted, Actual float64 // lower left corner, s, at least 1
	Jobs              int
}

// ScatterColumn summarises the actual waits of the jobs whose prediction is in
// [From, To).
type ScatterColumn struct {
	From, To     float64 // s
	Jobs         int
	Mean, Median float64 // of the actual waits, s
}

// Add adds one job: its predicted wait or bound, NaN if there was none, and its actual
// wait, both in seconds. It ignores jobs without a finite prediction and wait.
func (s *WaitScatter) Add(predicted, actual float64) {
	if !finite(predicted) || !finite(actual) {
		return
	}
	if s.cells == nil {
		s.cells, s.columns = map[[2]int]int{}, map[int]*scatterColumn{}
	}
	s.jobs++
	if predicted < 1 {
		s.shortPredicted++
	}
	if actual < 1 {
		s.shortActual++
	}
	x := cellOf(predicted)
	s.cells[[2]int{x, cellOf(actual)}]++
	s.column(x / (ScatterCells / ScatterColumns)).add(actual)
}

func (s *WaitScatter) column(i int) *scatterColumn {
	c := s.columns[i]
	if c == nil {
		c = new(scatterColumn)
		c.median.Limit = columnExact
		s.columns[i] = c
	}
	return c
}

func (c *scatterColumn) add(actual float64) {
	c.mean.Add(actual)
	c.median.Add(actual)
}

// cellOf returns the number of the cell of a time. The 1e-9 puts a corner into its own cell
// in spite of the rounding of its logarithm.
func cellOf(seconds float64) int {
	return int(math.Floor(ScatterCells*math.Log10(max(1, min(mostWait, seconds))) + 1e-9))
}

// corner returns the lower end in seconds of a cell or a column, of which there are perDecade
// for each factor of 10.
func corner(i, perDecade int) float64 { return math.Pow(10, float64(i)/float64(perDecade)) }

// Result returns the cells and columns, ordered from left to right, and cells of one
// column upwards.
func (s *WaitScatter) Result() Scatter {
	r := Scatter{Jobs: s.jobs, ShortPredicted: s.shortPredicted, ShortActual: s.shortActual}
	for at, n := range s.cells {
		r.Cells = append(r.Cells, ScatterCell{corner(at[0], ScatterCells), corner(at[1], ScatterCells), n})
	}
	slices.SortFunc(r.Cells, func(a, b ScatterCell) int {
		return cmp.Or(cmp.Compare(a.Predicted, b.Predicted), cmp.Compare(a.Actual, b.Actual))
	})
	for i, c := range s.columns {
		r.Columns = append(r.Columns, ScatterColumn{corner(i, ScatterColumns), corner(i+1, ScatterColumns), c.mean.N(), c.mean.Mean(), c.median.Quantile(0.5)})
	}
	slices.SortFunc(r.Columns, func(a, b ScatterColumn) int { return cmp.Compare(a.From, b.From) })
	return r
}
