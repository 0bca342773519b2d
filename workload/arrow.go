package workload

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
)

// arrowReader is an opened Arrow file or stream.
type arrowReader struct {
	name     string
	messages *messageReader
	ipc      *ipc.Reader
	mem      memory.Allocator
	index    [NumColumns]int
	fields   [NumColumns]arrowField
	// records is the number of batches that a file's footer lists; -1 for a
	// stream.
	records  int
	rows     int64 // read so far
	ours     bool  // this program wrote it
	warnings *Warnings
}

// arrowHead is the bytes of a file before its first message.
const arrowHead = 8

// openArrowFile opens an Arrow file of size bytes; columns are treated as
// openParquet does. The format has no checksums: damage to a value goes
// unseen, damage to the structure is an *InputError.
func openArrowFile(name string, r io.ReaderAt, size int64, o Options) (log *Log, err error) {
	defer catch(name, &err)
	const tail = int64(4 + len(magicArrowFile))
	if size < arrowHead+tail {
		return nil, &InputError{File: name, Saw: fmt.Sprintf("%d bytes", size), Want: "an Arrow file"}
	}
	var end [tail]byte
	if _, err := r.ReadAt(end[:], size-tail); err != nil && err != io.EOF {
		return nil, err
	}
	if string(end[4:]) != magicArrowFile {
		return nil, &InputError{File: name, Field: "footer", Saw: Shorten(end[4:]), Want: `"ARROW1" at the end of the file; it may be cut short`}
	}
	length := int64(binary.LittleEndian.Uint32(end[:4]))
	start := size - tail - length
	if start < arrowHead || length > maxFooterBytes {
		return nil, &InputError{File: name, Field: "footer", Saw: fmt.Sprintf("a footer of %d bytes in a file of %d", length, size), Want: "one that fits"}
	}
	footer := make([]byte, length)
	if _, err := r.ReadAt(footer, start); err != nil && err != io.EOF {
		return nil, err
	}
	records, err := flatFooterRecords(footer)
	if err != nil {
		return nil, &InputError{File: name, Field: "footer", Err: err}
	}
	// The messages stand one after the other, as in a stream.
	return openMessages(name, io.NewSectionReader(r, arrowHead, start-arrowHead), records, o)
}

// openArrowStream opens an Arrow stream.
func openArrowStream(name string, r io.Reader, o Options) (log *Log, err error) {
	defer catch(name, &err)
	return openMessages(name, r, -1, o)
}

func openMessages(name string, r io.Reader, records int, o Options) (*Log, error) {
	mem := o.Allocator
	if mem == nil {
		mem = memory.DefaultAllocator
	}
	limit := &limitedAllocator{Allocator: mem, most: maxArrowMeta}
	a := &arrowReader{
		name: name, records: records, mem: mem,
		messages: &messageReader{r: bufio.NewReaderSize(r, 1<<16), limit: limit},
	}
	var err error
	if a.ipc, err = ipc.NewReaderFromMessageReader(a.messages, ipc.WithAllocator(limit)); err != nil {
		return nil, &InputError{File: name, Field: "schema", Err: a.damage(err)}
	}
	log := &Log{Name: name, Format: "arrow"}
	a.warnings = &log.warnings
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
	names := make([]string, s.NumFields())
	for i := range names {
		names[i] = s.Field(i).Name
	}
	if a.index, err = matchColumns(name, names, a.warnings); err != nil {
		return nil, err
	}
	for i, at := range a.index {
		if at < 0 {
			continue
		}
		if a.fields[i], err = newArrowField(s.Field(at).Type, i); err != nil {
			return nil, &InputError{File: name, Field: columns[i].Name, Saw: err.Error(), Want: columnWords(i)}
		}
		if t := a.fields[i].note; t != "" {
			a.warnings.Add("converted-column", "columns converted to "+t, 0, columns[i].Name)
		}
	}
	log.close = func() error { a.ipc.Release(); return nil }
	log.batches = a.batches
	return log, nil
}

// damage is what is wrong with a message: in our words where we have found it,
// else that it is damaged, since the library's tell of its own structures.
func (a *arrowReader) damage(err error) error {
	switch {
	case a.messages.err != nil:
		return a.messages.err
	case strings.Contains(err.Error(), "arrow/ipc:") || strings.Contains(err.Error(), "runtime error"):
		return errDamaged
	}
	return err
}

func (a *arrowReader) batches(yield func(arrow.Record, error) bool) {
	for {
		rec, err := a.next()
		if err != nil {
			if err != io.EOF {
				yield(nil, err)
			}
			return
		}
		for at := int64(0); at < rec.NumRows(); at += DefaultBatchRows {
			part := rec.NewSlice(at, min(at+DefaultBatchRows, rec.NumRows()))
			goOn := yield(part, nil)
			part.Release()
			if !goOn {
				rec.Release()
				return
			}
		}
		rec.Release()
	}
}

// next reads a batch, with our columns. The caller releases it.
func (a *arrowReader) next() (rec arrow.Record, err error) {
	rec, err = a.decode()
	if err == nil {
		return rec, nil
	}
	var input *InputError
	switch {
	case errors.As(err, &input):
		return nil, err
	case err != io.EOF:
		return nil, &InputError{File: a.name, Field: fmt.Sprintf("batch %d", a.messages.records+1), Err: a.damage(err)}
	case a.records >= 0 && a.messages.records != a.records:
		return nil, &InputError{File: a.name, Saw: fmt.Sprintf("%d batches", a.messages.records), Want: fmt.Sprintf("%d, as the footer says", a.records)}
	case a.records < 0 && !a.messages.ended && a.ours:
		return nil, &InputError{File: a.name, Saw: "the end of the stream", Want: "its end mark; it may be cut short"}
	case a.records < 0 && !a.messages.ended:
		a.warnings.Add("no-end-mark", "streams without an end mark: they may be cut short", 0, "")
	}
	return nil, io.EOF
}

func (a *arrowReader) decode() (out arrow.Record, err error) {
	defer func() {
		if x := recover(); x != nil {
			out, err = nil, damageOf(x)
		}
	}()
	rec, err := a.ipc.Read()
	if err != nil {
		return nil, err
	}
	var cols [NumColumns]arrow.Array
	n := int(rec.NumRows())
	for i, at := range a.index {
		if at < 0 {
			continue
		}
		if cols[i], err = a.fields[i].array(rec.Column(at), i, n, a.rows, a.mem); err != nil {
			for _, c := range cols {
				if c != nil {
					c.Release()
				}
			}
			return nil, &InputError{File: a.name, Field: fmt.Sprintf("%s, batch %d", columns[i].Name, a.messages.records), Err: err}
		}
	}
	a.rows += int64(n)
	return newRecord(&cols, n, a.mem), nil
}
