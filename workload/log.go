package workload

import (
	"errors"
	"fmt"
	"iter"
)

// Log is an opened job log. Its header is known; its jobs are read as they are
// pulled, by Batches or by Jobs. A Log is read once, by one goroutine: to read the
// same jobs again, open the log again. logfile.Open opens a file; LogOf makes a log of
// jobs in memory, which can be read any number of times.
type Log struct {
	Name   string // the path as given, or "-" for standard input
	Format string // the name of its Format: "swf", "parquet", "arrow", ...; "memory" for LogOf
	Header Header

	from     Reading
	position func() (read, size int64) // nil if the log is not a file
	inMemory bool                      // can be read more than once
	used     bool                      // reading has begun
	closed   bool
}

// Reading holds the part of a Log that the reader of a format fills in. The reader sets Names,
// Batches, Lacks and Close when it opens the log, and the other fields while batches are read.
type Reading struct {
	Names    *Names    // for formats that name users and queues by text; otherwise nil
	Batches  BatchSeq  // the jobs, see Log.Batches; read at most once
	Warnings Warnings  // problems that did not stop the reading
	Lines    *RowLines // of the batch yielded last; nil for formats without lines

	Lacks      [NumColumns]bool // see Log.Lacks
	Taken      float64          // s, see Log.Taken
	TakenKnown bool             // whether Taken is set
	Ranked     bool             // see Log.Ranked
	Pending    []Pending        // see Log.Pending
	Close      func() error     // frees what the reader holds; may be nil
}

// NewLog returns a log and the Reading through which the reader of its format fills it in. The
// log lacks all optional columns until the reader declares them, with Declare or by setting
// elements of Lacks to false.
func NewLog(name, format string) (*Log, *Reading) {
	l := &Log{Name: name, Format: format}
	l.from.Declare(0)
	return l, &l.from
}

// Declare declares the optional columns that the log has; the log lacks all others.
func (r *Reading) Declare(has ColumnSet) {
	for c := FirstOptional; c < NumColumns; c++ {
		r.Lacks[c] = !has.Has(c)
	}
}

// WithLog opens a log, calls f to read it, and closes it. It returns the closed log, whose
// header and warnings are then complete, and the error of f.
func WithLog(open func() (*Log, error), f func(*Log) error) (*Log, error) {
	log, err := open()
	if err != nil {
		return nil, err
	}
	defer log.Close()
	return log, f(log)
}

// AtClose adds a function for Close to call, after those added before. Close joins their errors.
func (l *Log) AtClose(f func() error) {
	before := l.from.Close
	l.from.Close = func() error {
		if before == nil {
			return f()
		}
		return errors.Join(before(), f())
	}
}

// CountBy sets the function that Position calls.
func (l *Log) CountBy(f func() (read, size int64)) { l.position = f }

// Summary identifies the log from which a result was computed.
type Summary struct {
	Name string `json:"name"` // Log.Name
	Jobs int    `json:"jobs"` // number of jobs that the result is based on
}

// Options configures how a log is opened. The zero value holds the defaults.
type Options struct {
	Workers int // goroutines that decode; 0 means one per core
	// TimeZone is the time zone of the log's site, a name of the IANA database such as
	// "Europe/Zurich". Local times are read in it, and a header that gives the log's start
	// but no zone gets it as TimeZoneString. A zone in the log takes precedence, with a
	// warning. If TimeZone is empty, local times are read as UTC, with a warning.
	TimeZone string
	// WaitFrom is the moment from which waits count: WaitFromSubmit, or WaitFromEligible
	// for the moment at which a held job could start, which then becomes its submission. If
	// the log has held jobs, either gives a warning. "" means WaitFromSubmit without a
	// warning.
	WaitFrom string
	// Map names the columns of a file in CSV, Parquet or Arrow: it maps a column of the job table,
	// with or without its unit, to the file's column ("submit_time" to "Submitted").
	// "start_time" and "end_time" give waits and run times, and "interarrival_time" gives
	// submissions. Other formats do not need it.
	Map map[string]string
	// As is the name of a built-in mapping, and MapFile the path of a mapping file, for
	// tables of other programs in CSV, JSON, Parquet or Arrow (see workload/mapping). Without
	// them, such a table is read if its columns are those of a published trace.
	As, MapFile string
	// Formats are the formats that logfile tries in order; nil means logfile.Formats().
	Formats []*Format
}

