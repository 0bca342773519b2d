package slurm

import (
	"bytes"
	"io"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// maxTries bounds how often a record that does not end is looked at again
// with one line more.
const maxTries = 64

// source is a text of records in one form.
type source interface {
	// next returns a chunk that begins with a record and ends with one, or io.EOF.
	next() (jsontext.Chunk, error)
	// decode reads a chunk into b, which is empty, and takes its memory back. Several
	// goroutines may call it. Lines, those of an error too, count from the lines before
	// the chunk where the source does not know them.
	decode(c jsontext.Chunk, b *batch) error
}

// textLines is the source of lines: of sacct, squeue or scontrol.
type textLines struct {
	name   string
	zone   *time.Location
	lines  *parse.Lines
	layout *layout
	parse  func(p *parser, pos, end int) error // takes a line of the chunk
	finish func(p *parser) error               // ends the record that is open
}

func newTextLines(name string, r io.Reader, zone *time.Location, size, buffers int) *textLines {
	return &textLines{name: name, zone: zone, lines: parse.NewLines(name, r, size, buffers)}
}

// readHeader takes the header line, before which there may be a date. It returns how many
// lines these are, and the date.
func (s *textLines) readHeader(queue bool) (lines int64, date int64, err error) {
	chunk, err := s.lines.Next()
	if err == io.EOF {
		return 0, 0, &workload.InputError{File: s.name, Err: workload.ErrNoJobs}
	}
	if err != nil {
		return 0, 0, err
	}
	rest := chunk
	for len(rest) > 0 {
		end := bytes.IndexByte(rest, '\n')
		lines++
		if end > parse.MaxLine {
			return 0, 0, parse.LineTooLong(s.name, lines, rest[:end])
		}
		line := parse.TrimReturn(rest[:end])
		rest = rest[end+1:]
		if at, ok := squeueDate(line); ok && queue {
			date = at.Unix()
		} else if !queue || len(bytes.TrimSpace(line)) > 0 {
			s.layout, err = readLayout(s.name, lines, string(line), queue)
			break
		}
	}
	if s.layout == nil {
		return 0, 0, err
	}
	s.lines.Unread(rest)
	s.lines.Recycle(chunk)
	if queue {
		s.parse, s.finish = (*parser).queueLine, func(*parser) error { return nil }
		return lines, date, nil
	}
	s.parse, s.finish = (*parser).sacctLine, (*parser).drop
	s.lines.Cut = newParser(s.name, s.layout, s.zone, nil, &batch{}).lastRecord
	return lines, 0, nil
}

func (s *textLines) next() (jsontext.Chunk, error) {
	text, err := s.lines.Next()
	return jsontext.Chunk{Text: text}, err
}

// decode reads a chunk of whole lines, the last one ended with a newline too. The line of an
// error counts from the chunk's start.
func (s *textLines) decode(c jsontext.Chunk, b *batch) error {
	text := c.Text
	defer s.lines.Recycle(text)
	if cap(b.rows) == 0 {
		b.rows = make([]row, 0, parse.MostJobs(text, 64))
	}
	p := newParser(s.name, s.layout, s.zone, text, b)
	binary := bytes.IndexByte(text, 0)
	for pos := 0; pos < len(text); {
		end := pos + bytes.IndexByte(text[pos:], '\n')
		if end-pos > parse.MaxLine {
			return parse.LineTooLong(s.name, b.lines+1, text[pos:end])
		}
		b.lines++
		if 0 <= binary && binary < end {
			if err := s.finish(p); err != nil {
				return err
			}
			return parse.NotText(s.name, b.lines, text[pos:end])
		}
		if err := s.parse(p, pos, end); err != nil {
			return err
		}
		pos = end + 1
	}
	err := s.finish(p)
	b.rows = b.rows[:p.rows]
	return err
}

// queueLine reads the line of squeue from pos to end.
func (p *parser) queueLine(pos, end int) error {
	line, columns := parse.TrimReturn(p.open.text[pos:end]), len(p.layout.columns)
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if at, ok := squeueDate(line); ok {
		first, _, _ := p.clock.Instants(at.Unix())
		p.see(float64(first))
		return nil
	}
	if string(line) == p.layout.text {
		p.odd("repeated-header", "header lines among the records, as if several listings were in one file: left out", p.batch.lines, nil)
		return nil
	}
	if p.layout.between == " " {
		line = bytes.Join(bytes.Fields(line), []byte{' '})
	}
	n, joined := p.cut(line), false
	if n == columns {
		p.fill(line, nil)
	} else if from, ok := p.align(line, n); ok {
		joined = from[columns-1] > columns-1 // not in the last column alone
	} else {
		p.batch.faults = append(p.batch.faults, &workload.InputError{File: p.name, Line: p.batch.lines, Saw: words.Counted(n, "column"),
			Want: words.Counted(columns, "column") + ", as the header line has: columns separated by bars are the safest, " + squeueFormat})
		return nil
	}
	if p.queueRecord(p.batch.lines); joined {
		p.odd("separator-in-text", "jobs with the separator inside a text: their columns are found by the form of the values", p.batch.lines, line)
	}
	return nil
}

// queueRecord reads the record of a queue that the fields hold, which begins in a line, or
// notes what is wrong with it.
func (p *parser) queueRecord(line int64) {
	p.NCPUS, p.NNodes = p.ReqCPUS, p.ReqNodes // what a job of the queue asks for it is given
	if p.has.nodes && len(p.NodeList) == 0 {
		p.NodeList = []byte("None")
	}
	if p.row() {
		p.emit(line)
	} else {
		p.batch.faults = append(p.batch.faults, p.fault(line))
	}
}

// openRecord is a record of sacct that is being read. Where one begins and ends is not plain:
// a name or a command line may have bars and line ends in it. A line that is a record by
// itself always is one: it has as many bars as the header and values that can be read, or it
// has more bars, of which those too many can be made out to be part of some text. Another line
// is the start of a record over several lines, which ends where it can be taken apart like
// that.
type openRecord struct {
	text    []byte // the chunk
	at      int    // start of a record that is not whole; -1: none
	line    int64  // its line
	bars    int    // in it so far
	tries   int
	fault   error // of an open record that is one line with the right number of bars
	sawLast bool  // a record ended just above
}

// sacctLine reads the line of sacct from pos to end.
func (p *parser) sacctLine(pos, end int) error {
	line, o, number := parse.TrimReturn(p.open.text[pos:end]), &p.open, p.batch.lines
	columns := len(p.layout.columns)
	if string(line) == p.layout.text {
		p.odd("repeated-header", "header lines among the records, as if several logs were in one file: left out", number, nil)
		return p.drop()
	}
	if p.readLine(line) {
		err := p.drop()
		p.emit(number)
		o.sawLast = true
		return err
	}
	if o.at < 0 {
		n := len(p.cuts) - 1
		switch exact := p.bad != nil; {
		case exact:
			o.fault = p.fault(number)
		case len(line) == 0:
			return nil
		case !p.canBegin(line, n):
			// Behind a record whose last column is a text of several lines.
			if !o.sawLast || p.layout.columns[columns-1].bars == 0 {
				p.odd("stray-line", "lines that belong to no record: left out", number, line)
			}
			return nil
		}
		o.at, o.line, o.tries, o.sawLast = pos, number, 0, false
		o.bars = bytes.Count(line, []byte(p.layout.between))
		return nil
	}
	if o.bars += bytes.Count(line, []byte(p.layout.between)); o.bars < columns-1 {
		return nil
	}
	record := o.text[o.at : pos+len(line)]
	o.tries++
	if p.readAligned(record, p.cut(record)) {
		o.at, o.fault, o.sawLast = -1, nil, true
		p.emit(o.line)
		return nil
	}
	if o.bars > columns+maxExtraBars || o.tries > maxTries {
		return p.drop()
	}
	return nil
}

// readLine reads a line as a record by itself, and reports whether it is one. If it has as
// many columns as the header, bad is the field that cannot be read, else nil.
func (p *parser) readLine(line []byte) bool {
	n := p.cut(line)
	if n == len(p.layout.columns) {
		p.fill(line, nil)
		return p.row()
	}
	ok := n > len(p.layout.columns) && p.readAligned(line, n)
	p.bad = nil
	return ok
}

// readAligned reads a record of n pieces, as many as there are columns or more.
func (p *parser) readAligned(record []byte, n int) bool {
	if _, ok := p.align(record, n); !ok || !p.row() {
		return false
	}
	if n > len(p.layout.columns) {
		p.warn("bars-in-text", "records with the separator inside a text: their columns are found by the form of the values", record)
	}
	return true
}

// drop gives up the open record, if there is one.
func (p *parser) drop() error {
	if p.open.at < 0 {
		return nil
	}
	if p.open.fault != nil {
		return p.open.fault
	}
	first, _, _ := bytes.Cut(p.open.text[p.open.at:], []byte{'\n'})
	p.odd("broken-record", "records with the separator inside a text that hides where columns begin, or that are cut short: left out", p.open.line, first)
	p.open.at = -1
	return nil
}

// canBegin reports whether a line of n pieces, too few, may be the first of a record: its
// columns look right up to the first that is a text.
func (p *parser) canBegin(line []byte, n int) bool {
	if p.layout.trailing && !bytes.HasSuffix(line, []byte(p.layout.between)) { // without the last bar
		n++
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
		if c.take(p.layout.value(p.piece(line, i, i+1))) == noWay {
			return false
		}
	}
	return true
}

// lastRecord finds the last line that certainly begins a record, so that
// everything before it can be read by itself. It is 0 where there is none.
func (p *parser) lastRecord(text []byte) int {
	for end := len(text); end > 0; {
		pos := bytes.LastIndexByte(text[:end-1], '\n') + 1
		// The decoder's own test, so that both see the same records.
		if p.readLine(parse.TrimReturn(text[pos : end-1])) {
			p.batch.reset()
			return pos
		}
		end = pos
	}
	return 0
}
