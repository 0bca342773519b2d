package parse

import (
	"math/bits"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Batch is what became of one chunk of text.
type Batch struct {
	Rec      arrow.Record // nil where there is no row
	Rows     int
	Lines    int64
	Gaps     []workload.LineGap
	Warnings oddities
}

// Release frees the record, if there is one. It may be called twice.
func (b *Batch) Release() {
	if b.Rec != nil {
		b.Rec.Release()
		b.Rec = nil
	}
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
	if b.Rec == nil {
		return
	}
	col := b.Rec.Column(workload.ColSubmitTime).(*array.Float64)
	known := col.NullN() == 0
	above := *last
	for row, submit := range col.Float64Values() {
		if !known && col.IsNull(row) {
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
// int64; those of nulls are zero.
type Columns struct {
	mem    memory.Allocator
	slab   *memory.Buffer
	Values []uint64
	Stride int // rows that a column has room for, a multiple of 64

	// Bit f of blanks[i] says that field f is null in row i of the present
	// block of 64 rows: 18 fields a row are noted at the price of one.
	Blanks [64]uint32
	Nulls  [Fields][]uint64 // by column, the finished blocks; nil: none is null
	Counts [Fields]int
}

// NewColumns returns columns with room for so many rows. Record or Drop frees
// what they hold.
func NewColumns(mem memory.Allocator, rows int) *Columns {
	c := &Columns{mem: mem, Stride: (rows + 63) &^ 63}
	c.slab = memory.NewResizableBuffer(mem)
	c.slab.Resize(c.Stride * 8 * Fields)
	c.Values = arrow.Uint64Traits.CastFromBytes(c.slab.Bytes())
	return c
}

// EndBlock notes the nulls of the block of rows that begins at row.
func (c *Columns) EndBlock(row, rows int) {
	any := uint32(0)
	all := ^uint32(0)
	for _, b := range c.Blanks[:rows] {
		any |= b
		all &= b
	}
	for ; any != 0; any &= any - 1 {
		f := bits.TrailingZeros32(any)
		word := uint64(0)
		if all>>f&1 != 0 {
			word = ^uint64(0) >> (64 - rows)
		} else {
			for i, b := range c.Blanks[:rows] {
				word |= uint64(b>>f&1) << i
			}
		}
		if c.Nulls[f] == nil {
			c.Nulls[f] = make([]uint64, c.Stride/64)
		}
		c.Nulls[f][row/64] = word
		c.Counts[f] += bits.OnesCount64(word)
	}
}

// Record turns the first rows into a record, and leaves nothing behind.
func (c *Columns) Record(rows int) arrow.Record {
	defer c.slab.Release()
	arrays := make([]arrow.Array, workload.NumColumns)
	for f := range Fields {
		values := memory.SliceBuffer(c.slab, f*c.Stride*8, rows*8)
		var valid *memory.Buffer
		if c.Counts[f] > 0 {
			valid = memory.NewResizableBuffer(c.mem)
			valid.Resize((rows + 7) / 8)
			setValid(valid.Bytes(), c.Nulls[f])
		}
		arrays[f] = newColumn(f, rows, c.Counts[f], valid, values)
	}
	for f := Fields; f < workload.NumColumns; f++ {
		arrays[f] = workload.NullColumn(f, rows)
	}
	rec := array.NewRecord(workload.Schema(), arrays, int64(rows))
	for _, a := range arrays {
		a.Release()
	}
	return rec
}

// Drop frees the columns without making a record.
func (c *Columns) Drop() { c.slab.Release() }

// setValid writes the complement of a bitmap of nulls.
func setValid(valid []byte, nulls []uint64) {
	for i := range valid {
		valid[i] = ^byte(nulls[i/8] >> (i % 8 * 8))
	}
}

// newColumn makes an array of buffers that it takes over.
func newColumn(col, rows, nulls int, valid, values *memory.Buffer) arrow.Array {
	data := array.NewData(workload.Schema().Field(col).Type, rows, []*memory.Buffer{valid, values}, nil, nulls, 0)
	defer data.Release()
	if valid != nil {
		valid.Release()
	}
	values.Release()
	if workload.ColumnAt(col).Float() {
		return array.NewFloat64Data(data)
	}
	return array.NewInt64Data(data)
}
