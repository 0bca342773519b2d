package slurm

// maxExtraBars is how many more bars than columns a record may have and still
// be taken apart.
const maxExtraBars = 200

// aligner finds the columns of a record that has more bars than it
// should. Slurm does not escape a bar inside a job's name or command line, but
// most columns show what they are: a time, a state, a count. It looks for the
// cheapest way to give every column one piece between bars, and the columns of
// text the pieces left over, such that every piece looks like one of its
// column. It costs something to give a text more than its piece (see
// column.bars) and to leave a column blank that shows what it is. It is
// dynamic programming over columns and pieces left over so far.
type aligner struct {
	columns []column
	cost    []int32 // by column and extra pieces so far
	from    []int   // of each column, the first piece; then the number of pieces
}

const (
	noWay = 1 << 29
	// aBlank is more than any text costs: it is likelier that one more of them
	// has bars than that a value between two of them is part of a text.
	aBlank = barsRarely + 1
)

// take is what it costs to take a piece for the column, noWay if it does not fit. Texts that
// moved all columns by one would leave many of them blank.
func (c *column) take(piece []byte) int32 {
	switch {
	case len(piece) == 0 && c.bars == 0:
		return c.shape.blank
	case len(piece) == 0 || c.shape.fits(piece):
		return 0
	}
	return noWay
}

// align returns, for each column, its first piece, and behind them the number of pieces: a
// column's pieces end before the next column's first. piece(i) is piece i of count. Of ways as cheap the one counts that
// gives the pieces left over to texts further left.
func (a *aligner) align(count int, piece func(int) []byte) (from []int, ok bool) {
	extra := count - len(a.columns)
	if extra < 0 || extra > maxExtraBars {
		return nil, false
	}
	width := extra + 1
	n := len(a.columns)
	if need := (n + 1) * width; cap(a.cost) < need {
		a.cost = make([]int32, need)
	}
	a.cost = a.cost[:(n+1)*width]
	for e := range width {
		a.cost[e] = noWay
	}
	a.cost[0] = 0
	for i, c := range a.columns {
		above, row := a.cost[i*width:(i+1)*width], a.cost[(i+1)*width:(i+2)*width]
		best := int32(noWay) // of the ways in which this column takes a piece more
		found := false
		for e := range width {
			row[e] = noWay
			if above[e] < noWay {
				row[e] = min(noWay, above[e]+c.take(piece(i+e)))
			}
			if c.bars > 0 {
				row[e] = min(row[e], best)
				best = min(best, above[e]+int32(c.bars))
			}
			found = found || row[e] < noWay
		}
		if !found {
			return nil, false
		}
	}
	if a.cost[n*width+extra] >= noWay {
		return nil, false
	}
	a.walk(width, piece)
	return a.from, true
}

// walk goes back through the table. Where there is a choice, a column takes one piece.
func (a *aligner) walk(width int, piece func(int) []byte) {
	n, e := len(a.columns), width-1
	a.from = append(append(a.from[:0], make([]int, n)...), n+e)
	for i := n - 1; i >= 0; i-- {
		c := a.columns[i]
		above, cost := a.cost[i*width:(i+1)*width], a.cost[(i+1)*width+e]
		if above[e]+c.take(piece(i+e)) != cost {
			for e--; above[e]+int32(c.bars) != cost; e-- {
			}
		}
		a.from[i] = i + e
	}
}
