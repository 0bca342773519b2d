package workload

import (
	"bytes"
	"unicode/utf8"
)

// gwfBatch is what became of one chunk of text. Its texts have numbers of
// their own until finish gives them the log's.
type gwfBatch struct {
	swfBatch
	cols       *swfColumns // until finish makes a record of them
	texts      [gwfPartition - gwfUser + 1]gwfTexts
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
func (b *gwfBatch) finish(names *gwfNames, row, line int64) {
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
		numbers, complete := names.number(col, b.texts[i].list)
		values := cols.values[cols.stride*col:][:b.rows]
		for at, v := range values {
			values[at] = numbers[v]
		}
		if !complete {
			b.leaveOut(cols, col, names, line)
		}
	}
	b.rec = cols.record(b.rows)
}

// leaveOut makes unknown what has no number.
func (b *gwfBatch) leaveOut(cols *swfColumns, col int, names *gwfNames, line int64) {
	if cols.nulls[col] == nil {
		cols.nulls[col] = make([]uint64, cols.stride/64)
	}
	nulls := cols.nulls[col]
	for at, v := range cols.values[cols.stride*col:][:b.rows] {
		if v == gwfNoNumber {
			cols.values[cols.stride*col+at] = 0
			nulls[at/64] |= 1 << (at % 64)
			cols.counts[col]++
			names.leftOut(col, line+b.lineOf(at))
		}
	}
}

// gwfTexts numbers the texts of one column of one chunk from 1, in the order
// in which they appear; 0 is for unknown.
type gwfTexts struct {
	numbers map[string]uint64
	list    []string
	last    []byte // jobs of one user or site stand together
	at      uint64
}

// index returns the text's number, and false for what is no UTF-8. The text
// has to stay as it is while the chunk is parsed.
func (t *gwfTexts) index(tok []byte) (uint64, bool) {
	if bytes.Equal(tok, t.last) {
		return t.at, true
	}
	n, ok := t.numbers[string(tok)]
	if !ok {
		if t.numbers == nil {
			t.numbers = map[string]uint64{}
		}
		if !utf8.Valid(tok) {
			return 0, false // a header would hold it as something else
		}
		text := string(tok)
		t.list = append(t.list, text)
		n = uint64(len(t.list))
		t.numbers[text] = n
	}
	t.last, t.at = tok, n
	return n, true
}
