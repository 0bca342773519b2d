package workload

import (
	"errors"
	"io"
	"iter"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Log is an opened job log. Its header is known; its jobs are read as they are
// pulled, by Batches or by Jobs. A Log is read once, by one goroutine: to read the
// same jobs again, open the log again. logfile.Open opens a file; LogOf makes a log of
// jobs in memory.
type Log struct {
	Name   string // the path as given, or "-" for standard input
	Format string // the name of its Format: "swf", "parquet", "arrow", ...; "memory" for LogOf
	Header Header

	from     Reading
	position func() (read, size int64) // nil for what is no file
	closed   bool
}

// Reading is what the reader of a format gives a Log. It sets Names, Batches,
// Lacks and Close when it opens the log, and the rest as batches are pulled.
type Reading struct {
	Names    *Names // of a format that names users and queues by text; else nil
	Batches  BatchSeq
	Warnings Warnings
	Lines    *RowLines // of the batch yielded last; nil in formats without lines

	Lacks      [NumColumns]bool // see Log.Lacks
	Taken      float64          // see Log.Taken
	TakenKnown bool
	Close      func() error // may be nil

	Share     Share // that is read; a reader that can divide its log sets it
	LinesRead int64 // of the share, when it has been read; 0 where warnings have no lines, or those of the whole log
}

// NewLog returns a log for a reader of the format to fill in. The Reading
// belongs to the log. It lacks the optional columns until the reader declares
// them, by setting Lacks to false.
func NewLog(name, format string) (*Log, *Reading) {
	l := &Log{Name: name, Format: format}
	l.from.Declare(0)
	return l, &l.from
}

// Declare says which optional columns the log has.
func (r *Reading) Declare(has ColumnSet) {
	for c := FirstOptional; c < NumColumns; c++ {
		r.Lacks[c] = !has.Has(c)
	}
}

// AtClose has Close call f, after what it calls already.
func (l *Log) AtClose(f func() error) {
	before := l.from.Close
	l.from.Close = func() error {
		if before == nil {
			return f()
		}
		return errors.Join(before(), f())
	}
}

// CountBy has Position ask f.
func (l *Log) CountBy(f func() (read, size int64)) { l.position = f }

// Summary says which log a result is of.
type Summary struct {
	Name string `json:"name"`
	Jobs int    `json:"jobs"` // that the result is of
}

// Text is where a share of a text is read from.
type Text struct {
	Bytes int64       // of it all, unpacked
	At    io.ReaderAt // nil where it is compressed
}

// Share says which part of the log is read.
func (l *Log) Share() Share { return l.from.Share }

// LinesRead is how many lines a share has that counts its own; else 0.
func (l *Log) LinesRead() int64 { return l.from.LinesRead }

// Allocator gives the memory of batches.
type Allocator = memory.Allocator

// Options are how a log is opened; the zero value is the default.
type Options struct {
	Workers   int       // goroutines that decode; 0 is one a core
	Allocator Allocator // nil is Go's own memory
	// TimeZone is the zone of the log's site, a name of the IANA database such
	// as "Europe/Zurich": local times are read in it, and a header that says
	// when the log starts, but not in which zone, gets it as TimeZoneString. A
	// zone that the log names itself stays, with a warning. Where it is empty,
	// local times are read as UTC and a warning is counted.
	TimeZone string
	// WaitFrom is the moment from which waits are counted: WaitFromSubmit, or
	// WaitFromEligible for when a held job could start, which then is its
	// submission. Either says so in a warning where the log has held jobs; ""
	// is WaitFromSubmit without a word.
	WaitFrom string
	// Map names the columns of a CSV file: from a column of the job table, with
	// or without its unit, to the file's ("submit_time" to "Submitted"). Beside
	// them, "start_time" and "end_time" give waits and run times, and
	// "interarrival_time" gives submissions. Other formats do not need it.
	Map map[string]string
	// As is the name of a built-in mapping, and MapFile the file of a mapping, by
	// which tables of other programs in CSV, JSON or Parquet are read (see
	// workload/mapping). Without them such a table is read where its columns are
	// exactly those of a published source.
	As, MapFile string
	// Share is the part of the log that is read. logfile refuses one of a log that is
	// not divided.
	Share Share
	// Text is of a text of which a share is read; logfile sets it.
	Text Text
	// Formats are those that logfile looks for, the first that fits; nil stands for
	// logfile.Formats().
	Formats []*Format
}

// Batches yields the jobs as records with the schema of this package. A record
// is released when the next is asked for; Retain one to keep it. An error is the
// last thing that it yields: an *InputError for a fault of the log, ErrClosed after
// Close. It is nil for a log to which its format has given no batches.
func (l *Log) Batches() iter.Seq2[arrow.Record, error] {
	if l.from.Batches == nil {
		return nil
	}
	return func(yield func(arrow.Record, error) bool) {
		if l.closed {
			yield(nil, l.closedError())
			return
		}
		for rec, err := range l.from.Batches {
			if err != nil && l.closed {
				err = l.closedError() // and not what reading a closed file looks like
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// Jobs yields the jobs one by one, as Batches does; Job.Row counts from 0.
func (l *Log) Jobs() iter.Seq2[Job, error] { return Jobs(l.Batches()) }

// ErrClosed is the cause of the error of reading a log after Close.
var ErrClosed = errors.New("the log is closed: read it before Close")

func (l *Log) closedError() error { return &InputError{File: l.Name, Err: ErrClosed} }

// Warnings returns what was odd in the part of the log read so far.
func (l *Log) Warnings() []Warning { return l.from.Warnings.List() }

// Lacks says that no job of the log has a value in a column (ColWaitTime, ...), as
// far as the file tells before it is read: a Parquet or Arrow file without the
// column, or a Parquet file that counts nothing but nulls in it. False is no
// promise that there are values.
func (l *Log) Lacks(column int) bool { return l.from.Lacks[column] }

// Position says how many bytes of the log's file have been read, compressed ones
// where it is compressed, and how many it has: 0 of 0 for what is no file. It
// may be called while the log is read.
func (l *Log) Position() (read, size int64) {
	if l.position == nil {
		return 0, 0
	}
	return l.position()
}

// Taken is the moment at which the log was written, in its own seconds, as far
// as the jobs that still ran tell: Slurm says how long each has run. It is
// false for logs that do not say. A sacct log says when it has been read to its
// end.
func (l *Log) Taken() (float64, bool) { return l.from.Taken, l.from.TakenKnown }

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

// ErrNoJobs is the cause of the error where there must be a job: of a
// computation that takes one, or of a file in which nothing shows a log.
var ErrNoJobs = errors.New("no jobs")

// HeaderGrows says whether the header is complete only when the log has been
// read to its end: in formats that name users and queues by texts it gets
// their names then.
func (l *Log) HeaderGrows() bool { return l.from.Names != nil }

// Names are those of a log that names users and queues by texts: all that stand
// in the batches read so far. It is nil for formats that have numbers, whose
// names are in the header from the start.
func (l *Log) Names() *Names { return l.from.Names }
