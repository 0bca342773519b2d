package slurm

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// cut finds the bars of a record, or what else is between its columns, and returns the
// number of pieces, 0 where the bar is missing that ends every record of sacct -p.
func (p *sacctParser) cut(record []byte) int {
	between := p.layout.between
	p.cuts = appendBars(append(p.cuts[:0], -1), record, between)
	if p.layout.trailing {
		if len(record) == 0 || record[len(record)-1] != between {
			return 0
		}
	} else {
		p.cuts = append(p.cuts, int32(len(record)))
	}
	if n := len(p.cuts) - 1; between != '|' && (n > len(p.layout.columns) || bytes.IndexByte(record, '"') >= 0) {
		if p.joinPieces(record); n == len(p.layout.columns) && len(p.cuts)-1 < n && bytes.Count(record, []byte{'"'})%2 != 0 {
			p.cuts = append(appendBars(append(p.cuts[:0], -1), record, between), int32(len(record)))[:n+1] // the quote is part of a name
		}
	}
	return len(p.cuts) - 1
}

// appendBars appends the places of the bars in a text. It looks at eight bytes
// at once: those of x that are zero were bars.
func appendBars(to []int32, text []byte, bar byte) []int32 {
	const ones = 0x0101010101010101
	bars := uint64(bar) * ones
	i := 0
	for ; i+8 <= len(text); i += 8 {
		x := binary.LittleEndian.Uint64(text[i:]) ^ bars
		// The top bit of each byte that is zero, without carries between them.
		for zero := ^((x&^(ones<<7) + 0x7f*ones) | x | 0x7f*ones); zero != 0; zero &= zero - 1 {
			to = append(to, int32(i+bits.TrailingZeros64(zero)/8))
		}
	}
	for ; i < len(text); i++ {
		if text[i] == bar {
			to = append(to, int32(i))
		}
	}
	return to
}

// piece is piece i of the record that was cut last.
func (p *sacctParser) piece(record []byte, i int) []byte {
	return record[p.cuts[i]+1 : p.cuts[i+1]]
}
