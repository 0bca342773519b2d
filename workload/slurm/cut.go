package slurm

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// cutter finds the columns of a record that has a separator inside a text. A separator in
// quotes, as a program that writes CSV puts them, or in a list whose items commas separate
// does not count. Slurm does not escape a bar inside a job's name or command line, but
// most columns show what they are: a time, a state, a count. Where a record has more
// separators than it should, the cutter looks for the cheapest way to give every column one piece
// between them, and the columns of text the pieces left over, such that every piece looks like
// one of its column. It costs something to give a text more than its piece (see column.bars) and
// to leave a column blank that shows what it is. It is dynamic programming over columns and
// pieces left over so far.
type cutter struct {
	layout *layout
	cuts   []int32 // less the separator's length, then the ends of the pieces of the record cut last
	from   []int   // of each column, the first piece; then the number of pieces
}

const (
	// maxExtraBars is how many more bars than columns a record may have and still
	// be taken apart.
	maxExtraBars = 200

	noWay = 1 << 29
	// aBlank is more than any text costs: it is likelier that one more of them
	// has bars than that a value between two of them is part of a text.
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

// split cuts a record at every separator. It looks for its first byte in eight bytes of text
// at once: those of x that are zero are that byte.
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
		// The top bit of each byte that is zero, without carries between them.
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

// piece is what the record that was cut last has from piece first up to piece end.
func (c *cutter) piece(record []byte, first, end int) []byte {
	return record[int(c.cuts[first])+len(c.layout.between) : c.cuts[end]]
}

// join takes out the separators that are inside a piece.
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

// continuesTRES reports whether what follows is the next item of a list of resources, such as
// "cpu=8,mem=24G": of a name that the list does not have.
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

// value returns what a piece stands for: without the blanks that squeue pads it with, and
// without the quotes of CSV.
func (l *layout) value(v []byte) []byte {
	if l.bare {
		return v
	}
	if v = bytes.TrimSpace(v); l.queue || len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return v
	}
	return bytes.ReplaceAll(v[1:len(v)-1], []byte(`""`), []byte(`"`))
}

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

// mayEnd reports whether a record with a piece for each column ends with this piece: behind the
// separator that ends every record of sacct -p is nothing.
func (c *column) mayEnd(piece []byte) bool { return c.shape != nothing || len(piece) == 0 }

// align finds the first piece of each column (see from) of a record that has at least as many pieces
// as there are columns, and reports whether there is a way. Of ways as cheap the one counts that
// gives the pieces left over to texts further left.
func (c *cutter) align(record []byte) bool {
	pieces, n := len(c.cuts)-1, len(c.layout.columns)
	width := pieces - n + 1
	if width < 1 || width > maxExtraBars+1 {
		return false
	}
	costs := make([][]int32, n+1) // of the columns before, by how many pieces they took more
	for i := range costs {
		costs[i] = slices.Repeat([]int32{noWay}, width)
	}
	costs[0][0] = 0
	for i := range n {
		column := &c.layout.columns[i]
		best := int32(noWay) // of the ways in which this column takes a piece more
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
	// Back through the table. Where there is a choice, a column takes one piece.
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
