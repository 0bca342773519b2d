package slurm

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// cut finds the separators of a record and returns the number of pieces between them, 0 where
// the one is missing that ends every record of sacct -p. A separator within a piece does not
// count: of one in quotes, as a program that writes CSV puts them, and in a text with commas
// one of a list.
func (p *parser) cut(record []byte) int {
	l := p.layout
	p.cuts = appendSeparators(append(p.cuts[:0], -int32(len(l.between))), record, l.between)
	if !l.trailing {
		p.cuts = append(p.cuts, int32(len(record)))
	} else if !bytes.HasSuffix(record, []byte(l.between)) {
		return 0
	}
	if n := len(p.cuts) - 1; l.between != "|" && (n > len(l.columns) || bytes.IndexByte(record, '"') >= 0) {
		if p.joinPieces(record); n == len(l.columns) && len(p.cuts)-1 < n && bytes.Count(record, []byte{'"'})%2 != 0 { // the quote is part of a name
			p.cuts = append(appendSeparators(append(p.cuts[:0], -int32(len(l.between))), record, l.between), int32(len(record)))[:n+1]
		}
	}
	return len(p.cuts) - 1
}

// piece is what the record that was cut last has from piece first up to piece end.
func (p *parser) piece(record []byte, first, end int) []byte {
	return record[int(p.cuts[first])+len(p.layout.between) : p.cuts[end]]
}

// appendSeparators appends the places of a separator in a text. Of a single byte it looks at
// eight bytes of text at once: those of x that are zero were separators.
func appendSeparators(to []int32, text []byte, between string) []int32 {
	if len(between) > 1 {
		for at := 0; ; at += len(between) {
			i := bytes.Index(text[at:], []byte(between))
			if i < 0 {
				return to
			}
			at += i
			to = append(to, int32(at))
		}
	}
	const ones = 0x0101010101010101
	bars := uint64(between[0]) * ones
	i := 0
	for ; i+8 <= len(text); i += 8 {
		x := binary.LittleEndian.Uint64(text[i:]) ^ bars
		// The top bit of each byte that is zero, without carries between them.
		for zero := ^((x&^(ones<<7) + 0x7f*ones) | x | 0x7f*ones); zero != 0; zero &= zero - 1 {
			to = append(to, int32(i+bits.TrailingZeros64(zero)/8))
		}
	}
	for ; i < len(text); i++ {
		if text[i] == between[0] {
			to = append(to, int32(i))
		}
	}
	return to
}

// joinPieces takes the separators out of p.cuts that are inside a piece.
func (p *parser) joinPieces(record []byte) {
	between := p.layout.between
	kept := p.cuts[:1]
	for i := 1; i < len(p.cuts); i++ {
		c := p.cuts[i]
		if i+1 < len(p.cuts) {
			piece, next := record[int(kept[len(kept)-1])+len(between):c], p.piece(record, i, i+1)
			if opensQuote(piece) || between == "," && (opensBracket(piece) || continuesTRES(piece, next)) {
				continue
			}
		}
		kept = append(kept, c)
	}
	p.cuts = kept
}

// opensQuote reports whether a piece begins with a quote that it does not close.
func opensQuote(piece []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(piece, " "), []byte{'"'}) && bytes.Count(piece, []byte{'"'})%2 != 0
}

// opensBracket reports whether a piece ends within the brackets of a list of numbers, such as
// "n[1-3,7]".
func opensBracket(piece []byte) bool {
	at := bytes.LastIndexByte(piece, '[')
	return at >= 0 && at+1 < len(piece) && len(bytes.Trim(piece[at+1:], "0123456789,-%:.")) == 0
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
	if l.between == "|" && !l.queue {
		return v
	}
	if v = bytes.TrimSpace(v); l.queue || len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return v
	}
	return bytes.ReplaceAll(v[1:len(v)-1], []byte(`""`), []byte(`"`))
}

// fill takes the values of the record that was cut last. from has the first piece of each
// column, and behind them the number of pieces; nil is one piece for each.
func (p *parser) fill(record []byte, from []int) {
	plain := from == nil && p.layout.between == "|" && !p.layout.queue
	for _, u := range p.layout.used {
		at := p.at[u.field]
		if plain {
			*at = p.piece(record, u.column, u.column+1)
			continue
		}
		first, end := u.column, u.column+1
		if from != nil {
			first, end = from[first], from[end]
		}
		if !u.again || len(*at) == 0 || bytes.IndexByte(*at, '.') >= 0 { // squeue has fractions and whole priorities
			*at = p.layout.value(p.piece(record, first, end))
		}
	}
}

// align cuts a record of n pieces, more than there are columns, and takes its values. It
// returns the first piece of each column.
func (p *parser) align(record []byte, n int) (from []int, ok bool) {
	from, ok = p.aligner.align(n, func(i int) []byte { return p.layout.value(p.piece(record, i, i+1)) })
	if ok {
		p.fill(record, from)
	}
	return from, ok
}

// withoutNumber returns a name without the number that Slurm appends in brackets:
// "alice(1001)".
func withoutNumber(name []byte) []byte {
	if i := bytes.LastIndexByte(name, '('); i > 0 && bytes.HasSuffix(name, []byte{')'}) {
		return name[:i]
	}
	return name
}
