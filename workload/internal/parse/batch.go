package parse

import (
	"math/bits"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Batch is what became of one chunk of text.
type Batch struct {
	Jobs     *workload.Batch // nil where there is no row
	Rows     int
	Lines    int64
	Gaps     []workload.LineGap
	Warnings oddities
}

func (b *Batch) batch() *Batch { return b }

// Gap notes a line without a job before the row.
func (b *Batch) Gap(row int) {
	if n := len(b.Gaps); n > 0 && b.Gaps[n-1].Row == row {
		b.Gaps[n-1].Lines++
	} else {
		b.Gaps = append(b.Gaps, workload.LineGap{Row: row, Lines: 1})
	}
}

// countBackSteps counts the jobs submitted before the one above them, as far
// as both times are known. last is the last submission above this batch, then
// the last in it.
func (b *Batch) countBackSteps(last *float64) {
	if b.Jobs == nil {
		return
	}
	above := *last
	for row, submit := range b.Jobs.Floats[workload.ColSubmitTime] {
		if submit != submit {
			continue
		}
		if submit < above && b.Warnings.Count(ruleBackStep) {
			b.Warnings.Note(ruleBackStep, b.LineOf(row), FormatNumber(submit)+" s after "+FormatNumber(above)+" s")
		}
		above = submit
	}
	*last = above
}

// LineOf is the line, from 1, of a row within the chunk.
func (b *Batch) LineOf(row int) int64 {
	line := row + 1
	for _, g := range b.Gaps {
		if g.Row > row {
			break
		}
		line += g.Lines
	}
	return int64(line)
}

// Columns are the columns of a batch as they are filled. All values lie in
// one piece of memory, column after column, as the bits of a float64 or an
// int64.
type Columns struct {
	Values []uint64
	Stride int // rows that a column has room for, a multiple of 64

	// Bit f of Blanks[i] says that field f is unknown in row i of the present
	// block of 64 rows: 18 fields a row are noted at the price of one.
	Blanks [64]uint32
	counts [Fields]int // of unknown values
}

// NewColumns returns columns with room for so many rows.
func NewColumns(rows int) *Columns {
	stride := (rows + 63) &^ 63
	return &Columns{Stride: stride, Values: make([]uint64, stride*Fields)}
}

// EndBlock enters what is unknown in the block of rows that begins at row.
func (c *Columns) EndBlock(row, rows int) {
	any := uint32(0)
	for _, b := range c.Blanks[:rows] {
		any |= b
	}
	for ; any != 0; any &= any - 1 {
		f := bits.TrailingZeros32(any)
		values, unknown := c.Values[f*c.Stride+row:][:rows], workload.UnknownBits(f)
		for i, b := range c.Blanks[:rows] {
			if b>>f&1 != 0 {
				values[i] = unknown
				c.counts[f]++
			}
		}
	}
}

// Batch returns the first rows as a batch, which takes over the memory.
func (c *Columns) Batch(rows int) *workload.Batch {
	b := &workload.Batch{Rows: rows}
	for f := range Fields {
		if c.counts[f] < rows {
			b.SetBits(f, c.Values[f*c.Stride:][:rows:rows])
		}
	}
	return b
}
