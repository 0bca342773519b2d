package slurm

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

const (
	// maxRecord is the longest record of several lines that is looked for.
	maxRecord = 4 << 20
	// maxLookout is how many chunks are read to find the log's first time.
	maxLookout = 16
)

// Sacct is what Slurm's sacct prints with -P or -p; it is read only.
var Sacct = workload.Format{
	Name: "sacct",
	Sniff: func(_ string, r *bufio.Reader, _ workload.Options) bool {
		head, _ := r.Peek(parse.Sniffed)
		return isSacct(head) || otherSacct(head) != ""
	},
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		if head, _ := r.Peek(parse.Sniffed); !isSacct(head) {
			return nil, &workload.InputError{File: name, Line: 1, Saw: parse.ShortenLine(head), Want: otherSacct(head)}
		}
		return openSacct(name, r, o)
	},
}

// openSacct reads what Slurm's sacct prints with -p or -P: a line with the
// names of the columns, then a record of a job or of a step of one a line,
// with bars between the fields (man page sacct(1), "--parsable"). Any columns
// in any order will do, as long as JobID or JobIDRaw and some time are among
// them; best are those of
//
//	sacct -a -D -P --array --noconvert -S ... -E ... -o JobID,JobIDRaw,Cluster,User,Account,Partition,QOS,JobName,State,Submit,Start,End,ElapsedRaw,Suspended,TimelimitRaw,NNodes,NCPUS,ReqCPUS,ReqMem,TotalCPU,MaxRSS,NTasks,NodeList
//
// What becomes a column of the job table:
//   - Second 0 is midnight, at the site, of the day on which the first job was
//     submitted. Jobs of earlier days that come later have negative times and
//     are counted.
//   - user is User (else UID), group is Account, which Slurm's limits and
//     shares go by (else Group, else GID), application is JobName, queue is
//     QOS (else Partition), partition is Partition: as numbers, see Names.
//   - run time is Elapsed with the time suspended in it, wait is Start less
//     Submit. A job that waits still, or was cancelled before it started, has
//     neither; a job that runs still has no run time.
//   - requested memory is for each processor asked for, whatever ReqMem counts.
//   - steps are no jobs: they give the job above them their TotalCPU, where it
//     has none, and their MaxRSS times their tasks, which is an upper bound of
//     what was used; both divided by the processors.
//   - status is completed for COMPLETED, cancelled for CANCELLED, unknown for a
//     job that has not ended, else failed. Of a job with several records those
//     that were requeued, preempted, lost a node or changed size are partial
//     (2), and the last of them is 3 or 4, where they lie within 32,768 jobs.
//     How many jobs were in which state is in a note of the header in the end.
func openSacct(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	return openSacctChunks(name, r, o, parse.ChunkSize)
}

func openSacctChunks(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	zone, err := o.Zone(name)
	if err != nil {
		return nil, err
	}
	workers := par.Workers(o.Workers)
	s := &sacctReader{
		name: name, workers: workers, zone: zone, sure: o.TimeZone != "",
		lines: parse.NewLines(name, r, size, 2*workers+2),
		free:  make(chan []byte, 2*workers+2),
		spare: make(chan *sacctBatch, 2*workers+2),
	}
	s.log, s.from = workload.NewLog(name, "sacct")
	if err := s.readLayout(); err != nil {
		return nil, err
	}
	s.table = newSacctTable(s.from)
	for _, name := range s.layout.unknown {
		s.from.Warnings.Add("unknown-column", "columns that are not known of sacct: left out", 1, workload.Shorten([]byte(name)))
	}
	if n := len(s.layout.unused); n > 0 {
		s.from.Warnings.Count(workload.Warning{Rule: "left-out-columns", Text: "columns that the job table has no place for", Count: int64(n), Saw: parse.ListShort(s.layout.unused)})
	}
	if err := s.lookOut(); err != nil {
		return nil, err
	}
	s.writeHeader(&s.log.Header)
	s.from.Names = &s.table.names.Names
	s.from.Batches = s.batches
	return s.log, nil
}

// sacctReader is the state of a log that is being read.
type sacctReader struct {
	name    string
	workers int
	zone    *time.Location
	sure    bool // the zone was given
	lines   *parse.Lines
	log     *workload.Log
	from    *workload.Reading
	layout  *sacctLayout
	table   *sacctTable

	carry  []byte       // lines for the next chunk
	finder *sacctParser // finds where to cut
	ended  bool
	free   chan []byte      // chunks to use again
	spare  chan *sacctBatch // to use again

	ahead []*sacctBatch // decoded when the log was opened
	line  int64         // lines read so far
	row   int64
	used  bool
}

// readLayout takes the header line.
func (s *sacctReader) readLayout() error {
	chunk, err := s.lines.Next()
	if err == io.EOF {
		return &workload.InputError{File: s.name, Err: workload.ErrNoJobs}
	}
	if err != nil {
		return err
	}
	end := bytes.IndexByte(chunk, '\n')
	if end > parse.MaxLine {
		return parse.LineTooLong(s.name, 1, chunk[:end])
	}
	if s.layout, err = newSacctLayout(s.name, string(parse.TrimReturn(chunk[:end]))); err != nil {
		return err
	}
	s.finder = newSacctParser(s.name, s.layout, s.zone, nil, &sacctBatch{})
	s.line = 1
	s.carry = append(s.carry, chunk[end+1:]...)
	s.lines.Recycle(chunk)
	return nil
}

func (s *sacctReader) decode(chunk []byte) (*sacctBatch, error) {
	defer s.recycle(chunk)
	var b *sacctBatch
	select {
	case b = <-s.spare:
		b.reset()
	default:
		b = &sacctBatch{rows: make([]sacctRow, 0, parse.MostJobs(chunk, 64))}
	}
	return parseSacct(s.name, s.layout, s.zone, chunk, b)
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
		chunk, err := s.next()
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
		yield(nil, fmt.Errorf("%s: a log can be read only once", s.name))
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
			s.from.Warnings.Add("no-time-zone", "local times without a zone, read as UTC: say --timezone", 0, "")
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
		e.Line, e.Saw, e.Want = w.Line, w.Saw, "records with "+parse.Plural(len(s.layout.columns), "column")+", as the first line has"
	} else if n > 0 {
		e.Saw = parse.Plural(int(n), "step") + " without their jobs"
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
