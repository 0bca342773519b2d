package swf

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// noZero has a bit for each field in which 0 is odd: sizes, the estimate,
// and the run time, where it stands for less than half a second.
const noZero uint32 = 1<<workload.ColRunTime | 1<<workload.ColAllocatedProcessors | 1<<workload.ColRequestedProcessors | 1<<workload.ColRequestedTime

// isFloat reports of each field whether it is a float64, and unknown has the bits of what is
// unknown in it; field f, counted from 0, is column f of the job table.
var isFloat, unknown = func() (isFloat [parse.Fields]bool, unknown [parse.Fields]uint64) {
	for f := range isFloat {
		isFloat[f], unknown[f] = workload.ColumnAt(f).Float(), workload.UnknownBits(f)
	}
	return isFloat, unknown
}()

// chunk is what became of a chunk of text.
type chunk struct {
	jobs  *workload.Batch
	lines int64
	gaps  []workload.LineGap
	odd   workload.Warnings
	low   uint32 // a bit for each field with a value below 0, or a 0 that is odd

	// All values lie in one piece of memory, column after column, as the bits of a float64 or
	// an int64.
	values  []uint64
	stride  int // rows that a column has room for
	row     int // jobs finished
	unknown [parse.Fields]int
}

func newChunk(rows int) *chunk {
	return &chunk{stride: rows, values: make([]uint64, rows*parse.Fields)}
}

// finish makes a batch of the values, and counts what is odd in them.
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

// gap notes a line without a job before the row.
func (c *chunk) gap(row int) {
	if n := len(c.gaps); n > 0 && c.gaps[n-1].Row == row {
		c.gaps[n-1].Lines++
	} else {
		c.gaps = append(c.gaps, workload.LineGap{Row: row, Lines: 1})
	}
}

// lineOf is the line, from 1, of a row within the chunk.
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
