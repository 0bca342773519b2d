package delimited

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// csvSeparator is what stands between the columns, by the line that names them:
// a comma, or what other programs call CSV, a semicolon or a tab.
func csvSeparator(line []byte) byte {
	best := byte(',')
	for _, c := range []byte(";\t") {
		if bytes.Count(line, []byte{c}) > bytes.Count(line, []byte{best}) {
			best = c
		}
	}
	return best
}

// sniff says whether a text is a table of comma-separated values: its name
// ends in .csv, or its first line is names with commas, semicolons or tabs
// between.
func sniff(name string, head []byte) bool {
	lower := strings.ToLower(name)
	for _, pack := range []string{".gz", ".zst", ".bz2", ".xz"} {
		lower = strings.TrimSuffix(lower, pack)
	}
	if ext := filepath.Ext(lower); ext == ".csv" || ext == ".tsv" {
		return true
	}
	line, _, whole := bytes.Cut(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), []byte{'\n'})
	line = bytes.TrimSpace(line)
	if len(line) > 0 && (line[0] == ';' || line[0] == '#') { // other formats' comments
		return false
	}
	names := bytes.Split(line, []byte{csvSeparator(line)})
	if len(names) < 2 {
		return false
	}
	if !whole {
		names = names[:len(names)-1] // which may be cut
	}
	for _, n := range names {
		n = bytes.TrimSpace(n)
		if bytes.IndexByte(n, '|') >= 0 {
			return false
		}
		if len(n) > 0 {
			if _, want := parse.Number(n); want == "" {
				return false
			}
		}
	}
	return true
}

// open reads a table of comma-separated values (RFC 4180) whose first line
// names its columns. Columns of the job table are found by their names and by
// o.Map; times are seconds or timestamps, identifiers numbers or texts, which
// the text up to the first few thousand jobs decides. It reads so far now and
// the rest as batches are pulled: one goroutine cuts the text at the ends of
// records, o.Workers decode.
func open(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	return openChunks(name, r, o, parse.ChunkSize)
}

func openChunks(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	zone, err := o.Zone(name)
	if err != nil {
		return nil, err
	}
	workers := par.Workers(o.Workers)
	lines := parse.NewLines(name, r, size, 2*workers+2)
	s := &csvReader{
		plan:    &csvPlan{file: name, times: csvTimes{zone: zone}},
		cutter:  &csvCutter{name: name, lines: lines},
		workers: workers,
	}
	s.log, s.from = workload.NewLog(name, "csv")
	if err := s.readHead(o); err != nil {
		return nil, s.atLine(err)
	}
	s.from.Names = &s.names.Names
	s.from.Batches = s.batches
	return s.log, nil
}

// csvReader is the state of a log that is being read.
type csvReader struct {
	plan    *csvPlan
	cutter  *csvCutter
	workers int
	log     *workload.Log
	from    *workload.Reading

	pending csvChunk // read with the first line, from the first job on
	line    int64    // lines read so far
	row     int64    // jobs read so far
	sum     float64  // of the interarrival times so far
	names   parse.Names
	order   parse.SubmitOrder
	used    bool
}

// maxCSVColumns bounds the columns of a file: a job has not so many sides.
const maxCSVColumns = 10_000

// readHead reads the names of the columns, and looks at the values behind them
// as far as the first chunk goes.
func (s *csvReader) readHead(o workload.Options) error {
	for {
		chunk, err := s.cutter.next()
		if err == io.EOF {
			return &workload.InputError{File: s.plan.file, Saw: "no names of columns", Want: "a first line with them"}
		}
		if err != nil {
			return err
		}
		first, _, _ := bytes.Cut(bytes.TrimLeft(chunk.text, "\r\n"), []byte{'\n'})
		s.plan.separator = csvSeparator(first)
		r := newCSVRecords(chunk.text, s.plan.separator)
		ok, fault := r.next()
		if fault != nil {
			return &workload.InputError{File: s.plan.file, Line: fault.line, Saw: fault.saw, Want: fault.want}
		}
		if !ok {
			s.line += r.line
			continue
		}
		if len(r.fields) > maxCSVColumns {
			return &workload.InputError{File: s.plan.file, Line: r.at, Saw: fmt.Sprintf("%d columns", len(r.fields)), Want: fmt.Sprintf("at most %d", maxCSVColumns)}
		}
		for _, name := range r.fields {
			name = bytes.TrimSpace(name)
			if want := parse.CheckText(name); want != "" {
				return &workload.InputError{File: s.plan.file, Line: r.at, Field: "columns", Saw: workload.Shorten(name), Want: want}
			}
			s.plan.names = append(s.plan.names, string(name))
		}
		if s.plan.fields, err = mapCSV(s.plan.file, s.plan.names, o.Map, &s.from.Warnings); err != nil {
			return err
		}
		s.from.Declare(columnsOf(s.plan.fields))
		s.line += r.line
		s.pending = csvChunk{text: chunk.text[r.pos:]}
		if err := s.readJobs(); err != nil {
			return err
		}
		return s.probe(o)
	}
}

// readJobs reads on until a chunk that holds a job is pending, or the text has
// come to its end.
func (s *csvReader) readJobs() error {
	for {
		r := newCSVRecords(s.pending.text, s.plan.separator)
		if ok, fault := r.next(); ok || fault != nil {
			return nil
		}
		s.line += r.line
		chunk, err := s.cutter.next()
		if err == io.EOF {
			s.pending = csvChunk{}
			return nil
		}
		if err != nil {
			return err
		}
		s.pending = csvChunk{text: chunk.text}
	}
}

