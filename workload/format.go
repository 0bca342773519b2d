package workload

import (
	"bufio"
	"io"
)

// Format is one format of job logs: how to recognise, open and create its files, and what it
// loses. Each format's package exports one; logfile.Formats lists those of this module, and
// Options.Formats and WriteOptions.Formats take a list that may have others. If a format cannot
// be read, or cannot be written, the functions for that are nil.
//
// A Format holds no state: several logs of it may be open at once. The logs that it opens (see
// NewLog) yield batches with the schema of this package, such as Batches makes from jobs: times
// in seconds from the log's start, NaN and Unknown for values that the file does not give, no
// infinities, jobs in the order of the file. A fault in the file that stops the reader is an
// *InputError that gives its place; a fault that can be passed over is counted in
// Reading.Warnings.
type Format struct {
	Name       string   // the name in Log.Format and Output.Format, such as "swf"; without a dot
	Extensions []string // extensions of files to write, with the dot; the first is the default
	Text       bool     // .gz or .zst may follow the extension

	// Magic is the text at the beginning of the content. Looks describes such a file in
	// messages: "an Arrow file, which begins with ARROW1".
	Magic, Looks string
	// Sniff reports whether r begins with text in this format; it may only peek at r. Only
	// formats without a Magic need it. A format with neither is used if no other fits.
	Sniff func(name string, r *bufio.Reader, o Options) bool
	// JSON marks a format whose text may be JSON. The Sniff of other formats is not called
	// for JSON.
	JSON bool

	// Open opens a log that is read sequentially, OpenAt one of size bytes with random
	// access, and OpenFolder a folder. OpenAt and OpenFolder return nil if the content is
	// in another format. Errors are *InputError.
	Open       func(name string, r *bufio.Reader, o Options) (*Log, error)
	OpenAt     func(name string, r io.ReaderAt, size int64, o Options) (*Log, error)
	OpenFolder func(name, path string, o Options) (*Log, error)

	// Create returns a writer to w. Its Close does not close w.
	Create func(w io.Writer, h Header, o WriteOptions) (Writer, error)
	// Check returns an error for invalid options that only this format uses; nil accepts
	// all.
	Check func(o WriteOptions) error
	// HeaderLast is true if the header is not written first: either the writer has a method
	// SetHeader(Header) error, or the format has no header.
	HeaderLast bool
	// Losses returns the values of a batch that Create's writer would lose, HeaderLosses those
	// of a header; nil means that nothing is lost.
	Losses       func(b *Batch) []Loss
	HeaderLosses func(h Header) []Loss
}

// Loss counts the values of a column that a format cannot hold.
type Loss struct {
	Column string // name of the column, or "header" for lines of the header
	Why    string // what the format lacks, in words
	Values int64  // number of values left out
}

// WriteOptions configures how a file is written. The zero value holds the defaults.
type WriteOptions struct {
	Workers int // goroutines that encode; 0 means one per core. The output does not depend on it.
	// Columns are the optional columns to write to Parquet, Arrow and CSV files, usually those
	// of the source (Log.Optional). A value in any other optional column is an error, so that no
	// value is lost unnoticed. The zero value has none; OptionalColumns has all. Other formats
	// ignore Columns.
	Columns ColumnSet
	// HeaderLast allows SetHeader after the jobs have been written, for a header that
	// depends on them. It costs a temporary file in formats that begin with the header.
	HeaderLast bool
	// Batsim is the version of Batsim for which a .batsim.json file is written: 4, which earlier
	// versions read too, or 5, which renamed the types of profiles. 0 means 4. Any other value
	// is an *OptionError of "batsim-version", whatever the format.
	Batsim int
	// Formats are the formats that logfile can write, selected by name or extension; nil means
	// logfile.Formats().
	Formats []*Format
}
