package gwf

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// numbers reads the fields of numbers from i on. It returns a bit for each
// that is unknown, and where the next field begins.
func (p *parser) numbers(i int) (blanks uint32, next int, err error) {
	text, values, stride, floats := p.text, p.cols.Values, p.cols.Stride, parse.Floats
	from := i
	at := p.row
	for f := range gwfUser {
		i = p.skipBlanks(i)
		if i >= p.end {
			return 0, 0, p.tooFew(from, f)
		}
		begin := i
		if text[i] == '-' {
			i++
		}
		digits := i
		var m uint64
		c := text[i]
		for c-'0' <= 9 {
			m = m*10 + uint64(c-'0')
			i++
			c = text[i]
		}
		n := int64(m)
		if text[begin] == '-' {
			n = -n
		}
		word := uint64(n)
		plain := parse.IsEnd(c) && uint(i-digits-1) < parse.ShortNumber
		if plain && p.tabbed { // blanks may stand before the tab, but no more
			i = p.skipBlanks(i)
			plain = i == p.end || text[i] == '\t'
			i++
		}
		switch {
		case !plain:
			var unknown bool
			if n, word, unknown, i, err = p.slowNumber(f, begin); err != nil {
				return 0, 0, err
			}
			if unknown {
				n = -1
			}
		case floats>>f&1 != 0:
			word = math.Float64bits(float64(n))
		}
		if n <= 0 {
			switch {
			case n == -1:
				blanks |= 1 << f
				word = 0
			case n < 0 || parse.NoZero>>f&1 != 0:
				p.batch.Warnings.Odd(f, n, p.line+1, text[begin:i])
			}
			if n == 0 && text[begin] == '-' && floats>>f&1 != 0 {
				word = math.Float64bits(math.Copysign(0, -1))
			}
		}
		values[at] = word
		at += stride
	}
	return blanks, i, nil
}

// slowNumber reads a field that is not a plain run of digits. n stands for it:
// it has its sign and is -1 only if the value is.
func (p *parser) slowNumber(f, begin int) (n int64, word uint64, unknown bool, next int, err error) {
	tok, next, err := p.field(begin)
	if err != nil || !gwfKnown(tok) {
		return 0, 0, err == nil, next, err
	}
	float := workload.ColumnAt(f).Float()
	n, word, want := parse.Field(tok, float)
	switch {
	case want == "":
		return n, word, false, next, nil
	case !float && parse.Infinite(tok):
		want = workload.WantFinite
	case f == workload.ColJobID:
		// The job gets its number when it is known how many stand before.
		p.batch.more.add(gwfTextID, p.line+1, tok)
		p.batch.unnumbered = append(p.batch.unnumbered, p.row)
		return 1, 1, false, next, nil
	}
	return 0, 0, false, 0, p.fault(workload.ColumnAt(f).Name, workload.Shorten(tok), want)
}
