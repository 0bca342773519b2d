package columnar

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The first bytes of Arrow files and streams.
const (
	MagicArrowFile   = "ARROW1"
	MagicArrowStream = "\xff\xff\xff\xff"
)

// arrowReader is an opened Arrow file or stream.
type arrowReader struct {
	name     string
	messages *messageReader
	ipc      *ipc.Reader
	listed   int      // number of batches in a file's footer; -1 for a stream
	names    []string // of the columns

	record arrow.Record // the record being read; nil at first
	done   int          // number of its rows that were yielded
	rows   int64        // number of rows yielded in all
}

// arrowHead is the number of bytes in a file before its first message.
const arrowHead = 8

// OpenArrowFile opens an Arrow file of size bytes. The format has no checksums, so that overwritten
// values are not detected. Damage to the structure is a *workload.InputError. The rows of the
// source can be read only once.
func OpenArrowFile(name string, r io.ReaderAt, size int64) (s *Source, err error) {
	defer catch(name, &err)
	footer, start, err := readFooter(name, "an Arrow file", MagicArrowFile, r, size, arrowHead)
	if err != nil {
		return nil, err
	}
	_, listed, err := flatVector(flatRoot(footer), 3, 24)
	if err != nil {
		return nil, &workload.InputError{File: name, Field: "footer", Err: err}
	}
	// The messages follow one another up to the footer, as in a stream.
	messages := &messageReader{r: io.NewSectionReader(r, arrowHead, start-arrowHead)}
	return (&arrowReader{name: name, messages: messages, listed: listed}).open()
}

// OpenArrowStream is like OpenArrowFile, but for an Arrow stream.
func OpenArrowStream(name string, r io.Reader) (s *Source, err error) {
	defer catch(name, &err)
	return (&arrowReader{name: name, listed: -1, messages: &messageReader{r: r}}).open()
}

// open reads the schema.
func (a *arrowReader) open() (*Source, error) {
	limit := &limitedAllocator{Allocator: memory.DefaultAllocator, most: maxArrowMeta}
	a.messages.limit, a.messages.r = limit, bufio.NewReaderSize(a.messages.r, 1<<16)
	var err error
	if a.ipc, err = ipc.NewReaderFromMessageReader(a.messages, ipc.WithAllocator(limit)); err != nil {
		return nil, &workload.InputError{File: a.name, Field: "schema", Err: a.damage(err)}
	}
	s := &Source{Read: a.read}
	for _, f := range a.ipc.Schema().Fields() {
		s.Columns = append(s.Columns, newArrowField(f.Type).column(f))
		a.names = append(a.names, f.Name)
	}
	pairs := a.ipc.Schema().Metadata()
	s.Header, err = readMetadata(a.name, pairs.GetValue)
	return s, err
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

// read yields the given columns of the file.
func (a *arrowReader) read(columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		defer a.ipc.Release()
		places, missing := workload.FindTableColumns(columns, a.names)
		if missing != nil {
			missing.File = a.name
			yield(nil, missing)
			return
		}
		for {
			rows, err := a.batch(columns, places)
			var input *workload.InputError
			switch {
			case err == io.EOF:
				err = a.atEnd()
			case err != nil && !errors.As(err, &input):
				err = &workload.InputError{File: a.name, Field: fmt.Sprintf("batch %d", a.messages.records+1), Err: a.damage(err)}
			}
			if err == io.EOF || !yield(rows, err) || err != nil {
				return
			}
		}
	}
}

// atEnd returns io.EOF if the input ends properly after the last message, or an error. Since each
// message has to begin with its mark and nothing may follow the end, it detects inserted and
// missing bytes.
func (a *arrowReader) atEnd() error {
	fault := func(saw, want string) error { return &workload.InputError{File: a.name, Saw: saw, Want: want} }
	switch n, err := io.ReadFull(a.messages.r, make([]byte, 1)); {
	case n > 0 && a.listed >= 0:
		return fault("more bytes between the last batch and the footer", "none")
	case n > 0:
		return fault("more bytes after the stream's end mark", "none")
	case err != io.EOF:
		return &workload.InputError{File: a.name, Err: err}
	case a.listed >= 0 && a.messages.records != a.listed:
		return fault(fmt.Sprintf("%d batches", a.messages.records), fmt.Sprintf("%d, as the footer says", a.listed))
	case !a.messages.ended && a.listed < 0:
		return fault("the end of the stream", "its end mark; it may be cut short")
	}
	return io.EOF
}

