package slurm

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
)

// maxLookout is how many chunks are read to find the log's first time.
const maxLookout = 16

// sacctSource is a text of records in one form: sacct's lines or its JSON.
type sacctSource interface {
	// next returns a chunk that begins with a record and ends with one, or io.EOF.
	next() (jsontext.Chunk, error)
	// decode reads a chunk into b, which is empty, and takes its memory back. Several
	// goroutines may call it. Lines, those of an error too, count from the lines before
	// the chunk where the source does not know them.
	decode(c jsontext.Chunk, b *sacctBatch) error
}

// sacctReader is the state of a log that is being read.
type sacctReader struct {
	name    string
	workers int
	zone    *time.Location
	sure    bool // the zone was given
	log     *workload.Log
	from    *workload.Reading
	source  sacctSource
	layout  *sacctLayout
	table   *sacctTable
	spare   chan *sacctBatch // to use again

	ahead []*sacctBatch // decoded when the log was opened
	line  int64         // lines read so far, 0 where the source counts
	row   int64
	used  bool
}

func newSacctReader(name, format string, o workload.Options) (*sacctReader, error) {
	zone, err := o.Zone()
	if err != nil {
		return nil, err
	}
	workers := par.Workers(o.Workers)
	s := &sacctReader{name: name, workers: workers, zone: zone, sure: o.TimeZone != "", spare: make(chan *sacctBatch, 2*workers+2)}
	s.log, s.from = workload.NewLog(name, format)
	s.table = newSacctTable(s.from)
	return s, nil
}

// open reads as far as the first time and returns the log.
func (s *sacctReader) open(source sacctSource, l *sacctLayout) (*workload.Log, error) {
	s.source, s.layout = source, l
	s.table.has = l.columnsOf()
	s.from.Declare(s.table.has)
	if err := s.lookOut(); err != nil {
		return nil, err
	}
	s.writeHeader(&s.log.Header)
	s.from.Names = &s.table.names.Names
	s.from.Batches = s.batches
	return s.log, nil
}

func (s *sacctReader) decode(c jsontext.Chunk) (*sacctBatch, error) {
	var b *sacctBatch
	select {
	case b = <-s.spare:
		b.reset()
	default:
		b = &sacctBatch{}
	}
	return b, s.source.decode(c, b)
}

// chunks yields the chunks that are still to be decoded.
func (s *sacctReader) chunks() iter.Seq2[jsontext.Chunk, error] {
	return func(yield func(jsontext.Chunk, error) bool) {
		for {
			c, err := s.source.next()
			if err == io.EOF || !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// lookOut reads up to the first job whose submission is known, from which the
// log's seconds count.
func (s *sacctReader) lookOut() error {
	s.table.start = math.NaN()
	if !s.layout.has(sacctSubmit) {
		return nil
	}
	line := s.line
	for len(s.ahead) < maxLookout {
		chunk, err := s.source.next()
		if err == io.EOF {
			return nil
		}
		var b *sacctBatch
		if err == nil {
			b, err = s.decode(chunk)
		}
		if err != nil {
			return atLine(err, line)
		}
		s.ahead = append(s.ahead, b)
		for i := range b.rows {
			s.table.asked = s.table.asked || b.rows[i].askedGPUs > 0
			s.table.given = s.table.asked || s.table.given || b.rows[i].gpus > 0
		}
		line += b.lines
		for i := range b.rows {
			if r := &b.rows[i]; !r.step && !math.IsNaN(r.submit) {
				y, m, d := time.Unix(int64(r.submit), 0).In(s.zone).Date()
				s.table.start = float64(time.Date(y, m, d, 0, 0, 0, 0, s.zone).Unix())
				return nil
			}
		}
	}
	return &workload.InputError{File: s.name, Field: s.layout.fieldName(sacctSubmit), Saw: "no job with a time in the first 16 MiB", Want: "times of submission"}
}

// batches decodes the chunks, several at a time, and gives each in its order
// to the table.
func (s *sacctReader) batches(yield func(workload.Batch, error) bool) {
	if s.used {
		yield(nil, fmt.Errorf("%s: a log can be read only once: open it again", s.name))
		return
	}
	s.used = true
	local := false
	flush := func(n int) bool {
		rec, lines := s.table.take(n)
		defer rec.Release()
		s.from.Lines = linesOfRows(s.row, lines)
		s.row += int64(n)
		return yield(rec, nil)
	}
	take := func(batch *sacctBatch) bool {
		if batch.local && !local && !s.sure {
			s.from.Warnings.Add("no-time-zone", "local times without a zone, read as UTC: name the zone by --timezone, such as Europe/Zurich", 0, "")
		}
		local = local || batch.local
		if at := batch.taken - s.table.start; batch.taken > 0 && !(at <= s.from.Taken && s.from.TakenKnown) && !math.IsNaN(at) {
			s.from.Taken, s.from.TakenKnown = at, true
		}
		s.table.add(batch, s.line)
		s.line += batch.lines
		select {
		case s.spare <- batch:
		default:
		}
		for len(s.table.jobs) >= 2*workload.DefaultBatchRows {
			if !flush(workload.DefaultBatchRows) {
				return false
			}
		}
		return true
	}
	for _, batch := range s.ahead {
		if !take(batch) {
			return
		}
	}
	s.ahead = nil
	for batch, err := range par.Map(s.workers, s.chunks(), s.decode, nil) {
		if err != nil {
			yield(nil, atLine(err, s.line))
			return
		}
		if !take(batch) {
			return
		}
	}
	if s.row == 0 && len(s.table.jobs) == 0 && s.line > 1 { // the first line alone says: none in that time
		yield(nil, s.noJobs())
		return
	}
	s.endHeader(&s.log.Header)
	for len(s.table.jobs) > 0 {
		if !flush(min(len(s.table.jobs), workload.DefaultBatchRows)) {
			return
		}
	}
}

// noJobs is the error for a log with records of which none is a job.
func (s *sacctReader) noJobs() error {
	e := &workload.InputError{File: s.name, Err: fmt.Errorf("%w in %d lines", workload.ErrNoJobs, s.line)}
	broken := slices.IndexFunc(s.from.Warnings.List(), func(w workload.Warning) bool { return w.Rule == "broken-record" })
	if n := s.table.steps; broken >= 0 {
		w := s.from.Warnings.List()[broken]
		e.Line, e.Saw, e.Want = w.Line, w.Saw, "records with "+words.Counted(len(s.layout.columns), "column")+", as the first line has"
	} else if n > 0 {
		e.Saw = words.Counted(int(n), "step") + " without their jobs"
	} else if list := s.from.Warnings.List(); len(list) > 0 {
		last := list[len(list)-1]
		e.Line, e.Saw = last.Line, last.String()
	}
	return e
}

// atLine makes the line of an error absolute, which counts from the lines read
// so far.
func atLine(err error, before int64) error {
	var e *workload.InputError
	if errors.As(err, &e) && e.Line > 0 {
		e.Line += before
	}
	return err
}

// linesOfRows is where the rows of a batch are in the text.
func linesOfRows(row int64, lines []int64) *workload.RowLines {
	r := &workload.RowLines{Row: row, Line: lines[0] - 1}
	for i := 1; i < len(lines); i++ {
		if gap := lines[i] - lines[i-1] - 1; gap != 0 {
			r.Gaps = append(r.Gaps, workload.LineGap{Row: i, Lines: int(gap)})
		}
	}
	return r
}
