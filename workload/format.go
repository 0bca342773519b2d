package workload

import (
	"bufio"
	"io"
)

// Format is one format of job logs: how it is recognised, opened and created, and what
// it loses. A package of a format exports one; logfile.Formats lists those of this
// module, and Options.Formats and WriteOptions.Formats take a list with others. A format
// that cannot be read, or not be written, leaves the functions for it nil.
//
// A Format holds no state: several logs of it may be open at once. What it opens
// (NewLog) yields batches with the schema of this package, which Batches makes of jobs:
// times in seconds from the log's start, NaN and Unknown for what the file does not say,
// no infinities, jobs in the order of the file. A fault of the file that ends the reading
// is an *InputError with its place; what can be passed over is counted in
// Reading.Warnings. logfile reports, by the format's name, one that opens no log.
type Format struct {
	Name       string   // the name in Log.Format and Output.Format, such as "swf"; without a dot
	Extensions []string // extensions of files to write, with the dot; the first is the default
	Text       bool     // .gz or .zst may follow the extension

	// Magic is the text with which the content begins. Looks describes it for messages: "an
	// Arrow file, which begins with ARROW1".
	Magic, Looks string
	// Sniff reports whether r begins with text in this format; it may only peek at r. It is
	// for formats without a Magic. A format with neither is taken if no other fits.
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
	// HeaderLast reports that the header is not in front: the writer has a method
	// SetHeader(Header) error, or the format has no header.
	HeaderLast bool
	// Losses returns what Create's writer loses of a batch, HeaderLosses what it loses of a
	// header; nil means nothing.
	Losses       func(b *Batch) []Loss
	HeaderLosses func(h Header) []Loss
}

// Loss counts the values of a column that a format cannot hold.
type Loss struct {
	Column string // its name; "header" for lines of the header
	Why    string // what the format lacks, for people
	Values int64  // number of values left out
}

// WriteOptions say how a file is written. The zero value is the default.
type WriteOptions struct {
	Workers int // goroutines that encode; 0 is one a core. The bytes do not depend on it.
	// Columns are the optional columns that Parquet, Arrow and CSV files get, usually
	// those of the source (Log.Optional). A batch with a value in another optional
	// column is an error, so that no value is lost unnoticed. The zero value has none;
	// OptionalColumns has all. Other formats ignore it.
	Columns ColumnSet
	// HeaderLast allows SetHeader after the jobs have been written, for a header that
	// depends on them. It costs a temporary file in formats that begin with the header.
	HeaderLast bool
	// Batsim is the version of Batsim that a .batsim.json file is for: 4, which
	// earlier versions read too, or 5, which renamed the types of profiles; 0 is 4.
	// Other versions are an *OptionError of "batsim-version", whatever the format.
	Batsim int
	// Formats are those that logfile writes, by their names and extensions; nil stands
	// for logfile.Formats().
	Formats []*Format
}
