package workload

// gwfBatch is what became of one chunk of text. Its texts have numbers of
// their own until finish gives them the log's.
type gwfBatch struct {
	swfBatch
	cols       *swfColumns // until finish makes a record of them
	texts      [gwfPartition - gwfUser + 1]chunkTexts
	unnumbered []int // rows whose job has a text for its number
	waits      gwfWaits
	more       gwfWarnings
}

func (b *gwfBatch) release() {
	if b.cols != nil {
		b.cols.drop()
		b.cols = nil
	}
	b.swfBatch.release()
}

// finish makes the record. row and line are how many stand before the batch.
func (b *gwfBatch) finish(names *logNames, row, line int64) {
	cols := b.cols
	b.cols = nil
	if b.rows == 0 {
		cols.drop()
		return
	}
	for _, at := range b.unnumbered {
		cols.values[cols.stride*ColJobID+at] = uint64(row + int64(at) + 1)
	}
	for i := range b.texts {
		col := gwfUser + i
		numbers, complete := names.numberAll(col, &b.texts[i])
		values := cols.values[cols.stride*col:][:b.rows]
		for at, v := range values {
			if v != 0 {
				values[at] = uint64(numbers[v])
			}
		}
		if !complete {
			b.leaveOut(cols, col, names, line)
		}
	}
	b.rec = cols.record(b.rows)
}

// leaveOut makes unknown what has no number.
func (b *gwfBatch) leaveOut(cols *swfColumns, col int, names *logNames, line int64) {
	if cols.nulls[col] == nil {
		cols.nulls[col] = make([]uint64, cols.stride/64)
	}
	nulls := cols.nulls[col]
	for at, v := range cols.values[cols.stride*col:][:b.rows] {
		if int64(v) == Unknown {
			cols.values[cols.stride*col+at] = 0
			nulls[at/64] |= 1 << (at % 64)
			cols.counts[col]++
			names.leftOut(col, line+b.lineOf(at))
		}
	}
}
