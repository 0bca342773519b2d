package gwf

import (
	"bytes"
	"math/bits"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// The fields of a line, counted from 0. Field f up to gwfPartition is column f
// of the schema; those before gwfUser are numbers, the rest texts.
const (
	gwfUser      = workload.ColUser
	gwfPartition = workload.ColPartition
	gwfOrigSite  = 16
	gwfLastSite  = 17
	gwfStructure = 18 // the first of eleven that the table has not
	gwfFields    = 29
)

// parseChunk decodes a chunk of whole lines, the last one ended with a newline
// too. The line of an error counts from the chunk's start.
func parseChunk(name string, text []byte, mem workload.Allocator) (*gwfBatch, error) {
	p := parser{name: name, text: text, batch: &gwfBatch{cols: parse.NewColumns(mem, parse.MostJobs(text, gwfFields))}}
	p.cols = p.batch.cols
	if err := p.parse(); err != nil {
		p.batch.Release()
		return nil, err
	}
	p.batch.Lines, p.batch.Rows = p.line, p.row
	return p.batch, nil
}

type parser struct {
	name  string
	text  []byte
	cols  *parse.Columns
	batch *gwfBatch
	line  int64 // lines finished
	row   int   // jobs finished

	// Of the present line: where it ends, before a carriage return; whether
	// its fields are between single tabs; the fields it has then.
	end    int
	tabbed bool
	fields int
}

func (p *parser) parse() error {
	text := p.text
	for i := 0; i < len(text); {
		start := i
		for text[i] == ' ' || text[i] == '\t' {
			i++
		}
		end := i + bytes.IndexByte(text[i:], '\n')
		if end-start > parse.MaxLine {
			return parse.LineTooLong(p.name, p.line+1, text[start:end])
		}
		p.end = end
		if end > i && text[end-1] == '\r' {
			p.end--
		}
		if i == p.end || text[i] == '#' {
			if err := p.skipLine(i); err != nil {
				return err
			}
		} else if err := p.job(i); err != nil {
			return err
		}
		p.line++
		i = end + 1
	}
	if rest := p.row & 63; rest > 0 {
		p.cols.EndBlock(p.row-rest, rest)
	}
	return nil
}

// skipLine passes over a line that has no job.
func (p *parser) skipLine(i int) error {
	comment := p.text[i:p.end]
	if bytes.IndexByte(comment, 0) >= 0 {
		return parse.NotText(p.name, p.line+1, comment)
	}
	if len(comment) > 0 && p.batch.Warnings.Count(parse.RuleLate) {
		p.batch.Warnings.Note(parse.RuleLate, p.line+1, parse.ShortenLine(comment))
	}
	p.batch.Gap(p.row)
	return nil
}

// job reads the line whose first field begins at i.
//
// A line of 28 tabs has its fields between them: they may be empty or have
// blanks in them. So has one of 29, which has a tab at its end or a thirtieth
// field. In any other line runs of tabs and blanks separate them.
func (p *parser) job(i int) error {
	from := i
	tabs := bytes.Count(p.text[i:p.end], []byte{'\t'})
	p.tabbed = tabs == gwfFields-1 || tabs == gwfFields
	p.fields = tabs + 1
	blanks, i, err := p.numbers(i)
	if err != nil {
		return err
	}
	var (
		known uint32 // a bit for each field of text that has a value
		sites [3][]byte
		n     = gwfUser
	)
	for {
		var tok []byte
		if i = p.skipBlanks(i); p.tabbed && n == p.fields || !p.tabbed && i == p.end {
			break
		}
		if n == gwfFields && p.text[i] == '#' && !p.tabbed {
			break // a comment behind the job
		}
		if tok, i, err = p.field(i); err != nil {
			return err
		}
		if !gwfKnown(tok) {
			if n < gwfPartition {
				blanks |= 1 << n
				p.cols.Values[p.cols.Stride*n+p.row] = 0
			}
		} else {
			known |= 1 << min(n, 31)
			if n < gwfPartition {
				if err := p.number(n, tok); err != nil {
					return err
				}
			}
		}
		if n >= gwfPartition && n <= gwfLastSite {
			sites[n-gwfPartition] = tok
		}
		n++
	}
	if p.tabbed && n == gwfFields+1 && known>>gwfFields&1 == 0 && p.text[p.end-1] == '\t' {
		n = gwfFields // no thirtieth field, but a tab at the line's end
	}
	if n < gwfFields {
		return p.tooFew(from, n)
	}
	if err := p.site(sites, &blanks); err != nil {
		return err
	}
	p.count(n, known, from)
	if blanks>>workload.ColWaitTime&1 == 0 {
		p.batch.waits.known++
	} else if blanks>>workload.ColRunTime&1 == 0 {
		p.batch.waits.missing(p.line + 1)
	}
	p.cols.Blanks[p.row&63] = blanks | 1<<workload.ColPrecedingJob | 1<<workload.ColThinkTime
	p.cols.Values[p.cols.Stride*workload.ColPrecedingJob+p.row] = 0
	p.cols.Values[p.cols.Stride*workload.ColThinkTime+p.row] = 0
	p.row++
	if p.row&63 == 0 {
		p.cols.EndBlock(p.row-64, 64)
	}
	return nil
}

// number fills a column of identifiers.
func (p *parser) number(col int, tok []byte) error {
	n, isNew := p.batch.texts[col-gwfUser].Number(tok)
	if isNew {
		if want := parse.CheckText(tok); want != "" {
			return p.fault(workload.ColumnAt(col).Name, workload.Shorten(tok), want)
		}
	}
	p.cols.Values[p.cols.Stride*col+p.row] = uint64(n)
	return nil
}

// site fills the column of the partition.
func (p *parser) site(sites [3][]byte, blanks *uint32) error {
	site, left := gwfSite(sites[0], sites[1], sites[2])
	if !gwfKnown(site) {
		*blanks |= 1 << workload.ColPartition
		p.cols.Values[p.cols.Stride*workload.ColPartition+p.row] = 0
		return nil
	}
	for ; left != 0; left &= left - 1 {
		f := bits.TrailingZeros32(left)
		p.batch.more.add(gwfRule(f), p.line+1, sites[f-gwfPartition])
	}
	return p.number(workload.ColPartition, site)
}

// count notes what of a line of n fields goes no further.
func (p *parser) count(n int, known uint32, from int) {
	switch {
	case n == gwfFields+1:
		// OurSim reads a column more, after LastRunSiteID.
		p.batch.more.add(gwfThirty, p.line+1, p.text[from:p.end])
		known = known>>(gwfStructure+1)<<gwfStructure | known&(1<<gwfStructure-1)
	case n > gwfFields:
		p.batch.more.add(gwfExtra, p.line+1, p.text[from:p.end])
	}
	known &= (1<<gwfFields - 1) &^ (1<<gwfStructure - 1)
	for ; known != 0; known &= known - 1 {
		p.batch.more.add(gwfRule(bits.TrailingZeros32(known)), p.line+1, nil)
	}
}

// skipBlanks passes over what may stand before a field.
func (p *parser) skipBlanks(i int) int {
	for i < p.end && (p.text[i] == ' ' || p.text[i] == '\t' && !p.tabbed) {
		i++
	}
	return i
}

// field takes the text of the field that begins at i, and returns where to go
// on: behind the tab that ends it, if tabs do.
func (p *parser) field(i int) (tok []byte, next int, err error) {
	text, begin := p.text, i
	if !p.tabbed {
		for text[i] > ' ' {
			i++
		}
		if c := text[i]; i < p.end && c != ' ' && c != '\t' {
			return nil, 0, p.control(c)
		}
		return text[begin:i], i, nil
	}
	for i < p.end && text[i] != '\t' {
		if text[i] < ' ' {
			return nil, 0, p.control(text[i])
		}
		i++
	}
	return bytes.TrimRight(text[begin:i], " "), i + 1, nil
}

// control is the error for a line with a byte that no text has.
func (p *parser) control(c byte) error {
	line := p.text[:p.end]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if c == '\r' {
		return p.fault("", "a carriage return inside a line", "lines that end with a newline")
	}
	return parse.NotText(p.name, p.line+1, line)
}

// tooFew is the error for a line of n fields.
func (p *parser) tooFew(from, n int) error {
	return p.fault("", words.Counted(n, "field")+" in "+parse.ShortenLine(p.text[from:p.end]), "29, with tabs or blanks between (the grid workload format)")
}

func (p *parser) fault(field, saw, want string) error {
	return &workload.InputError{File: p.name, Line: p.line + 1, Field: field, Saw: saw, Want: want}
}
