package slurm

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

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
	*reader
	lines  *parse.Lines
	parse  func(p *parser, pos int, line []byte) error // takes a line of the chunk, which begins at pos
	finish func(p *parser) error                       // ends the record that is open
}

// openLines sets the source to lines, and the layout to that of their header line.
func (r *reader) openLines(text io.Reader, size int, queue bool) error {
	s := &textLines{reader: r, lines: parse.NewLines(r.name, text, size, r.buffers())}
	r.source = s
	chunk, err := s.lines.Next()
	if err == io.EOF {
		return &workload.InputError{File: r.name, Err: workload.ErrNoJobs}
	}
	if err != nil {
		return err
	}
	rest := chunk
	for r.layout == nil {
		if len(rest) == 0 {
			return &workload.InputError{File: r.name, Err: workload.ErrNoJobs}
		}
		line, after, _ := bytes.Cut(rest, []byte{'\n'})
		rest = after
		r.line++
		if line = parse.TrimReturn(line); isBlank(line) || isDate(line) {
			continue
		}
		if r.layout, err = readLayout(r.name, r.line, string(line), queue); err != nil {
			return err
		}
	}
	s.lines.Unread(rest)
	s.lines.Recycle(chunk)
	if n := len(r.layout.unused); n > 0 {
		r.from.Warnings.Count(workload.Warning{Rule: "left-out-columns", Text: "columns that the job table does not have", Count: int64(n), Saw: parse.ListShort(r.layout.unused, 5)})
	}
	s.parse, s.finish = (*parser).queueLine, func(*parser) error { return nil }
	if !queue {
		s.parse, s.finish = (*parser).sacctLine, (*parser).drop
		s.lines.Cut = newParser(r, nil, &batch{}).lastRecord
	}
	return nil
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
	p := newParser(s.reader, text, b)
	binary := bytes.IndexByte(text, 0)
	for pos := 0; pos < len(text); {
		end := pos + bytes.IndexByte(text[pos:], '\n')
		line := text[pos:end]
		if len(line) > parse.MaxLine {
			return parse.LineTooLong(s.name, b.lines+1, line)
		}
		b.lines++
		if 0 <= binary && binary < end {
			if err := s.finish(p); err != nil {
				return err
			}
			return parse.NotText(s.name, b.lines, line)
		}
		if err := s.parse(p, pos, parse.TrimReturn(line)); err != nil {
			return err
		}
		pos = end + 1
	}
	return s.finish(p)
}

// fill takes the values of the record that was cut last, and reports whether its columns can be
// found.
func (p *parser) fill(record []byte, mayBePlain bool) bool {
	last, from := len(p.layout.columns)-1, p.layout.plain
	if p.spread = nil; !mayBePlain || len(p.cuts)-2 != last {
		if !p.align(record) {
			return false
		}
		if from = p.from; from[last] > last { // not in the last column alone
			p.spread = record
		}
	}
	for _, u := range p.layout.used {
		at, v := p.at[u.field], p.piece(record, from[u.column], from[u.column+1])
		if !p.layout.bare {
			v = p.layout.value(v)
		}
		if !u.again || len(*at) == 0 || bytes.IndexByte(*at, '.') >= 0 { // squeue has fractions and whole priorities
			*at = v
		}
	}
	return true
}

