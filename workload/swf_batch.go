package workload

import (
	"math/bits"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// swfFields is the number of fields of a line; field f, counted from 0, is
// column f of the schema.
const swfFields = 18

// swfBatch is what became of one chunk of text.
type swfBatch struct {
	rec      arrow.Record // nil where there is no row
	rows     int
	lines    int64
	gaps     []LineGap
	warnings swfWarnings
}

func (b *swfBatch) release() {
	if b.rec != nil {
		b.rec.Release()
		b.rec = nil
	}
}

// countBackSteps counts the jobs submitted before the one above them, as far
// as both times are known. last is the last submission above this batch, then
// the last in it.
func (b *swfBatch) countBackSteps(last *float64) {
	if b.rec == nil {
		return
	}
	col := b.rec.Column(ColSubmitTime).(*array.Float64)
	known := col.NullN() == 0
	above := *last
	for row, submit := range col.Float64Values() {
		if !known && col.IsNull(row) {
			continue
		}
		if submit < above && b.warnings.count(swfBackStep) {
			b.warnings.note(swfBackStep, b.lineOf(row), formatNumber(submit)+" s after "+formatNumber(above)+" s")
		}
		above = submit
	}
	*last = above
}

// lineOf is the line, from 1, of a row within the chunk.
func (b *swfBatch) lineOf(row int) int64 {
	line := row + 1
	for _, g := range b.gaps {
		if g.Row > row {
			break
		}
		line += g.Lines
	}
	return int64(line)
}

// swfColumns are the columns of a batch as they are filled. All values lie in
// one piece of memory, column after column, as the bits of a float64 or an
// int64; those of nulls are zero.
type swfColumns struct {
	mem    memory.Allocator
	slab   *memory.Buffer
	values []uint64
	stride int // rows that a column has room for, a multiple of 64

	// Bit f of blanks[i] says that field f is null in row i of the present
	// block of 64 rows: 18 fields a row are noted at the price of one.
	blanks [64]uint32
	nulls  [swfFields][]uint64 // by column, the finished blocks; nil: none is null
	counts [swfFields]int
}

func newSWFColumns(mem memory.Allocator, rows int) *swfColumns {
	c := &swfColumns{mem: mem, stride: (rows + 63) &^ 63}
	c.slab = memory.NewResizableBuffer(mem)
	c.slab.Resize(c.stride * 8 * (swfFields + 1))
	c.values = arrow.Uint64Traits.CastFromBytes(c.slab.Bytes())
	clear(c.values[c.stride*swfFields:]) // an allocator need not
	return c
}

// endBlock notes the nulls of the block of rows that begins at row.
func (c *swfColumns) endBlock(row, rows int) {
	any := uint32(0)
	all := ^uint32(0)
	for _, b := range c.blanks[:rows] {
		any |= b
		all &= b
	}
	for ; any != 0; any &= any - 1 {
		f := bits.TrailingZeros32(any)
		word := uint64(0)
		if all>>f&1 != 0 {
			word = ^uint64(0) >> (64 - rows)
		} else {
			for i, b := range c.blanks[:rows] {
				word |= uint64(b>>f&1) << i
			}
		}
		if c.nulls[f] == nil {
			c.nulls[f] = make([]uint64, c.stride/64)
		}
		c.nulls[f][row/64] = word
		c.counts[f] += bits.OnesCount64(word)
	}
}

// record turns the first rows into a record, and leaves nothing behind.
func (c *swfColumns) record(rows int) arrow.Record {
	defer c.slab.Release()
	arrays := make([]arrow.Array, NumColumns)
	for f := range swfFields {
		values := memory.SliceBuffer(c.slab, f*c.stride*8, rows*8)
		var valid *memory.Buffer
		if c.counts[f] > 0 {
			valid = memory.NewResizableBuffer(c.mem)
			valid.Resize((rows + 7) / 8)
			setValid(valid.Bytes(), c.nulls[f])
		}
		arrays[f] = newColumn(f, rows, c.counts[f], valid, values)
	}
	// The columns that the format has not are null throughout: the last part
	// of the slab serves as their values.
	none := memory.NewResizableBuffer(c.mem)
	none.Resize((rows + 7) / 8)
	clear(none.Bytes())
	for f := swfFields; f < NumColumns; f++ {
		none.Retain()
		arrays[f] = newColumn(f, rows, rows, none, memory.SliceBuffer(c.slab, swfFields*c.stride*8, rows*8))
	}
	none.Release()
	rec := array.NewRecord(Schema(), arrays, int64(rows))
	for _, a := range arrays {
		a.Release()
	}
	return rec
}

// drop frees the columns without making a record.
func (c *swfColumns) drop() { c.slab.Release() }

// setValid writes the complement of a bitmap of nulls.
func setValid(valid []byte, nulls []uint64) {
	for i := range valid {
		valid[i] = ^byte(nulls[i/8] >> (i % 8 * 8))
	}
}

// newColumn makes an array of buffers that it takes over.
func newColumn(col, rows, nulls int, valid, values *memory.Buffer) arrow.Array {
	data := array.NewData(Schema().Field(col).Type, rows, []*memory.Buffer{valid, values}, nil, nulls, 0)
	defer data.Release()
	if valid != nil {
		valid.Release()
	}
	values.Release()
	if ColumnAt(col).Float() {
		return array.NewFloat64Data(data)
	}
	return array.NewInt64Data(data)
}
