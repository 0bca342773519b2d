package gwf

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// gwfBatch is what became of one chunk of text. Its texts have numbers of
// their own until finish gives them the log's.
type gwfBatch struct {
	parse.Batch
	cols       *parse.Columns // until finish makes a record of them
	texts      [gwfPartition - gwfUser + 1]parse.Texts
	unnumbered []int // rows whose job has a text for its number
	waits      gwfWaits
	more       gwfWarnings
}

func (b *gwfBatch) Release() {
	if b.cols != nil {
		b.cols.Drop()
		b.cols = nil
	}
	b.Batch.Release()
}

// Finish makes the record. row and line are how many stand before the batch.
func (b *gwfBatch) Finish(names *parse.Names, row, line int64) {
	cols := b.cols
	b.cols = nil
	if b.Rows == 0 {
		cols.Drop()
		return
	}
	for _, at := range b.unnumbered {
		cols.Values[cols.Stride*workload.ColJobID+at] = uint64(row + int64(at) + 1)
	}
	for i := range b.texts {
		col := gwfUser + i
		numbers, complete := names.NumberAll(col, &b.texts[i])
		values := cols.Values[cols.Stride*col:][:b.Rows]
		for at, v := range values {
			if v != 0 {
				values[at] = uint64(numbers[v])
			}
		}
		if !complete {
			b.leaveOut(cols, col, names, line)
		}
	}
	b.Rec = cols.Record(b.Rows)
}

// leaveOut makes unknown what has no number.
func (b *gwfBatch) leaveOut(cols *parse.Columns, col int, names *parse.Names, line int64) {
	if cols.Nulls[col] == nil {
		cols.Nulls[col] = make([]uint64, cols.Stride/64)
	}
	nulls := cols.Nulls[col]
	for at, v := range cols.Values[cols.Stride*col:][:b.Rows] {
		if int64(v) == workload.Unknown {
			cols.Values[cols.Stride*col+at] = 0
			nulls[at/64] |= 1 << (at % 64)
			cols.Counts[col]++
			names.LeftOut(col, line+b.LineOf(at))
		}
	}
}