// queueLine reads a line of squeue.
func (p *parser) queueLine(_ int, line []byte) error {
	if isBlank(line) || isDate(line) || p.isHeader(line) {
		return nil
	}
	if p.layout.between == " " {
		line = bytes.Join(bytes.Fields(line), []byte{' '})
	}
	if n := p.cut(line); p.fill(line, true) {
		p.queueRecord(p.batch.lines)
	} else {
		p.batch.faults = append(p.batch.faults, &workload.InputError{File: p.name, Line: p.batch.lines, Saw: words.Counted(n, "column"),
			Want: words.Counted(len(p.layout.columns), "column") + ", as the header line has: columns separated by bars are the safest, " + squeueFormat})
	}
	return nil
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// isDate reports whether a line is a date, which squeue -l and -i print above each header line.
func isDate(line []byte) bool {
	if len(line) != len(time.ANSIC) { // most lines: Parse would make an error for each
		return false
	}
	_, err := time.Parse(time.ANSIC, string(line))
	return err == nil
}

// isHeader reports whether a line is the header line once more, and counts it.
func (p *parser) isHeader(line []byte) bool {
	is := string(line) == p.layout.text
	if is {
		p.odd("repeated-header", "header lines among the records, as if several logs were in one file: left out", p.batch.lines, nil)
	}
	return is
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

// maxTries bounds how often a record that does not end is looked at again
// with one line more.
const maxTries = 64

// sacctLine reads a line of sacct, which begins at pos.
func (p *parser) sacctLine(pos int, line []byte) error {
	o, number, columns := &p.open, p.batch.lines, len(p.layout.columns)
	if p.isHeader(line) {
		return p.drop()
	}
	if p.readLine(line) {
		err := p.drop()
		p.emit(number)
		o.sawLast = true
		return err
	}
	bars := bytes.Count(line, []byte(p.layout.between))
	if o.at < 0 {
		switch {
		case p.bad != nil:
			o.fault = p.fault(number)
		case len(line) == 0:
			return nil
		case !p.canBegin(line):
			// Behind a record whose last column is a text of several lines.
			if !o.sawLast || p.layout.columns[columns-1].bars == 0 {
				p.odd("stray-line", "lines that belong to no record: left out", number, line)
			}
			return nil
		}
		o.at, o.line, o.tries, o.sawLast, o.bars = pos, number, 0, false, bars
		return nil
	}
	if o.bars += bars; o.bars < columns-1 {
		return nil
	}
	o.tries++
	record := o.text[o.at : pos+len(line)]
	if n := p.cut(record); n > 0 && p.fill(record, false) && p.row() {
		o.at, o.fault, o.sawLast = -1, nil, true
		p.emit(o.line)
	} else if o.bars > columns+maxExtraBars || o.tries > maxTries {
		return p.drop()
	}
	return nil
}

// readLine reads a line as a record by itself, and reports whether it is one. If it has as
// many columns as the header, bad is the field that cannot be read, else nil.
func (p *parser) readLine(line []byte) bool {
	n := p.cut(line)
	if n >= len(p.layout.columns) && p.fill(line, true) && p.row() {
		return true
	}
	if n != len(p.layout.columns) {
		p.bad = nil
	}
	return false
}

// drop gives up the open record, if there is one.
func (p *parser) drop() error {
	o := &p.open
	if o.at >= 0 && o.fault == nil {
		first, _, _ := bytes.Cut(o.text[o.at:], []byte{'\n'})
		p.odd("broken-record", "records with the separator inside a text that hides where columns begin, or that are cut short: left out", o.line, first)
		o.at = -1
	}
	return o.fault
}

// canBegin reports whether the line that was cut last, of too few pieces, may be the first of a
// record: its columns look right up to the first that is a text.
func (p *parser) canBegin(line []byte) bool {
	n := len(p.cuts) - 1
	for i := range n {
		c := &p.layout.columns[min(i, len(p.layout.columns)-1)]
		switch {
		case c.bars > 0:
			return true
		case i == n-1: // cut off in a column that has no line ends
			return n > 1
		case c.take(p.layout.value(p.piece(line, i, i+1))) == noWay:
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

// taskID is the number of a job as sacct and squeue print it: that of a task of an
// array, 41_3, of all tasks that wait, 41_[1-6], or of a component of a heterogeneous
// job, 12+1.
func (r *record) taskID() []byte {
	has := func(id, part []byte) bool { return len(id) > 0 && string(id) != "0" && len(part) > 0 }
	waiting := r.ArrayTasks
	if bytes.HasPrefix(waiting, []byte("0x")) { // sacct's bits
		waiting = []byte("...")
	}
	switch {
	case has(r.ArrayID, r.ArrayTask):
		return fmt.Appendf(nil, "%s_%s", r.ArrayID, r.ArrayTask)
	case has(r.ArrayID, waiting):
		return fmt.Appendf(nil, "%s_[%s]", r.ArrayID, waiting)
	case has(r.HetID, r.HetOffset):
		return fmt.Appendf(nil, "%s+%s", r.HetID, r.HetOffset)
	}
	return r.JobIDRaw
}
