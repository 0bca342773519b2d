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

// source yields a text of records in one form, in chunks, and decodes them.
type source interface {
	// next returns a chunk of whole records, or io.EOF.
	next() (jsontext.Chunk, error)
	// decode decodes a chunk into b, which is empty, and takes back the memory of the chunk.
	// Several goroutines may call it. If the source does not know the number of lines before the
	// chunk, line numbers, including those of errors, count from its start.
	decode(c jsontext.Chunk, b *batch) error
}

// textLines is the source of records in lines: of sacct, squeue or scontrol.
type textLines struct {
	*reader
	lines *parse.Lines
	// take reads the record at the start of text, which is whole lines, and returns its length,
	// or 0 if it is only the first line, which is line. The batch counts the lines before it.
	take func(p *parser, line, text []byte) (length int, err error)
}

// openLines sets the source to lines, and the layout to that of the header line.
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
	s.take = (*parser).queueLine
	if !queue {
		s.take = (*parser).sacctRecord
		s.lines.Cut = newParser(r, &batch{}).lastRecord
	}
	return nil
}

func (s *textLines) next() (jsontext.Chunk, error) {
	text, err := s.lines.Next()
	return jsontext.Chunk{Text: text}, err
}

// decode decodes a chunk of whole lines, the last of which ends with a newline, too. The line of
// an error counts from the chunk's start.
func (s *textLines) decode(c jsontext.Chunk, b *batch) error {
	defer s.lines.Recycle(c.Text)
	if cap(b.rows) == 0 {
		b.rows = make([]row, 0, parse.MostJobs(c.Text, 64))
	}
	p := newParser(s.reader, b)
	text, rest := c.Text, []byte(nil) // rest begins with the first line that has binary data
	if binary := bytes.IndexByte(text, 0); binary >= 0 {
		begin := bytes.LastIndexByte(text[:binary], '\n') + 1
		text, rest = text[:begin], text[begin:]
	}
	for len(text) > 0 {
		line, _, _ := bytes.Cut(text, []byte{'\n'})
		n, err := s.take(p, parse.TrimReturn(line), text)
		if err != nil {
			return err
		}
		n = max(n, len(line)+1)
		for line := range bytes.Lines(text[:n]) {
			if b.lines++; len(line) > parse.MaxLine+1 {
				return parse.LineTooLong(s.name, b.lines, line)
			}
		}
		text = text[n:]
	}
	if rest != nil {
		line, _, _ := bytes.Cut(rest, []byte{'\n'})
		return parse.NotText(s.name, b.lines+1, line)
	}
	return nil
}

// fill sets the fields to the values of the record that was cut last, and reports whether its
// columns can be found. A record of one line with one piece for each column is taken as it is.
func (p *parser) fill(text []byte, isLine bool) bool {
	p.record = record{}
	p.spread = nil
	last, from := len(p.layout.columns)-1, p.layout.plain
	if !isLine || len(p.cuts)-2 != last || !p.layout.columns[last].mayEnd(p.piece(text, last, last+1)) {
		if !p.align(text) {
			return false
		}
		if from = p.from; from[last] > last { // a column before the last takes surplus pieces
			p.spread = text
		}
	}
	for i := range p.layout.columns {
		field := p.layout.columns[i].field
		if field < 0 {
			continue
		}
		v := p.piece(text, from[i], from[i+1])
		if !p.layout.bare {
			v = p.layout.value(v)
		}
		// squeue prints priorities as fractions and as whole numbers, under the same name.
		if at := p.at[field]; len(*at) == 0 || bytes.IndexByte(*at, '.') >= 0 {
			*at = v
		}
	}
	return true
}

