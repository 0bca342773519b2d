package workload

// RowLines maps rows of a batch to lines of the text. In most texts every line from the
// first job on has a job, so only the lines without one are stored.
type RowLines struct {
	Row  int64     // rows before the batch
	Line int64     // lines before it
	Gaps []LineGap // within the batch, in the order of rows

	next, passed int // gaps before the row asked for last, and their lines
}

// LineGap says that from Row on, Lines more lines without a job come before the row.
type LineGap struct{ Row, Lines int }

// Line returns the line, from 1, of a row of the batch that was yielded last, rows
// counted over the whole log from 0; it is 0 where the format has no lines.
// Rows are best asked for in their order: going back costs a search.
func (l *Log) Line(row int64) int64 {
	if l.from.Lines == nil {
		return 0
	}
	return l.from.Lines.Of(row)
}

// Of returns the line, from 1, of a row, counted over the whole log from 0.
func (r *RowLines) Of(row int64) int64 {
	at := int(row - r.Row)
	if r.next > 0 && r.Gaps[r.next-1].Row > at {
		r.next, r.passed = 0, 0
	}
	for r.next < len(r.Gaps) && r.Gaps[r.next].Row <= at {
		r.passed += r.Gaps[r.next].Lines
		r.next++
	}
	return r.Line + int64(at+r.passed) + 1
}
