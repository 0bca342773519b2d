package workload

// rowLines turns rows of one batch into lines of the text that they came from.
// Most texts have a job in every line from the first on, so that only the
// lines without one are kept.
type rowLines struct {
	row  int64    // rows before the batch
	line int64    // lines before it
	gaps []swfGap // within the batch, in the order of rows

	next, passed int // gaps before the row asked for last, and their lines
}

// Line is the line, from 1, of a row of the batch that was yielded last, rows
// counted over the whole log from 0; it is 0 where the format has no lines.
// Rows are best asked for in their order: going back costs a search.
func (l *Log) Line(row int64) int64 {
	if l.lines == nil {
		return 0
	}
	return l.lines.of(row)
}

func (r *rowLines) of(row int64) int64 {
	at := int(row - r.row)
	if r.next > 0 && r.gaps[r.next-1].row > at {
		r.next, r.passed = 0, 0
	}
	for r.next < len(r.gaps) && r.gaps[r.next].row <= at {
		r.passed += r.gaps[r.next].lines
		r.next++
	}
	return r.line + int64(at+r.passed) + 1
}