// Batches yields the jobs in batches. A log can be read only once, unless it is from LogOf. An
// error is the last thing that Batches yields: an *InputError for a fault in the log, or one that
// wraps ErrClosed after Close. Batches returns nil if the log's format has set no batches.
func (l *Log) Batches() BatchSeq {
	if l.from.Batches == nil {
		return nil
	}
	return func(yield func(*Batch, error) bool) {
		if l.closed {
			yield(nil, l.closedError())
			return
		}
		if l.used && !l.inMemory {
			yield(nil, fmt.Errorf("%s: a log can be read only once: open it again", l.Name))
			return
		}
		l.used = true
		for b, err := range l.from.Batches {
			if l.closed { // closed during this loop: drop batches that were read ahead
				yield(nil, l.closedError())
				return
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// Pending is the total time that jobs of a log waited for one kind of reason.
type Pending struct {
	Reason  string
	Jobs    int64
	Seconds float64
}

// Pending returns the reasons for which jobs of a Slurm log waited, if the log gives reasons. It
// is known once the whole log has been read. Held jobs count, even those that the reader of a
// queue listing leaves out.
func (l *Log) Pending() []Pending { return l.from.Pending }

// Jobs yields the jobs one by one, as Batches does; Job.Row counts from 0.
func (l *Log) Jobs() iter.Seq2[Job, error] { return Jobs(l.Batches()) }

// ErrClosed is the cause of the error for reading a log after Close.
var ErrClosed = errors.New("the log is closed: read it before Close")

func (l *Log) closedError() error { return &InputError{File: l.Name, Err: ErrClosed} }

// Warnings returns the problems counted in the part of the log read so far. It is complete once
// the log has been read.
func (l *Log) Warnings() []Warning { return l.from.Warnings.List() }

// Lacks reports whether no job of the log has a value in a column (ColWaitTime, ...), as far as
// this is known before the log is read: for a Parquet or Arrow file without the column, or a
// Parquet file that counts only nulls in it. Even if Lacks returns false, the column may have no
// values.
func (l *Log) Lacks(column int) bool { return l.from.Lacks[column] }

// Position returns the number of bytes of the log's file read so far and the file's size, both
// compressed if the file is. Both are 0 if the log is not read from a file. Position may be
// called while another goroutine reads the log.
func (l *Log) Position() (read, size int64) {
	if l.position == nil {
		return 0, 0
	}
	return l.position()
}

// Taken returns the time at which the log was written, in seconds from the log's start. Slurm's
// listings show it, by a time of their own or by those of their jobs, such as how long each
// running job has run. known is false if the log does not show it. For a log of sacct it is known
// only after reading.
func (l *Log) Taken() (seconds float64, known bool) { return l.from.Taken, l.from.TakenKnown }

// Ranked reports whether the waiting jobs are in the order in which the scheduler would start
// them, as in a listing of Slurm's queue with priorities.
func (l *Log) Ranked() bool { return l.from.Ranked }

// Close releases the file. The header and the warnings stay; reading jobs afterwards
// is an error, ErrClosed. A second call does nothing.
func (l *Log) Close() error {
	l.closed = true
	if l.from.Close == nil {
		return nil
	}
	err := l.from.Close()
	l.from.Close = nil
	return err
}

// ErrNoJobs is the cause of the error for an input without jobs, where a computation needs
// some.
var ErrNoJobs = errors.New("no jobs")

// HeaderGrows reports whether the header is complete only after the log has been read.
// Formats that name users and queues by text add the names at the end.
func (l *Log) HeaderGrows() bool { return l.from.Names != nil }

// Names returns the names of users, queues and the like in the batches read so far, for
// a format that has texts in place of numbers. It is nil for other formats, whose header
// has the names from the start (see HeaderGrows).
func (l *Log) Names() *Names { return l.from.Names }

// LogOf returns a log of jobs in memory, for functions that read a log: those of fit, evaluate,
// inspect, reshape and others. name identifies the log in results and messages. header is
// copied; Header{} is valid, but much of the toolkit needs the machine's size (MaxProcs) and the
// time of second 0 (UnixStartTime, TimeZoneString):
//
//	var header workload.Header
//	header.Set("MaxProcs", "128")
//	log := workload.LogOf("mine", header, jobs)
//
// Begin each job with UnknownJob, because the zero value of a field is a known 0. The jobs
// should be in order of submission, as in a file. They are not modified, and the caller must not
// modify them while the log is read: Row and Size are filled in on copies. Size is
// RigidSize(Allocated, Processors); a job that has a Size but neither of these is taken to have
// requested Size processors.
//
// For a stream of jobs that does not fit in memory, use NewLog; such a log can be read once.
func LogOf(name string, header Header, jobs []Job) *Log {
	l, from := NewLog(name, "memory")
	l.Header, l.inMemory = header.Clone(), true
	from.Batches = Batches(withProcessors(jobs))
	from.Declare(optionalOf(jobs))
	return l
}

// withProcessors yields the jobs, with Size as the Processors of jobs that have only a Size,
// because a batch has no column of sizes.
func withProcessors(jobs []Job) JobSeq {
	return Each(JobsOf(jobs), func(j *Job) {
		if j.Size > 0 && RigidSize(j.Allocated, j.Processors) == Unknown {
			j.Processors = j.Size
		}
	})
}

// optionalOf returns the optional columns in which some job has a value.
func optionalOf(jobs []Job) (has ColumnSet) {
	for i := range jobs {
		j := &jobs[i]
		for c := FirstOptional; c < NumColumns; c++ {
			if columns[c].Known(j) {
				has |= 1 << c
			}
		}
	}
	return has
}

// RowLines maps rows of a batch to lines of the text. In most texts every line from the
// first job on has a job, so only the lines without one are stored.
type RowLines struct {
	Row  int64     // rows of the log before the batch
	Line int64     // lines before its first row
	Gaps []LineGap // within the batch, in ascending order of rows

	next, passed int // number of gaps up to the row requested last, and the lines in them
}

// NewRowLines returns the lines of a batch. before is the number of rows of the log before the
// batch, rows the number of its rows, at least 1, and line returns the line of each of its rows.
func NewRowLines(before int64, rows int, line func(row int) int64) *RowLines {
	next := line(0)
	lines := &RowLines{Row: before, Line: next - 1}
	for i := range rows {
		at := line(i)
		if at != next {
			lines.Gaps = append(lines.Gaps, LineGap{Row: i, Lines: int(at - next)})
		}
		next = at + 1
	}
	return lines
}

// LineGap records that Lines lines without a job directly precede Row, which counts from 0
// within the batch.
type LineGap struct{ Row, Lines int }

// Line returns the line, from 1, of a row in the batch that was yielded last, or 0 if the format
// has no lines. Rows count from 0 over the whole log. Ask for rows in ascending order: going
// back repeats the search from the start of the batch.
func (l *Log) Line(row int64) int64 {
	if l.from.Lines == nil {
		return 0
	}
	return l.from.Lines.Of(row)
}

// Of returns the line, from 1, of a row of the batch. Rows count from 0 over the whole log.
func (r *RowLines) Of(row int64) int64 {
	at := int(row - r.Row)
	if r.next > 0 && r.Gaps[r.next-1].Row > at {
		r.next, r.passed = 0, 0
	}
	for r.next < len(r.Gaps) && r.Gaps[r.next].Row <= at {
		r.passed += r.Gaps[r.next].Lines
		r.next++
	}
	return r.Line + int64(at+r.passed) + 1
}

// Writer writes batches of jobs in one format. Close completes the file's content (footers,
// buffered text) and leaves the underlying file open. After an error only Close may be called.
type Writer interface {
	// Write writes a batch. It does not retain it.
	Write(b *Batch) error
	// Close completes the content. It may be called after an error.
	Close() error
}
