package columnar

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The first bytes of Arrow files and streams.
const (
	magicArrowFile   = "ARROW1"
	magicArrowStream = "\xff\xff\xff\xff"
)

// Arrow is the format of Arrow IPC files, also called Feather version 2.
var Arrow = workload.Format{
	Name:       "arrow",
	Extensions: []string{".arrow", ".feather", ".ipc"},
	Magic:      magicArrowFile,
	Looks:      "an Arrow file, which begins with ARROW1",
	OpenAt:     openArrowFile,
	Create: func(w io.Writer, h workload.Header, o workload.WriteOptions) (workload.Writer, error) {
		return newArrowFileWriter(w, h, o.Columns)
	},
}

// ArrowStream is the format of Arrow IPC streams, which are read from the first byte to
// the last and need no seeking.
var ArrowStream = workload.Format{
	Name:       "arrows",
	Extensions: []string{".arrows"},
	Magic:      magicArrowStream,
	Looks:      "an Arrow stream, which begins with four bytes of 255",
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		return openArrowStream(name, r, o)
	},
	Create: func(w io.Writer, h workload.Header, o workload.WriteOptions) (workload.Writer, error) {
		return newArrowStreamWriter(w, h, o.Columns)
	},
}

// arrowReader is an opened Arrow file or stream.
type arrowReader struct {
	name     string
	messages *messageReader
	ipc      *ipc.Reader
	index    [workload.NumColumns]int
	fields   [workload.NumColumns]arrowField
	records  int   // that a file's footer lists
	end      int64 // of a file's messages, where its footer begins; -1 for a stream
	rows     int64 // read so far
	ours     bool  // this program wrote it
	warnings *workload.Warnings
}

// arrowHead is the bytes of a file before its first message.
const arrowHead = 8

// openArrowFile opens an Arrow file of size bytes; columns are treated as
// Parquet files are. The format has no checksums: a value that was overwritten
// goes unseen. Damage to the structure is an *InputError, as are messages that
// do not stand where the footer says.
func openArrowFile(name string, r io.ReaderAt, size int64, o workload.Options) (log *workload.Log, err error) {
	defer catch(name, &err)
	a, err := newArrowFile(name, r, size)
	if err != nil {
		return nil, err
	}
	return a.open(o)
}

// newArrowFile finds the messages of an Arrow file.
func newArrowFile(name string, r io.ReaderAt, size int64) (a *arrowReader, err error) {
	defer catch(name, &err)
	const tail = int64(4 + len(magicArrowFile))
	if size < arrowHead+tail {
		return nil, &workload.InputError{File: name, Saw: fmt.Sprintf("%d bytes", size), Want: "an Arrow file"}
	}
	var end [tail]byte
	if _, err := r.ReadAt(end[:], size-tail); err != nil && err != io.EOF {
		return nil, err
	}
	if string(end[4:]) != magicArrowFile {
		return nil, &workload.InputError{File: name, Field: "footer", Saw: workload.Shorten(end[4:]), Want: `"ARROW1" at the end of the file; it may be cut short`}
	}
	length := int64(binary.LittleEndian.Uint32(end[:4]))
	start := size - tail - length
	if start < arrowHead || length > maxFooterBytes {
		return nil, &workload.InputError{File: name, Field: "footer", Saw: fmt.Sprintf("a footer of %d bytes in a file of %d", length, size), Want: "one that fits"}
	}
	footer := make([]byte, length)
	if _, err := r.ReadAt(footer, start); err != nil && err != io.EOF {
		return nil, err
	}
	blocks, err := flatFooterBlocks(footer)
	if err != nil {
		return nil, &workload.InputError{File: name, Field: "footer", Err: err}
	}
	a = &arrowReader{name: name, records: len(blocks[flatRecord]), end: start}
	// The messages stand one after the other, as in a stream.
	a.messages = &messageReader{r: io.NewSectionReader(r, arrowHead, start-arrowHead), at: arrowHead, blocks: blocks}
	return a, nil
}

// openArrowStream opens an Arrow stream. It has no list of its messages: each
// must begin with its mark, and nothing may follow the end.
func openArrowStream(name string, r io.Reader, o workload.Options) (log *workload.Log, err error) {
	defer catch(name, &err)
	return newArrowStream(name, r).open(o)
}

func newArrowStream(name string, r io.Reader) *arrowReader {
	return &arrowReader{name: name, end: -1, messages: &messageReader{r: r}}
}

// start reads the schema, and returns the names of its columns.
func (a *arrowReader) start() (names []string, err error) {
	limit := &limitedAllocator{Allocator: memory.DefaultAllocator, most: maxArrowMeta}
	a.messages.limit, a.messages.r = limit, bufio.NewReaderSize(a.messages.r, 1<<16)
	if a.ipc, err = ipc.NewReaderFromMessageReader(a.messages, ipc.WithAllocator(limit)); err != nil {
		return nil, &workload.InputError{File: a.name, Field: "schema", Err: a.damage(err)}
	}
	for _, f := range a.ipc.Schema().Fields() {
		names = append(names, f.Name)
	}
	return names, nil
}

