package swf

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// noZero has a bit for each field in which 0 is odd: sizes, the estimate, and the run time, where 0
// means less than half a second.
const noZero uint32 = 1<<workload.ColRunTime | 1<<workload.ColAllocatedProcessors | 1<<workload.ColRequestedProcessors | 1<<workload.ColRequestedTime

// isFloat reports for each field whether it is a float64, and unknown has the bits of its unknown
// value. Field f, counted from 0, is column f of the job table.
var isFloat, unknown = func() (isFloat [parse.Fields]bool, unknown [parse.Fields]uint64) {
	for f := range isFloat {
		isFloat[f], unknown[f] = workload.ColumnAt(f).Float(), workload.UnknownBits(f)
	}
	return isFloat, unknown
}()

// chunk holds the jobs and warnings decoded from a chunk of text.
type chunk struct {
	jobs  *workload.Batch
	lines int64
	gaps  []workload.LineGap
	odd   workload.Warnings
	low   uint32 // a bit for each field with a value below 0, or an odd 0

	// All values are in one slice, column after column, as the bits of a float64 or an int64.
	values  []uint64
	stride  int               // number of rows that a column has room for
	row     int               // number of jobs decoded
	unknown [parse.Fields]int // number of unknown values of each field
}

func newChunk(rows int) *chunk {
	return &chunk{stride: rows, values: make([]uint64, rows*parse.Fields)}
}

// finish makes a batch of the values, and warns of odd ones.
func (c *chunk) finish() {
	c.jobs = &workload.Batch{Rows: c.row}
	for f := range parse.Fields {
		if c.unknown[f] < c.row {
			c.jobs.SetBits(f, c.values[f*c.stride:][:c.row:c.row])
		}
		if c.low>>f&1 != 0 {
			zeros := noZero>>f&1 != 0
			parse.CountLow(&c.odd, f, c.jobs.Floats[f], zeros, c.lineOf)
			parse.CountLow(&c.odd, f, c.jobs.Ints[f], zeros, c.lineOf)
		}
	}
	c.values = nil
}

// gap records a line without a job before the given row.
func (c *chunk) gap(row int) {
	if n := len(c.gaps); n > 0 && c.gaps[n-1].Row == row {
		c.gaps[n-1].Lines++
	} else {
		c.gaps = append(c.gaps, workload.LineGap{Row: row, Lines: 1})
	}
}

// lineOf returns the line, from 1, of a row within the chunk.
func (c *chunk) lineOf(row int) int64 {
	line := row + 1
	for _, g := range c.gaps {
		if g.Row > row {
			break
		}
		line += g.Lines
	}
	return int64(line)
}
