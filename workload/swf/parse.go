package swf

import (
	"bytes"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// parseChunk decodes a chunk of whole lines, the last one ended with a newline
// too. The line of an error counts from the chunk's start.
func parseChunk(name string, text []byte, frontier bool) (c chunk, err error) {
	p := parser{name: name, text: text, cols: parse.NewColumns(parse.MostJobs(text, 2*parse.Fields)), batch: &parse.Batch{}}
	if frontier {
		p.extra = &frontierRows{}
	}
	if err := p.parse(); err != nil {
		return c, err
	}
	p.batch.Lines = p.line
	if p.batch.Rows = p.row; p.row > 0 {
		p.batch.Jobs = p.cols.Batch(p.row)
		if p.extra != nil {
			p.extra.apply(p.batch.Jobs)
		}
	}
	return chunk{p.batch, p.extra}, nil
}

type parser struct {
	name  string
	text  []byte
	cols  *parse.Columns
	batch *parse.Batch
	line  int64 // lines finished
	row   int   // jobs finished
	extra *frontierRows
}

// parse is the reader's inner loop: one pass over the bytes, digits to number
// to column. The text ends with a newline, so that a look at the next byte
// needs no test for the end as long as the present one is none.
func (p *parser) parse() error {
	text, values, stride, floats := p.text, p.cols.Values, p.cols.Stride, parse.Floats
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
		var blanks uint32
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
				if c = text[i]; c == '1' && parse.IsEnd(text[i+1]) { // the commonest field of all
					blanks |= 1 << f
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
			if parse.IsEnd(c) && uint(i-digits-1) < parse.ShortNumber {
				bits = uint64(n)
				if floats>>f&1 != 0 {
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
					blanks |= 1 << f
				case n < 0 || parse.NoZero>>f&1 != 0:
					p.batch.Warnings.Odd(f, n, p.line+1, text[from:i])
				}
				if n == 0 && text[from] == '-' && floats>>f&1 != 0 {
					bits = math.Float64bits(math.Copysign(0, -1))
				}
			}
			values[at] = bits
			at += stride
		}
		if c := text[i]; c != '\n' || p.extra != nil {
			end, err := p.endLine(start, i)
			if err != nil {
				return err
			}
			i = end
		} else {
			i++
		}
		if i-start > parse.MaxLine+1 {
			return parse.LineTooLong(p.name, p.line+1, text[start:])
		}
		p.line++
		p.cols.Blanks[p.row&63] = blanks
		p.row++
		if p.row&63 == 0 {
			p.cols.EndBlock(p.row-64, 64)
		}
	}
	if rest := p.row & 63; rest > 0 {
		p.cols.EndBlock(p.row-rest, rest)
	}
	return nil
}

// skipLine passes over a line that has no job: a blank one or a comment, which
// begins at i. It returns where the next line starts.
func (p *parser) skipLine(start, i int) (int, error) {
	end := i + bytes.IndexByte(p.text[i:], '\n')
	if p.text[i] == ';' {
		if p.batch.Warnings.Count(parse.RuleLate) {
			p.batch.Warnings.Note(parse.RuleLate, p.line+1, parse.ShortenLine(p.text[i:end]))
		}
		if bytes.IndexByte(p.text[i:end], 0) >= 0 {
			return 0, parse.NotText(p.name, p.line+1, p.text[i:end])
		}
	} else if p.text[i] == '\r' && end != i+1 {
		return 0, p.strayReturn()
	}
	if end-start > parse.MaxLine {
		return 0, parse.LineTooLong(p.name, p.line+1, p.text[start:end])
	}
	p.line++
	p.batch.Gap(p.row)
	return end + 1, nil
}

// slowField reads a field, of the line that begins at start, that is not a
// plain run of digits. It returns the field's end, an integer that stands for
// it (the value or, for a float64, one with its sign that is -1 only if the
// value is), and the bits for its column.
func (p *parser) slowField(start, from, f int) (end int, n int64, bits uint64, err error) {
	for end = from; !isBlank(p.text[end]) && p.text[end] != '\n'; {
		end++
	}
	tok := p.text[from:end]
	if len(tok) == 0 {
		return 0, 0, 0, p.tooFew(start, end, f)
	}
	n, bits, want := parse.Field(tok, workload.ColumnAt(f).Float())
	if want == "" {
		return end, n, bits, nil
	}
	return 0, 0, 0, p.badField(start, f, tok, want)
}

func (p *parser) badField(start, f int, tok []byte, want string) error {
	line := p.lineText(start)
	switch {
	case bytes.IndexByte(line, 0) >= 0:
		return parse.NotText(p.name, p.line+1, line)
	case len(line) > parse.MaxLine:
		return parse.LineTooLong(p.name, p.line+1, line)
	}
	return p.fault(workload.ColumnAt(f).Name, workload.Shorten(tok), want)
}

// wantFields is what the error for a line with too few of them wants.
const wantFields = "18"

// tooFew is the error for a line that ends where field f should begin.
func (p *parser) tooFew(start, end, f int) error {
	if p.text[end] == '\r' && p.text[end+1] != '\n' {
		return p.strayReturn()
	}
	line := p.lineText(start)
	if len(line) > parse.MaxLine {
		return parse.LineTooLong(p.name, p.line+1, line)
	}
	return p.fault("", words.Counted(f, "field")+" in "+parse.ShortenLine(line), wantFields)
}

func (p *parser) strayReturn() error {
	return p.fault("", "a carriage return inside a line", "lines that end with a newline")
}

// endLine reads what stands behind the last field, which ends at i: blanks, a
// comment, or fields that some logs add. It returns where the next line starts.
func (p *parser) endLine(start, i int) (int, error) {
	for p.text[i] == ' ' || p.text[i] == '\t' {
		i++
	}
	end := i + bytes.IndexByte(p.text[i:], '\n')
	if p.extra != nil {
		p.extra.add(p.text[i:end], p.line+1)
		return end + 1, nil
	}
	switch {
	case i == end || p.text[i] == ';':
		return end + 1, nil
	case p.text[i] == '\r' && end == i+1:
		return end + 1, nil
	case p.text[i] == '\r':
		return 0, p.strayReturn()
	}
	if bytes.IndexByte(p.text[i:end], 0) >= 0 {
		return 0, parse.NotText(p.name, p.line+1, p.lineText(start))
	}
	if place, ok := frontierShape(p.text[start:end]); ok {
		if _, is := frontierNodes(place); is {
			return 0, p.fault("field 21", workload.Shorten(place), "such a place in the first MiB of the log too: without one, fields 5 and 8 were read as processors, which they are not in logs of this form")
		}
	}
	if p.batch.Warnings.Count(parse.RuleExtra) {
		p.batch.Warnings.Note(parse.RuleExtra, p.line+1, words.Counted(len(bytes.Fields(p.text[start:end])), "field"))
	}
	return end + 1, nil
}

func (p *parser) fault(field, saw, want string) error {
	return &workload.InputError{File: p.name, Line: p.line + 1, Field: field, Saw: saw, Want: want}
}

// lineText is the line that begins at start, without its end.
func (p *parser) lineText(start int) []byte {
	rest := p.text[start:]
	return bytes.TrimSuffix(rest[:bytes.IndexByte(rest, '\n')], []byte{'\r'})
}

// isBlank takes a carriage return for a blank, as it stands at the line ends
// of other systems.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
