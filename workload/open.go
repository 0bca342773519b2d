package workload

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Open opens a job log. The format is found from its content: Parquet files
// and Arrow files and streams of this package, the grid workload format, what
// Slurm's sacct prints with -P or -p and its squeue with a header line, else the standard workload format; gzip, zstd, bzip2 and xz are read through. "-"
// is standard input.
// What cannot be read is an *InputError, at once or when batches are pulled.
// A Parquet file of the Workflow Trace Archive or of OpenDC is known by its
// columns, and so is the folder that holds such a trace; a table of
// comma-separated values by the names in its first line (see Options.Map).
// Close the log after use.
func Open(path string, o Options) (*Log, error) {
	if path == "-" {
		return OpenReader(path, os.Stdin, o)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, inputFault(path, err)
	}
	l, err := OpenReader(path, f, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	l.atClose(f.Close)
	return l, nil
}

// OpenReader is Open for what is open already; name is for messages. Closing
// the log does not close r. Columnar files, which are read from their end, are
// copied to a temporary file first unless r is a file itself.
func OpenReader(name string, r io.Reader, o Options) (*Log, error) {
	// Formats that count seconds do not look at the zone.
	if _, err := o.zone(name); err != nil {
		return nil, err
	}
	l, err := openReader(name, r, o)
	if err == nil {
		l.placeIn(o.TimeZone)
	}
	return l, err
}

func openReader(name string, r io.Reader, o Options) (*Log, error) {
	if f, ok := r.(*os.File); ok {
		info, err := f.Stat()
		switch {
		case err != nil:
			return nil, inputFault(name, err)
		case info.IsDir():
			return openFolder(name, f.Name(), o)
		case info.Mode().IsRegular():
			return openFile(name, f, info.Size(), o)
		}
	}
	return openStream(name, bufio.NewReaderSize(r, 1<<16), o)
}

// The first bytes of formats that this package writes.
const (
	magicParquet     = "PAR1"
	magicArrowFile   = "ARROW1"
	magicArrowStream = "\xff\xff\xff\xff"
)

// openFile opens what may be read anywhere.
func openFile(name string, f *os.File, size int64, o Options) (*Log, error) {
	// Standard input may be a file that is read in part already.
	from, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, inputFault(name, err)
	}
	section := io.NewSectionReader(f, from, max(size-from, 0))
	p := &position{file: f, size: section.Size()}
	head := make([]byte, len(magicArrowFile))
	n, err := section.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, inputFault(name, err)
	}
	l, err := openColumnar(name, head[:n], io.NewSectionReader(p, from, section.Size()), section.Size(), o)
	if l == nil && err == nil {
		l, err = openStream(name, bufio.NewReaderSize(p, 1<<16), o)
	}
	if l != nil {
		l.position = p
	}
	return l, err
}

// openColumnar opens a columnar file, if it is one; otherwise it returns nil.
func openColumnar(name string, head []byte, r io.ReaderAt, size int64, o Options) (*Log, error) {
	switch {
	case bytes.HasPrefix(head, []byte(magicParquet)):
		return openParquet(name, r, size, o)
	case bytes.HasPrefix(head, []byte(magicArrowFile)):
		return openArrowFile(name, r, size, o)
	}
	return nil, nil
}

// openStream opens what can only be read from front to end, through any
// compression.
func openStream(name string, r *bufio.Reader, o Options) (*Log, error) {
	head, err := r.Peek(512)
	if len(head) == 0 {
		if err != io.EOF {
			return nil, inputFault(name, err)
		}
		return nil, &InputError{File: name, Saw: "an empty file", Want: "a job log"}
	}
	if c := findCompression(head); c != nil {
		content, free, err := decompress(name, c, r)
		if err != nil {
			return nil, err
		}
		l, err := openContent(name, bufio.NewReaderSize(content, 1<<16), o)
		if err != nil {
			free()
			return nil, err
		}
		l.atClose(func() error { free(); return nil })
		return l, nil
	}
	return openContent(name, r, o)
}

// openContent opens a stream by its content, which is not compressed.
func openContent(name string, r *bufio.Reader, o Options) (*Log, error) {
	head, err := r.Peek(512)
	switch {
	case len(head) == 0 && err == io.EOF:
		return nil, &InputError{File: name, Saw: "nothing in it", Want: "a job log"}
	case err != nil && err != io.EOF:
		return nil, inputFault(name, err)
	case bytes.HasPrefix(head, []byte(magicArrowStream)):
		return openArrowStream(name, r, o)
	case bytes.HasPrefix(head, []byte(magicParquet)), bytes.HasPrefix(head, []byte(magicArrowFile)):
		return openSpooled(name, head[:len(magicArrowFile)], r, o)
	case findCompression(head) != nil:
		return nil, &InputError{File: name, Saw: "compressed data inside compressed data", Want: "a job log"}
	case bytes.IndexByte(head, 0) >= 0:
		return nil, notText(name, 0, head)
	}
	if text := bytes.TrimLeft(head, " \t\r\n\xef\xbb\xbf"); len(text) > 0 && text[0] == '{' {
		return nil, &InputError{File: name, Saw: "JSON, " + shortenLine(text), Want: "a job log: jobs are written as JSON, but not read"}
	}
	if want := otherFormat(name); want != "" {
		return nil, &InputError{File: name, Saw: "content that begins with " + shortenLine(head), Want: want}
	}
	if len(o.Map) == 0 && isSqueue(head) {
		return openSqueue(name, r, o)
	}
	if isSacct(head) {
		return openSacct(name, r, o)
	}
	if want := otherSacct(head); want != "" {
		return nil, &InputError{File: name, Line: 1, Saw: shortenLine(head), Want: want}
	}
	if head, _ := r.Peek(findGWF); isGWF(name, head) {
		return openGWF(name, r, o)
	}
	if isCSV(name, head) {
		return openCSV(name, r, o)
	}
	return openSWF(name, r, o)
}

// otherFormat is for names that promise a format which the content does not
// show: what to expect of it, or "".
func otherFormat(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".parquet", ".pq":
		return "a Parquet file, which begins with PAR1"
	case ".arrow", ".feather", ".ipc":
		return "an Arrow file, which begins with ARROW1"
	case ".arrows":
		return "an Arrow stream, which begins with four bytes of 255"
	}
	return ""
}

// openSpooled opens a columnar file that comes as a stream, by way of a
// temporary file.
func openSpooled(name string, head []byte, r io.Reader, o Options) (*Log, error) {
	f, size, err := spool(r)
	if err != nil {
		return nil, inputFault(name, err)
	}
	l, err := openColumnar(name, head, f, size, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	l.atClose(f.Close)
	return l, nil
}

// atClose has Close call f, after what it calls already.
func (l *Log) atClose(f func() error) {
	before := l.close
	l.close = func() error {
		if before == nil {
			return f()
		}
		return errors.Join(before(), f())
	}
}

// inputFault makes an *InputError of an error of the system.
func inputFault(name string, err error) error {
	var e *InputError
	if errors.As(err, &e) {
		return err
	}
	// A PathError would name the file a second time.
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &InputError{File: name, Err: err}
}
