package slurm

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// cutter finds the columns of a record that has a separator inside a text. It ignores a
// separator in quotes, as written by programs that write CSV, or in a list whose items are
// separated by commas. Slurm does not escape a bar inside a job's name or command line, but most
// columns have a recognisable form: a time, a state, a count. If a record has too many
// separators, the cutter looks for the cheapest way to give every column one of the pieces
// between them, and the surplus pieces to columns of text, such that every piece fits its
// column. It costs something to give a text more than one piece (see column.bars) and to leave a
// column blank that has a recognisable form. The method is dynamic programming over columns and
// the number of surplus pieces used so far.
type cutter struct {
	layout *layout
	cuts   []int32 // minus the separator's length, then the end of each piece of the record cut last
	from   []int   // index of each column's first piece, then the number of pieces
}

const (
	// maxExtraBars is the maximum number of surplus separators in a record.
	maxExtraBars = 200

	// noWay is the cost of a piece that does not fit its column.
	noWay = 1 << 29
	// aBlank is the cost of a blank in a column with a recognisable form. It is more than the
	// cost of any text: it is likelier that one more text has separators than that a value
	// between two texts is part of one.
	aBlank = barsRarely + 1
)

// cut finds the separators of a record and returns the number of pieces between them.
func (c *cutter) cut(record []byte) int {
	l := c.layout
	n := c.split(record)
	if quoted := bytes.IndexByte(record, '"') >= 0; l.between != "|" && (n > len(l.columns) || quoted) {
		c.join(record)
		if open := bytes.Count(record, []byte{'"'})%2 != 0; open && len(c.cuts) <= n && n == len(l.columns) {
			c.split(record) // the quote is part of a name
		}
	}
	return len(c.cuts) - 1
}

// split cuts a record at every separator. It searches eight bytes at a time for the separator's
// first byte: the XOR sets the matching bytes of x to zero.
func (c *cutter) split(record []byte) (pieces int) {
	const ones = 0x0101010101010101
	between, begin := c.layout.between, 0
	cuts := append(c.cuts[:0], -int32(len(between)))
	first := uint64(between[0]) * ones
	for i := 0; i < len(record); i += 8 {
		var eight [8]byte
		x := first
		if i+8 <= len(record) {
			x ^= binary.LittleEndian.Uint64(record[i:])
		} else {
			copy(eight[:], record[i:])
			x ^= binary.LittleEndian.Uint64(eight[:])
		}
		// Set the top bit of each byte that is zero, without carries between bytes.
		for zero := ^((x&^(ones<<7) + 0x7f*ones) | x | 0x7f*ones); zero != 0; zero &= zero - 1 {
			at := i + bits.TrailingZeros64(zero)/8
			if end := at + len(between); at >= begin && end <= len(record) && string(record[at:end]) == between {
				cuts = append(cuts, int32(at))
				begin = end
			}
		}
	}
	c.cuts = append(cuts, int32(len(record)))
	return len(cuts)
}

// piece returns the part of the record cut last from piece first up to, but not including, piece
// end.
func (c *cutter) piece(record []byte, first, end int) []byte {
	return record[int(c.cuts[first])+len(c.layout.between) : c.cuts[end]]
}

// join removes the cuts at separators that are inside a value.
func (c *cutter) join(record []byte) {
	kept := c.cuts[:1]
	for i, end := range c.cuts[1:] {
		if i+2 < len(c.cuts) {
			piece, next := record[int(kept[len(kept)-1])+len(c.layout.between):end], c.piece(record, i+1, i+2)
			if opensQuote(piece) || c.layout.between == "," && (opensBracket(piece) || continuesTRES(piece, next)) {
				continue
			}
		}
		kept = append(kept, end)
	}
	c.cuts = kept
}

// opensQuote reports whether a piece begins with a quote that it does not close.
func opensQuote(piece []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(piece, " "), []byte{'"'}) && bytes.Count(piece, []byte{'"'})%2 != 0
}

// opensBracket reports whether a piece ends within the brackets of a list of numbers, such as
// "n[1-3,7]".
func opensBracket(piece []byte) bool {
	before := bytes.TrimRight(piece, "0123456789,-%:.")
	return len(before) < len(piece) && bytes.HasSuffix(before, []byte{'['})
}

// continuesTRES reports whether next is another item of a list of resources, such as
// "cpu=8,mem=24G": one with a name that is not in the list.
func continuesTRES(list, next []byte) bool {
	name, _, ok := bytes.Cut(next, []byte{'='})
	if !ok || len(name) == 0 || bytes.IndexByte(list, '=') <= 0 || bytes.IndexByte(next, ' ') >= 0 {
		return false
	}
	for item := range bytes.SplitSeq(list, []byte{','}) {
		of, _, ok := bytes.Cut(item, []byte{'='})
		if !ok || bytes.Equal(of, name) {
			return false
		}
	}
	return true
}

// value returns the value in a piece: without the blanks with which squeue pads it, and without
// the quotes of CSV.
func (l *layout) value(v []byte) []byte {
	if l.bare {
		return v
	}
	if v = bytes.TrimSpace(v); l.queue || len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return v
	}
	return bytes.ReplaceAll(v[1:len(v)-1], []byte(`""`), []byte(`"`))
}

// take returns the cost of taking a piece for the column, noWay if it does not fit. Blanks have
// a cost because columns shifted by one would often be blank.
func (c *column) take(piece []byte) int32 {
	switch {
	case len(piece) == 0 && c.bars == 0:
		return c.shape.blank
	case len(piece) == 0 || c.shape.fits(piece):
		return 0
	}
	return noWay
}

// mayEnd reports whether a record with one piece for each column can end with this piece: sacct
// -p ends each record with a separator, and nothing may follow it.
func (c *column) mayEnd(piece []byte) bool { return c.shape != nothing || len(piece) == 0 }

// align finds the first piece of each column (see from) of a record that has at least as many
// pieces as there are columns, and reports whether there is a way. Among equally cheap ways it
// chooses the one that gives the surplus pieces to columns further left.
func (c *cutter) align(record []byte) bool {
	pieces, n := len(c.cuts)-1, len(c.layout.columns)
	width := pieces - n + 1
	if width < 1 || width > maxExtraBars+1 {
		return false
	}
	costs := make([][]int32, n+1) // cheapest way for the first i columns, by their surplus pieces
	for i := range costs {
		costs[i] = slices.Repeat([]int32{noWay}, width)
	}
	costs[0][0] = 0
	for i := range n {
		column := &c.layout.columns[i]
		best := int32(noWay) // cheapest way in which this column takes surplus pieces
		for e, above := range costs[i] {
			cost := min(best, noWay)
			if above < noWay {
				cost = min(cost, above+column.take(c.layout.value(c.piece(record, i+e, i+e+1))))
			}
			if costs[i+1][e] = cost; column.bars > 0 {
				best = min(best, above+column.bars)
			}
		}
		if slices.Min(costs[i+1]) >= noWay {
			return false
		}
	}
	if costs[n][width-1] >= noWay {
		return false
	}
	// Trace the way back through the table. Given a choice, a column takes one piece.
	c.from = append(append(c.from[:0], make([]int, n)...), pieces)
	for i, e := n-1, width-1; i >= 0; i-- {
		column, above, cost := &c.layout.columns[i], costs[i], costs[i+1][e]
		if above[e]+column.take(c.layout.value(c.piece(record, i+e, i+e+1))) != cost {
			for e--; above[e]+column.bars != cost; e-- {
			}
		}
		c.from[i] = i + e
	}
	return true
}