// batch returns the next rows of the record, or of the next record. The library may decode a
// damaged record inconsistently, so that panics are recovered.
func (a *arrowReader) batch(columns []workload.TableColumn, places []int) (rows *workload.TableRows, err error) {
	defer recoverDamage(&err)
	for a.record == nil || a.done == int(a.record.NumRows()) {
		if a.record, err = a.ipc.Read(); err != nil {
			return nil, err
		}
		a.done = 0
	}
	n := min(int(a.record.NumRows())-a.done, workload.DefaultBatchRows)
	rows = &workload.TableRows{File: a.name, Rows: n, Row: a.rows + 1, Columns: make([]workload.TableValues, len(columns))}
	for i, c := range columns {
		src := a.record.Column(places[i])
		if err := newArrowField(src.DataType()).values(&rows.Columns[i], src, a, n); err != nil {
			return nil, &workload.InputError{File: a.name, Field: fmt.Sprintf("%s, batch %d", c.Name, a.messages.records), Err: err}
		}
	}
	a.done += n
	a.rows += int64(n)
	return rows, nil
}

// arrowField converts a column of an Arrow file.
type arrowField struct {
	kind   workload.TableKind
	number numberKind
	bytes  int  // width of a value; 0 for a column of nulls, or one that cannot be read
	signed bool // whether values narrower than a word have a sign
}

// newArrowField returns the conversion from a type.
func newArrowField(t arrow.DataType) (f arrowField) {
	switch t.ID() {
	case arrow.TIMESTAMP:
		f.kind, f.number.unit = workload.TableTime, t.(*arrow.TimestampType).Unit.Multiplier()
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64:
		f.signed = true
	case arrow.UINT8, arrow.UINT16, arrow.UINT32:
	case arrow.UINT64:
		f.number.natural = true
	case arrow.FLOAT32, arrow.FLOAT64:
		f.kind, f.number.float = workload.TableNumber, true
	default:
		return f
	}
	f.bytes = t.(arrow.FixedWidthDataType).Bytes()
	return f
}

// column describes a field of the schema.
func (f arrowField) column(of arrow.Field) workload.FileColumn {
	c := workload.FileColumn{Name: of.Name, Kind: f.kind, Empty: of.Type.ID() == arrow.NULL}
	if f.bytes == 0 && !c.Empty {
		c.Nested, c.Type = true, fmt.Sprintf("%s values", of.Type)
	}
	return c
}

// values reads the next n rows of a column of a.record. It trusts neither the lengths of the
// array's buffers nor its null count.
func (f arrowField) values(to *workload.TableValues, src arrow.Array, a *arrowReader, n int) error {
	if f.bytes == 0 {
		return nil // it cannot be read
	}
	data, all := src.Data(), int(a.record.NumRows())
	if data.Len() != all || data.Offset() != 0 || n < 0 {
		return fmt.Errorf("%d rows in a batch of %d", data.Len(), all)
	}
	nulls, values := data.Buffers()[0], data.Buffers()[1]
	if n > 0 && (values == nil || values.Len()/f.bytes < all) {
		return errors.New("values are cut short")
	}
	bitmap := make([]byte, bitutil.BytesForBits(int64(n)))
	switch {
	case nulls != nil && nulls.Len() > 0:
		if nulls.Len() < int(bitutil.BytesForBits(int64(all))) {
			return errors.New("the validity bitmap is cut short")
		}
		bitutil.CopyBitmap(nulls.Bytes(), a.done, n, bitmap, 0)
	case data.NullN() > 0:
		return errors.New("nulls without a validity bitmap")
	default:
		bitutil.SetBitsTo(bitmap, 0, int64(n), true)
	}
	words, null := numbersOf(to, f.kind, n)
	for r := range words {
		if words[r] = null; isSet(bitmap, r) {
			words[r] = f.word(values.Bytes()[(a.done+r)*f.bytes:])
		}
	}
	return f.number.convert(words, bitmap, f.kind, a.rows+1)
}

// word returns the value at the beginning of b as a word of 64 bits.
func (f arrowField) word(b []byte) (w uint64) {
	switch {
	case f.bytes == 8:
		return binary.LittleEndian.Uint64(b)
	case f.number.float:
		return f.number.widened(binary.LittleEndian.Uint32(b))
	}
	for i := range f.bytes {
		w |= uint64(b[i]) << (8 * i)
	}
	if shift := 64 - 8*f.bytes; f.signed {
		w = uint64(int64(w<<shift) >> shift)
	}
	return w
}
