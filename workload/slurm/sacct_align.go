package slurm

// maxExtraBars is how many more bars than columns a record may have and still
// be taken apart.
const maxExtraBars = 200

// sacctAligner finds the columns of a record that has more bars than it
// should. Slurm does not escape a bar inside a job's name or command line, but
// most columns show what they are: a time, a state, a count. It looks for the
// cheapest way to give every column one piece between bars, and the columns of
// text the pieces left over, such that every piece looks like one of its
// column. It costs something to give a text more than its piece (see
// sacctColumn.bars) and to leave a column blank that shows what it is. It is
// dynamic programming over columns and pieces left over so far.
type sacctAligner struct {
	columns []sacctColumn
	cost    []int32 // by column and extra pieces so far
	from    []int   // of each column, the first piece of the leftmost solution
	other   []int   // and of the rightmost
}

const (
	noWay = 1 << 29
	// aBlank is more than any text costs: it is likelier that one more of them
	// has bars than that a value between two of them is part of a text.
	aBlank = barsRarely + 1
)

// blank is what it costs to take a piece for one of the column, beyond that it
// fits: texts that moved all columns by one would leave many of them blank.
func (c *sacctColumn) blank(piece []byte) int32 {
	switch {
	case len(piece) > 0 || c.bars > 0 || c.shape == shapeWord:
		return 0
	case c.shape == shapeTime || c.shape == shapeState:
		return 2 * aBlank
	}
	return aBlank
}

// align returns, for each column, its first piece; pieces end before the next
// column's first. piece(i) is piece i of count. unique is false where another
// way, as cheap, gives a column that the reader takes another value.
func (a *sacctAligner) align(count int, piece func(int) []byte) (from []int, unique, ok bool) {
	extra := count - len(a.columns)
	if extra < 0 || extra > maxExtraBars {
		return nil, false, false
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
			if above[e] < noWay && c.shape.fits(piece(i+e)) {
				row[e] = above[e] + c.blank(piece(i+e))
			}
			if c.bars > 0 {
				row[e] = min(row[e], best)
				best = min(best, above[e]+int32(c.bars))
			}
			found = found || row[e] < noWay
		}
		if !found {
			return nil, false, false
		}
	}
	if a.cost[n*width+extra] >= noWay {
		return nil, false, false
	}
	a.from, a.other = a.walk(a.from, width, true, piece), a.walk(a.other, width, false, piece)
	unique = true
	for i, c := range a.columns {
		if c.field != sacctUnused && (a.from[i] != a.other[i] || a.end(a.from, i, count) != a.end(a.other, i, count)) {
			unique = false
		}
	}
	return a.from, unique, true
}

func (a *sacctAligner) end(from []int, i, count int) int {
	if i+1 < len(from) {
		return from[i+1]
	}
	return count
}

// walk goes back through the table. Where there is a choice, pieces left over
// go to the column that is leftmost, or rightmost.
func (a *sacctAligner) walk(from []int, width int, leftmost bool, piece func(int) []byte) []int {
	n := len(a.columns)
	from = append(from[:0], make([]int, n)...)
	e := width - 1
	for i := n - 1; i >= 0; i-- {
		c := a.columns[i]
		above, cost := a.cost[i*width:(i+1)*width], a.cost[(i+1)*width+e]
		// Going backwards, who keeps pieces for columns further left takes none
		// here if that is as cheap.
		best := -1
		if above[e] < noWay && above[e]+c.blank(piece(i+e)) == cost && c.shape.fits(piece(i+e)) {
			best = e
		}
		if c.bars > 0 && (best < 0 || !leftmost) {
			for b := e - 1; b >= 0; b-- {
				if above[b] < noWay && above[b]+int32(c.bars) == cost {
					best = b
					if leftmost {
						break
					}
				}
			}
		}
		e = best
		from[i] = i + e
	}
	return from
}