// open reads the schema of jobs.
func (a *arrowReader) open(o workload.Options) (*workload.Log, error) {
	name := a.name
	names, err := a.start()
	if err != nil {
		return nil, err
	}
	log, from := workload.NewLog(name, "arrow")
	a.warnings = &from.Warnings
	s := a.ipc.Schema()
	meta := s.Metadata()
	get := func(key string) (string, bool) {
		i := meta.FindKey(key)
		if i < 0 {
			return "", false
		}
		return meta.Values()[i], true
	}
	if log.Header, err = readMetadata(name, get); err != nil {
		return nil, err
	}
	_, a.ours = get(keySchema)
	if a.index, err = matchColumns(name, names, a.warnings); err != nil {
		return nil, err
	}
	for i, at := range a.index {
		if from.Lacks[i] = at < 0; at < 0 {
			continue
		}
		c := workload.ColumnAt(i)
		if a.fields[i], err = newArrowField(s.Field(at).Type, !c.Float()); err != nil {
			return nil, &workload.InputError{File: name, Field: c.Name, Saw: err.Error(), Want: wantOf(c)}
		}
		if a.fields[i].number.perUnit != 0 {
			a.warnings.Add("converted-column", timesConverted, 0, c.Name)
		}
	}
	from.Close = func() error { a.ipc.Release(); return nil }
	from.Batches = a.batches
	return log, nil
}

// damage returns the error for a bad message. The library's own messages describe its
// internal structures, so they are replaced by a plain statement of damage.
func (a *arrowReader) damage(err error) error {
	switch {
	case a.messages.err != nil:
		return a.messages.err
	case strings.Contains(err.Error(), "arrow/ipc:") || strings.Contains(err.Error(), "runtime error"):
		return errDamaged
	}
	return err
}

func (a *arrowReader) batches(yield func(*workload.Batch, error) bool) {
	for {
		b, err := a.next()
		if err != nil {
			if err != io.EOF {
				yield(nil, err)
			}
			return
		}
		for at := 0; at < b.Rows; at += workload.DefaultBatchRows {
			if !yield(b.Slice(at, min(at+workload.DefaultBatchRows, b.Rows)), nil) {
				return
			}
		}
	}
}

// next reads a batch of jobs.
func (a *arrowReader) next() (out *workload.Batch, err error) {
	err = a.read(func(rec arrow.Record) (err error) {
		out, err = a.jobs(rec)
		return err
	})
	return out, err
}

// read passes the next batch to use. The batch may be inconsistent; a panic in use is
// reported as damage to the file. After the last batch read returns io.EOF.
func (a *arrowReader) read(use func(arrow.Record) error) error {
	err := a.decode(use)
	var input *workload.InputError
	switch {
	case err == nil || errors.As(err, &input):
		return err
	case err != io.EOF:
		return &workload.InputError{File: a.name, Field: fmt.Sprintf("batch %d", a.messages.records+1), Err: a.damage(err)}
	case a.end >= 0:
		return a.endOfFile()
	}
	return a.endOfStream()
}

func (a *arrowReader) decode(use func(arrow.Record) error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = damageOf(x)
		}
	}()
	rec, err := a.ipc.Read()
	if err != nil {
		return err
	}
	return use(rec)
}

// endOfFile returns io.EOF after the last message of a file, or what is wrong
// with the end.
func (a *arrowReader) endOfFile() error {
	m := a.messages
	switch {
	case m.records != a.records:
		return &workload.InputError{File: a.name, Saw: fmt.Sprintf("%d batches", m.records), Want: fmt.Sprintf("%d, as the footer says", a.records)}
	case m.at != a.end:
		return &workload.InputError{File: a.name, Field: "footer", Saw: words.Counted(int(a.end-m.at), "byte") + " between it and the last batch", Want: "none"}
	}
	return io.EOF
}

// endOfStream is endOfFile for a stream.
func (a *arrowReader) endOfStream() error {
	switch m := a.messages; {
	case m.ended:
		switch n, err := io.ReadFull(m.r, make([]byte, 1)); {
		case n > 0:
			return &workload.InputError{File: a.name, Saw: "more bytes after the stream's end mark", Want: "none"}
		case err != io.EOF:
			return &workload.InputError{File: a.name, Err: err}
		}
	case a.ours:
		return &workload.InputError{File: a.name, Saw: "the end of the stream", Want: "its end mark; it may be cut short"}
	default:
		a.warnings.Add("no-end-mark", "streams without an end mark: they may be cut short", 0, "")
	}
	return io.EOF
}

// jobs converts a batch to the columns of the job table.
func (a *arrowReader) jobs(rec arrow.Record) (*workload.Batch, error) {
	b := &workload.Batch{Rows: int(rec.NumRows())}
	for i, at := range a.index {
		if at < 0 || a.fields[i].bytes == 0 {
			continue
		}
		words, err := a.fields[i].words(rec.Column(at), i, b.Rows, a.rows+1)
		if err != nil {
			return nil, &workload.InputError{File: a.name, Field: fmt.Sprintf("%s, batch %d", workload.ColumnAt(i).Name, a.messages.records), Err: err}
		}
		b.SetBits(i, words)
	}
	a.rows += int64(b.Rows)
	return b, nil
}
