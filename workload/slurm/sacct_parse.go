package slurm

import (
	"bytes"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// maxTries bounds how often a record that does not end is looked at again with
// one line more.
const maxTries = 64

// sacctBatch is what became of one chunk of text.
type sacctBatch struct {
	rows     []sacctRow
	names    [workload.NumColumns]parse.Texts
	states   [sacctStates]int64 // jobs by state
	lines    int64
	local    bool    // there were local times
	taken    float64 // the latest moment that a running job shows, since 1970; 0 is none
	warnings workload.Warnings
}

// reset makes the batch an empty one that keeps its memory.
func (b *sacctBatch) reset() {
	for col := range b.names {
		b.names[col].Reset()
	}
	*b = sacctBatch{rows: b.rows[:0], names: b.names}
}

// sacctParser reads the records of a chunk. Where one begins and ends is not
// plain: a name or a command line may have bars and line ends in it. A line
// that is a record by itself always is one: it has as many bars as the header
// and values that can be read, or it has more bars, of which those too many can
// be made out to be part of some text. Another line is the start of a record
// over several lines, which ends where it can be taken apart like that.
type sacctParser struct {
	name   string
	layout *sacctLayout
	clock  parse.Clock
	text   []byte
	batch  *sacctBatch
	rows   int         // emitted: the first of batch.rows
	notes  []sacctNote // warnings of the record that is being read
	values sacctValues

	cuts    []int32 // -1, then the ends of the pieces of the line cut last
	aligner sacctAligner

	line    int64 // lines finished
	open    int   // start of a record that is not whole; -1: none
	openAt  int64 // its line
	bars    int   // in it so far
	tries   int
	fault   error // of an open record that is one line with the right number of bars
	sawLast bool  // a record ended just above
}

// sacctNote is a warning that counts if the record does.
type sacctNote struct {
	rule, text string
	saw        []byte
}

// parseSacct decodes a chunk of whole lines, the last one ended with a newline
// too, that begins with a record. The line of an error counts from the chunk's
// start. b is an empty batch to fill.
func parseSacct(name string, l *sacctLayout, zone *time.Location, text []byte, b *sacctBatch) error {
	p := newSacctParser(name, l, zone, text, b)
	binary := bytes.IndexByte(text, 0)
	for pos := 0; pos < len(text); {
		end := pos + bytes.IndexByte(text[pos:], '\n')
		if end-pos > parse.MaxLine {
			return parse.LineTooLong(name, p.line+1, text[pos:end])
		}
		p.line++
		if 0 <= binary && binary < end {
			if err := p.drop(); err != nil {
				return err
			}
			return parse.NotText(name, p.line, text[pos:end])
		}
		if err := p.takeLine(pos, end); err != nil {
			return err
		}
		pos = end + 1
	}
	if err := p.drop(); err != nil {
		return err
	}
	b.lines, b.rows = p.line, b.rows[:p.rows]
	return nil
}

func newSacctParser(name string, l *sacctLayout, zone *time.Location, text []byte, b *sacctBatch) *sacctParser {
	p := &sacctParser{name: name, layout: l, clock: parse.Clock{Zone: zone}, text: text, batch: b, open: -1}
	p.aligner.columns = l.columns
	return p
}

// takeLine reads the line from pos to end.
func (p *sacctParser) takeLine(pos, end int) error {
	line := parse.TrimReturn(p.text[pos:end])
	n := p.cut(line)
	columns := len(p.layout.columns)
	if n == columns && string(line) == p.layout.text {
		if err := p.drop(); err != nil {
			return err
		}
		p.odd("repeated-header", "header lines among the records, as if several logs were in one file: left out", p.line, nil)
		return nil
	}
	bad, want := p.record(line, n)
	if want == "" {
		if err := p.drop(); err != nil {
			return err
		}
		p.emit(p.line)
		return nil
	}
	if p.open < 0 {
		switch {
		case n == columns:
			p.fault = &workload.InputError{File: p.name, Line: p.line, Field: p.layout.fieldName(bad), Saw: workload.Shorten(p.values[bad]), Want: want}
			p.begin(pos, line)
		case len(line) == 0:
		case !p.canBegin(line, n):
			// Behind a record whose last column is a text of several lines.
			if !p.sawLast || p.layout.columns[columns-1].bars == 0 {
				p.odd("stray-line", "lines that belong to no record: left out", p.line, line)
			}
		default:
			p.begin(pos, line)
		}
		return nil
	}
	if p.bars += bytes.Count(line, []byte{p.layout.between}); p.bars < columns-1 {
		return nil
	}
	record := p.text[p.open : pos+len(line)]
	p.tries++
	if p.aligned(record, p.cut(record)) {
		at := p.openAt
		p.open, p.fault = -1, nil
		p.emit(at)
		return nil
	}
	if p.bars > columns+maxExtraBars || p.tries > maxTries {
		return p.drop()
	}
	return nil
}

// record reads a line of n pieces as a record by itself. It returns what was
// wanted of which field, or "".
func (p *sacctParser) record(line []byte, n int) (bad sacctField, want string) {
	switch columns := len(p.layout.columns); {
	case n == columns:
		for _, c := range p.layout.used {
			p.values[c.field] = p.piece(line, c.column)
		}
		p.unquote()
		return p.row()
	case n > columns && p.aligned(line, n):
		return 0, ""
	}
	return 0, words.Counted(len(p.layout.columns), "column")
}

func (p *sacctParser) begin(pos int, line []byte) {
	p.open, p.openAt, p.tries, p.sawLast = pos, p.line, 0, false
	p.bars = bytes.Count(line, []byte{p.layout.between})
}

// drop gives up the open record, if there is one.
func (p *sacctParser) drop() error {
	if p.open < 0 {
		return nil
	}
	if p.fault != nil {
		return p.fault
	}
	first := p.text[p.open:]
	first = first[:bytes.IndexByte(first, '\n')]
	p.odd("broken-record", "records with the separator inside a text that hides where columns begin, or that are cut short: left out", p.openAt, first)
	p.open = -1
	return nil
}

// aligned reads a record of n pieces, more than there are columns.
func (p *sacctParser) aligned(record []byte, n int) bool {
	from, ok := p.aligner.align(n, func(i int) []byte { return p.layout.value(p.piece(record, i)) })
	if !ok {
		return false
	}
	for _, c := range p.layout.used {
		end := p.aligner.end(from, c.column, n)
		p.values[c.field] = record[p.cuts[from[c.column]]+1 : p.cuts[end]]
	}
	p.unquote()
	if _, want := p.row(); want != "" {
		return false
	}
	if n > len(p.layout.columns) {
		p.warn("bars-in-text", "records with the separator inside a text: their columns are found by the form of the values", record)
	}
	return true
}

// canBegin reports whether a line with too few bars may be the first of a record:
// its columns look right up to the first that is a text.
func (p *sacctParser) canBegin(line []byte, n int) bool {
	if n == 0 { // without the last bar: cut counts none
		n = len(p.cuts)
		p.cuts = append(p.cuts, int32(len(line)))
	}
	for i := range n {
		c := p.layout.columns[min(i, len(p.layout.columns)-1)]
		if c.bars > 0 {
			return true
		}
		if i == n-1 { // cut off in a column that has no line ends
			return n > 1
		}
		if !c.shape.fits(p.layout.value(p.piece(line, i))) {
			return false
		}
	}
	return true
}

// warn notes something odd of the record that is being read.
func (p *sacctParser) warn(rule, text string, saw []byte) {
	p.notes = append(p.notes, sacctNote{rule, text, saw})
}

// odd counts something at a line.
func (p *sacctParser) odd(rule, text string, line int64, saw []byte) {
	first := ""
	if saw != nil && !p.batch.warnings.Has(rule) {
		first = parse.ShortenLine(saw)
	}
	p.batch.warnings.Add(rule, text, line, first)
}

// emit adds the record that was read, which begins in that line.
func (p *sacctParser) emit(line int64) {
	for _, n := range p.notes {
		p.odd(n.rule, n.text, line, n.saw)
	}
	p.sawLast = true
	rec := &p.batch.rows[p.rows]
	p.rows++
	rec.line = line
	if !rec.step {
		p.batch.states[rec.state]++
	}
}
