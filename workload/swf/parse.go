package swf

import (
	"bytes"
	"math"
	"regexp"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// parseChunk decodes a chunk of whole lines, all of which end with a newline. The lines of errors
// are counted from the beginning of the chunk.
func parseChunk(name string, text []byte) (*chunk, error) {
	p := parser{name: name, text: text, chunk: newChunk(parse.MostJobs(text, 2*parse.Fields))}
	if err := p.parse(); err != nil {
		return nil, err
	}
	p.finish()
	return p.chunk, nil
}

type parser struct {
	name string
	text []byte
	*chunk
}

// parse is the reader's inner loop: it converts the digits of fields to values of columns in one
// pass over the bytes. The text ends with a newline, so that reading the byte after one that is not
// a newline needs no bounds check.
func (p *parser) parse() error {
	text, values, stride := p.text, p.values, p.stride
	for i := 0; i < len(text); {
		start := i
		for text[i] == ' ' || text[i] == '\t' {
			i++
		}
		if c := text[i]; c == '\n' || c == ';' || c == '\r' {
			end, err := p.skipLine(start, i)
			if err != nil {
				return err
			}
			i = end
			continue
		}
		at := p.row
		for f := 0; f < parse.Fields; f++ {
			c := text[i]
			for c == ' ' || c == '\t' {
				i++
				c = text[i]
			}
			from := i
			if c == '-' {
				i++
				if c = text[i]; c == '1' && isEnd(text[i+1]) { // the most common field
					values[at] = unknown[f]
					p.unknown[f]++
					at += stride
					i++
					continue
				}
			}
			digits := i
			var m uint64
			for c-'0' <= 9 {
				m = m*10 + uint64(c-'0')
				i++
				c = text[i]
			}
			n := int64(m)
			if text[from] == '-' {
				n = -n
			}
			var bits uint64
			if isEnd(c) && uint(i-digits-1) < parse.ShortNumber {
				bits = uint64(n)
				if isFloat[f] {
					bits = math.Float64bits(float64(n))
				}
			} else {
				var err error
				if i, n, bits, err = p.slowField(start, from, f); err != nil {
					return err
				}
			}
			if n <= 0 {
				switch {
				case n == -1:
					bits = unknown[f]
					p.unknown[f]++
				case n < 0 || noZero>>f&1 != 0:
					p.low |= 1 << f
				}
				if n == 0 && text[from] == '-' && isFloat[f] {
					bits = math.Float64bits(math.Copysign(0, -1))
				}
			}
			values[at] = bits
			at += stride
		}
		if c := text[i]; c != '\n' {
			end, err := p.endLine(start, i)
			if err != nil {
				return err
			}
			i = end
		} else {
			i++
		}
		if i-start > parse.MaxLine+1 {
			return parse.LineTooLong(p.name, p.lines+1, text[start:])
		}
		p.lines++
		p.row++
	}
	return nil
}

// skipLine skips a line without a job: a blank one or a comment, which begins at i. It returns the
// start of the next line.
func (p *parser) skipLine(start, i int) (int, error) {
	end := i + bytes.IndexByte(p.text[i:], '\n')
	if p.text[i] == ';' {
		p.count("late-comment", "comment lines after the first job: left out", func() string { return parse.ShortenLine(p.text[i:end]) })
		if bytes.IndexByte(p.text[i:end], 0) >= 0 {
			return 0, parse.NotText(p.name, p.lines+1, p.text[i:end])
		}
	} else if p.text[i] == '\r' && end != i+1 {
		return 0, p.strayReturn()
	}
	if end-start > parse.MaxLine {
		return 0, parse.LineTooLong(p.name, p.lines+1, p.text[start:end])
	}
	p.lines++
	p.gap(p.row)
	return end + 1, nil
}

// slowField reads a field that is not a plain run of digits; its line begins at start. It returns
// the field's end, an integer n in place of the value (the value itself or, for a float64, a number
// with its sign that is -1 only if the value is), and the bits for its column.
func (p *parser) slowField(start, from, f int) (end int, n int64, bits uint64, err error) {
	for end = from; !isBlank(p.text[end]) && p.text[end] != '\n'; {
		end++
	}
	tok := p.text[from:end]
	if len(tok) == 0 {
		return 0, 0, 0, p.tooFew(start, end, f)
	}
	n, bits, want := fieldBits(tok, isFloat[f])
	if want == "" {
		return end, n, bits, nil
	}
	return 0, 0, 0, p.badField(start, f, tok, want)
}

// fieldBits reads a number for a column. n is the value or, for a float64, a number with its sign
// that is -1 only if the value is. bits are the contents of the column.
func fieldBits(tok []byte, float bool) (n int64, bits uint64, want string) {
	if !float {
		n, want = parse.Whole(tok)
		return n, uint64(n), want
	}
	x, want := parse.Number(tok)
	switch {
	case x == -1:
		n = -1
	case x < 0:
		n = -2
	case x > 0:
		n = 1
	}
	return n, math.Float64bits(x), want
}

func (p *parser) badField(start, f int, tok []byte, want string) error {
	line := p.lineText(start)
	switch {
	case bytes.IndexByte(line, 0) >= 0:
		return parse.NotText(p.name, p.lines+1, line)
	case len(line) > parse.MaxLine:
		return parse.LineTooLong(p.name, p.lines+1, line)
	}
	return p.fault(workload.ColumnAt(f).Name, workload.Shorten(tok), want)
}

// wantFields is the Want of the error for a line with too few fields.
const wantFields = "18"

// tooFew returns the error for a line that ends where field f should begin.
func (p *parser) tooFew(start, end, f int) error {
	if p.text[end] == '\r' && p.text[end+1] != '\n' {
		return p.strayReturn()
	}
	line := p.lineText(start)
	if len(line) > parse.MaxLine {
		return parse.LineTooLong(p.name, p.lines+1, line)
	}
	return p.fault("", words.Counted(f, "field")+" in "+parse.ShortenLine(line), wantFields)
}

func (p *parser) strayReturn() error {
	return p.fault("", "a carriage return inside a line", "lines that end with a newline")
}

// frontierPlace matches the text after the eighteenth field of a job that ran on Frontier.
var frontierPlace = regexp.MustCompile(`^\S+\s+\S+\s+([A-Za-z]\w*:\w+:\d+x\d+)\s*$`)

// endLine reads the text after the last field, which ends at i: blanks, a comment, or fields that
// some logs add. It returns the start of the next line.
func (p *parser) endLine(start, i int) (int, error) {
	for p.text[i] == ' ' || p.text[i] == '\t' {
		i++
	}
	end := i + bytes.IndexByte(p.text[i:], '\n')
	switch {
	case i == end || p.text[i] == ';':
		return end + 1, nil
	case p.text[i] == '\r' && end == i+1:
		return end + 1, nil
	case p.text[i] == '\r':
		return 0, p.strayReturn()
	}
	if bytes.IndexByte(p.text[i:end], 0) >= 0 {
		return 0, parse.NotText(p.name, p.lines+1, p.lineText(start))
	}
	if place := frontierPlace.FindSubmatch(p.text[i:end]); place != nil {
		return 0, p.fault("field 21", workload.Shorten(place[1]), "no place where a job ran, as Frontier's logs have: read them with --as frontier, since their fields 5 and 8 are no processors")
	}
	p.count("extra-fields", "lines with more than 18 fields: the others are left out", func() string {
		return words.Counted(len(bytes.Fields(p.text[start:end])), "field")
	})
	return end + 1, nil
}

// count counts a warning about the current line. saw returns the text to show; it is called for the
// first warning of a rule only.
func (p *parser) count(rule, text string, saw func() string) {
	first := ""
	if !p.odd.Has(rule) {
		first = saw()
	}
	p.odd.Add(rule, text, p.lines+1, first)
}

func (p *parser) fault(field, saw, want string) error {
	return &workload.InputError{File: p.name, Line: p.lines + 1, Field: field, Saw: saw, Want: want}
}

// lineText returns the line that begins at start, without its end.
func (p *parser) lineText(start int) []byte {
	rest := p.text[start:]
	return bytes.TrimSuffix(rest[:bytes.IndexByte(rest, '\n')], []byte{'\r'})
}

// isBlank reports whether c is a blank. A carriage return counts as one, since lines may end with
// \r\n.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// isEnd reports whether a field may end before c.
func isEnd(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