// probe decides by the first chunk what kind of values the columns hold: times
// are timestamps where the first known one is, identifiers are texts
// where one is no whole number.
func (s *csvReader) probe(o workload.Options) error {
	var (
		p       = s.plan
		r       = newCSVRecords(s.pending.text, p.separator)
		clock   = &parse.Clock{Zone: p.times.zone}
		decided bool
		local   bool
		least   = [csvTargets]int64{workload.ColSubmitTime: math.MaxInt64, csvStart: math.MaxInt64, csvEnd: math.MaxInt64}
	)
	for {
		// A fault in the text is found again, in its place, when jobs are read.
		ok, fault := r.next()
		if !ok || fault != nil || len(r.fields) != len(p.names) {
			break
		}
		for i := range p.fields {
			f := &p.fields[i]
			v := bytes.TrimSpace(r.fields[f.at])
			if len(v) == 0 {
				continue
			}
			switch f.kind {
			case csvPoint:
				if parse.NoValue(v) {
					continue
				}
				if !decided {
					// A date of the year 0 is a timestamp, if not a good one.
					_, _, _, want := parse.Stamp(v)
					decided, p.times.stamps = true, want != parse.WantStamp
				}
				if p.times.stamps {
					if seconds, _, _, want := p.times.instant(clock, v); want == "" {
						least[f.target] = min(least[f.target], seconds)
						_, _, l, _ := parse.Stamp(v)
						local = local || l
					}
				} else if x, want := parse.Number(v); want == "" && math.Abs(x) <= parse.MaxUnix {
					least[f.target] = min(least[f.target], int64(x))
				}
			case csvID:
				if parse.NoValue(v) && workload.NameKey(f.target) == "" {
					continue
				}
				if _, want := parse.Whole(v); want == "a whole number" {
					switch {
					case workload.NameKey(f.target) != "":
						f.kind = csvText
					case f.target == workload.ColJobID && !parse.Infinite(v): // beside names it may be one, such as 1e309 of hashes
						f.kind = csvByRow
						s.from.Warnings.Add("text-job-id", "jobs are named by text: they are numbered by row", s.line+r.at, workload.Shorten(v))
					}
				}
			}
		}
	}
	first := int64(0)
	for _, target := range []int{workload.ColSubmitTime, csvStart, csvEnd} {
		if least[target] != math.MaxInt64 {
			first = max(least[target], 0)
			break
		}
	}
	// What this package wrote comes back as it was.
	ours := slices.Equal(p.names, workload.ColumnNames(columnsOf(p.fields).Written()))
	if !p.times.stamps && first > parse.ManyYears && !ours {
		p.times.start = first
		s.log.Header.Add("UnixStartTime", strconv.FormatInt(first, 10))
		s.from.Warnings.Add("unix-time", "times are seconds since 1970: the log's second 0 is the first of them", 0, "")
	}
	if p.times.stamps {
		p.times.start = first
		h := &s.log.Header
		h.Add("UnixStartTime", strconv.FormatInt(p.times.start, 10))
		if o.TimeZone != "" {
			h.Add("TimeZoneString", o.TimeZone)
		} else if local {
			s.from.Warnings.Add("time-zone", "times are local, and no time zone is given: they are read as UTC", 0, "")
		}
	}
	return nil
}

// atLine makes the line of an error absolute, which came as one counted from
// the lines read so far.
func (s *csvReader) atLine(err error) error {
	var e *workload.InputError
	if errors.As(err, &e) && e.Line > 0 {
		e.Line += s.line
	}
	return err
}

// chunks yields the text from the first job on.
func (s *csvReader) chunks() iter.Seq2[csvChunk, error] {
	return func(yield func(csvChunk, error) bool) {
		if !yield(s.pending, nil) {
			return
		}
		for {
			chunk, err := s.cutter.next()
			if err == io.EOF || !yield(chunk, err) || err != nil {
				return
			}
		}
	}
}

// batches decodes the chunks, several at a time, and puts together what only
// their order can tell: line numbers, numbers of names, sums of interarrival
// times and the order of submissions.
func (s *csvReader) batches(yield func(workload.Batch, error) bool) {
	if s.used {
		yield(nil, fmt.Errorf("%s: a log can be read only once", s.log.Name))
		return
	}
	s.used = true
	decode := func(chunk csvChunk) (*csvBatch, error) {
		if chunk.recycle {
			defer s.cutter.lines.Recycle(chunk.text)
		}
		return s.plan.parse(chunk.text)
	}
	for b, err := range par.Map(s.workers, s.chunks(), decode, nil) {
		if err != nil {
			yield(nil, s.atLine(err))
			return
		}
		for i := range b.odds {
			b.odds[i].line += s.line
			s.from.Warnings.Count(b.odds[i].warning())
		}
		lines := &workload.RowLines{Row: s.row, Line: s.line, Gaps: b.gaps}
		s.line += b.lines
		if b.rows == 0 {
			continue
		}
		if err := s.finish(b, lines); err != nil {
			yield(nil, err)
			return
		}
		rec := b.record()
		s.order.Count(rec, &s.from.Warnings, func(i int) int64 { return lines.Of(s.row + int64(i)) })
		s.from.Lines = lines
		s.row += int64(b.rows)
		more := yield(rec, nil)
		rec.Release()
		if !more {
			return
		}
	}
	s.names.Warn(&s.from.Warnings)
	s.names.AddTo(&s.log.Header)
}