// queueLine reads a line of squeue.
func (p *parser) queueLine(line, _ []byte) (length int, err error) {
	if isBlank(line) || isDate(line) || p.isHeader(line) {
		return 0, nil
	}
	if p.layout.between == " " {
		line = bytes.Join(bytes.Fields(line), []byte{' '})
	}
	at := p.batch.lines + 1
	if n := p.cut(line); p.fill(line, true) {
		p.queueRecord(at)
	} else {
		p.batch.faults = append(p.batch.faults, &workload.InputError{File: p.name, Line: at, Saw: words.Counted(n, "column"),
			Want: words.Counted(len(p.layout.columns), "column") + ", as the header line has: columns separated by bars are the safest, " + squeueFormat})
	}
	return 0, nil
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// isDate reports whether a line is a date, which squeue -l and -i print above each header line.
func isDate(line []byte) bool {
	if len(line) != len(time.ANSIC) { // true for most lines; Parse would allocate an error for each
		return false
	}
	_, err := time.Parse(time.ANSIC, string(line))
	return err == nil
}

// isHeader reports whether a line repeats the header line, and counts it.
func (p *parser) isHeader(line []byte) bool {
	is := string(line) == p.layout.text
	if is {
		p.odd("repeated-header", "header lines among the records, as if several logs were in one file: left out", p.batch.lines+1, nil)
	}
	return is
}

// queueRecord interprets the fields as a record of a queue, which begins in a line, or adds its
// fault to the batch.
func (p *parser) queueRecord(line int64) {
	if string(p.ReqNodes) == "0" { // in JSON, not set
		p.ReqNodes = nil
	}
	p.NCPUS, p.NNodes = p.ReqCPUS, p.ReqNodes // a job of the queue is allocated what it requests
	if p.has.nodes && len(p.NodeList) == 0 {
		p.NodeList = []byte("None")
	}
	if p.row() {
		p.emit(line)
	} else {
		p.batch.faults = append(p.batch.faults, p.fault(line))
	}
}

// maxTries is the maximum number of attempts to complete a record by adding one more line.
const maxTries = 64

// sacctRecord reads a record of sacct. Its beginning and end can be unclear, because a name or a
// command line may contain bars and line ends. A line that is a record by itself always counts
// as one: either it has as many bars as the header, and values that can be read, or it has more
// bars, and the surplus ones can be assigned to some text. Any other line is the start of a
// record of several lines, which ends where it can be split in the same way.
func (p *parser) sacctRecord(line, text []byte) (length int, err error) {
	at, columns := p.batch.lines+1, p.layout.columns
	var fault error // for a line with the right number of bars
	switch {
	case p.isHeader(line):
		return 0, nil
	case p.readLine(line):
		p.emit(at)
		p.sawLast = true
		return 0, nil
	case p.bad != nil:
		fault = p.fault(at)
	case len(line) == 0:
		return 0, nil
	case !p.canBegin(line):
		// It may continue a record whose last column is a text of several lines.
		if !p.sawLast || columns[len(columns)-1].bars == 0 {
			p.odd("stray-line", "lines that belong to no record: left out", at, line)
		}
		return 0, nil
	}
	p.sawLast = false
	separator := []byte(p.layout.between)
	length = bytes.IndexByte(text, '\n') + 1
	for bars, tries := bytes.Count(line, separator), 0; length < len(text); {
		next, _, _ := bytes.Cut(text[length:], []byte{'\n'})
		end := length + len(next)
		if next = parse.TrimReturn(next); string(next) == p.layout.text || p.readLine(next) {
			break
		}
		record := text[:length+len(next)]
		length = end + 1
		if bars += bytes.Count(next, separator); bars < len(columns)-1 {
			continue
		}
		p.cut(record)
		if p.fill(record, false) && p.row() {
			p.emit(at)
			p.sawLast = true
			return length, nil
		}
		if tries++; tries > maxTries || bars > len(columns)+maxExtraBars {
			break
		}
	}
	if fault == nil {
		p.odd("broken-record", "records with the separator inside a text that hides where columns begin, or that are cut short: left out", at, line)
	}
	return length, fault
}

// readLine reads a line as a record by itself, and reports whether it is one. If the line has as
// many columns as the header, bad is the field that cannot be read; otherwise it is nil.
func (p *parser) readLine(line []byte) bool {
	p.bad = nil
	n, columns := p.cut(line), len(p.layout.columns)
	if n < columns || !p.fill(line, true) {
		return false
	}
	isRecord := p.row()
	if n != columns {
		p.bad = nil
	}
	return isRecord
}

// canBegin reports whether the line that was cut last, which has too few pieces, may be the
// first of a record: its first column has the right form.
func (p *parser) canBegin(line []byte) bool {
	return len(p.cuts) > 2 && p.layout.columns[0].take(p.layout.value(p.piece(line, 0, 1))) != noWay
}

// lastRecord returns the start of the last line that certainly begins a record, so that
// everything before it can be read on its own. It returns 0 if there is none.
func (p *parser) lastRecord(text []byte) int {
	for end := len(text); end > 0; {
		pos := bytes.LastIndexByte(text[:end-1], '\n') + 1
		// This is the decoder's own test, so both find the same records.
		if p.readLine(parse.TrimReturn(text[pos : end-1])) {
			p.batch.reset()
			return pos
		}
		end = pos
	}
	return 0
}

// taskID returns the number of a job as sacct and squeue print it: of a task of an array, 41_3,
// of all tasks that wait, 41_[1-6], or of a component of a heterogeneous job, 12+1.
func (r *record) taskID() []byte {
	has := func(id, part []byte) bool { return len(id) > 0 && string(id) != "0" && len(part) > 0 }
	waiting := r.ArrayTasks
	if bytes.HasPrefix(waiting, []byte("0x")) { // a bit mask of sacct
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
