package columnar

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/klauspost/compress/zstd"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// errStopped ends the reading when the caller wants no more rows.
var errStopped = errors.New("stopped")

// batches yields the rows of all parts.
func (t *parquetTable) batches(columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		// A frame may not be larger than the page that its header declares.
		z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(t.workers), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(maxPageBytes))
		if err != nil {
			yield(nil, err)
			return
		}
		defer z.Close()
		for _, part := range t.parts {
			r := &reader{parquetTable: t, zstd: z, row: 1}
			if err := r.part(part, columns, yield); err != nil {
				if err != errStopped {
					yield(nil, err)
				}
				return
			}
		}
	}
}

// reader reads the columns of a part.
type reader struct {
	*parquetTable
	*parquetFile
	zstd   *zstd.Decoder
	fields []readField
	row    int64 // number of the next row, from 1
}

// readField is a column to read.
type readField struct {
	columnType
	name string
	at   int // index in the file; -1 if it has no values that can be read

	words   []uint64 // words of texts, kept for the next batch
	bitmap  []byte
	texts   []byte // texts of the row group's dictionary and of the batch, one after the other
	entries int    // bytes of the dictionary
}

// part reads the columns of a file.
func (r *reader) part(part part, columns []workload.TableColumn, yield func(*workload.TableRows, error) bool) error {
	p, done, err := part.open()
	if err != nil {
		return err
	}
	defer done()
	r.parquetFile = p
	names := p.columnNames()
	places, missing := workload.FindTableColumns(columns, names)
	if missing != nil {
		missing.File = p.name
		return missing
	}
	for i, at := range places {
		f := readField{name: columns[i].Name, at: at}
		if at >= 0 {
			f.columnType = typeOf(p.meta.Schema.Column(at))
		}
		if at >= 0 && (f.unread != "" || p.isEmpty(at)) {
			f.at = -1
		}
		r.fields = append(r.fields, f)
	}
	for g := range p.meta.RowGroups {
		if err := r.group(g, yield); err != nil {
			return err
		}
	}
	return nil
}

// chunks returns the readers of the columns of a row group, and the largest number of rows to
// decode at a time.
func (r *reader) chunks(g int) (chunks []*chunkReader, rows int64, err error) {
	defer catch(r.parquetFile.name, &err)
	chunks = make([]*chunkReader, len(r.fields))
	budget := new(atomic.Int64)
	budget.Store(maxGroupBytes)
	rows = workload.DefaultBatchRows
	for i := range r.fields {
		f := &r.fields[i]
		if f.at < 0 {
			continue
		}
		c, err := r.chunk(g, f.at, f.name, &f.columnType)
		if err != nil {
			return nil, 0, err
		}
		chunks[i] = newChunkReader(c, r.file, r.zstd, budget, f.wordOf())
		if f.kind == workload.TableText && c.rows > 0 {
			rows = min(rows, max(batchTextBytes/(c.uncompressed/c.rows+1), 64))
		}
	}
	return chunks, rows, nil
}

// group decodes a row group, some rows at a time.
func (r *reader) group(g int, yield func(*workload.TableRows, error) bool) error {
	chunks, most, err := r.chunks(g)
	if err != nil {
		return err
	}
	for left := r.meta.RowGroup(g).NumRows(); left > 0; {
		n := int(min(left, most))
		left -= int64(n)
		rows := &workload.TableRows{File: r.parquetFile.name, Rows: n, Row: r.row, Columns: make([]workload.TableValues, len(r.fields))}
		errs := make([]error, len(chunks))
		par.Each(r.workers, len(chunks), func(i int) {
			if f := &r.fields[i]; f.at >= 0 {
				if errs[i] = r.column(f, chunks[i], &rows.Columns[i], n); errs[i] == nil && left == 0 {
					errs[i] = chunks[i].end()
				}
			}
		})
		for i, err := range errs {
			if err != nil {
				return r.fault(fmt.Sprintf("%s, row group %d", r.fields[i].name, g+1), "", "", err)
			}
		}
		r.row += int64(n)
		if !yield(rows, nil) {
			return errStopped
		}
	}
	return nil
}

// column decodes the next n rows of a column chunk.
func (r *reader) column(f *readField, c *chunkReader, to *workload.TableValues, n int) (err error) {
	defer recoverDamage(&err)
	f.bitmap = resize(f.bitmap, int(bitutil.BytesForBits(int64(n))))
	if f.kind == workload.TableText {
		f.words = resize(f.words, n)
		if err := c.read(f.words, f.bitmap, 0); err != nil {
			return err
		}
		to.Piece, to.Spans = string(f.texts), make([]workload.Span, n)
		f.texts = f.texts[:f.entries]
		for i, w := range f.words {
			to.Spans[i] = workload.Span{From: uint32(w >> 32), To: uint32(w)}
		}
		return nil
	}
	words, null := numbersOf(to, f.kind, n)
	if err := c.read(words, f.bitmap, null); err != nil {
		return err
	}
	return f.number.convert(words, f.bitmap, f.kind, r.row)
}

// The words that stand for nulls.
var (
	nullNumber = math.Float64bits(math.NaN())
	nullWhole  = uint64(1 << 63) // workload.Unknown
)

// numbersOf allocates n numbers of a kind in to. It returns them as words and the word of an
// unknown number.
func numbersOf(to *workload.TableValues, kind workload.TableKind, n int) (words []uint64, null uint64) {
	if kind == workload.TableWhole {
		to.Whole = make([]int64, n)
		return wordsOf(to.Whole), nullWhole
	}
	to.Number = make([]float64, n)
	return wordsOf(to.Number), nullNumber
}

// wordsOf returns the numbers as words that share their memory.
func wordsOf[T int64 | float64](numbers []T) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(numbers))), len(numbers))
}

const (
	// batchTextBytes is the intended amount of text of a column in a batch.
	batchTextBytes = 16 << 20
	// maxBatchTextBytes is the largest such amount.
	maxBatchTextBytes = 256 << 20
)

// wordOf returns the function that adds a text of a row group to f.texts and returns its word: the
// beginning and end in f.texts, of 32 bits each.
func (f *readField) wordOf() func([]byte, bool) (uint64, error) {
	f.texts, f.entries = f.texts[:0], 0
	return func(raw []byte, entry bool) (uint64, error) {
		if want := parse.CheckText(raw); want != "" {
			return 0, fmt.Errorf("saw %s, want %s", workload.Shorten(raw), want)
		}
		from := len(f.texts)
		if from+len(raw) > maxBatchTextBytes {
			return 0, errors.New("texts of some rows that take too much memory together")
		}
		if f.texts = append(f.texts, raw...); entry {
			f.entries = len(f.texts)
		}
		return uint64(from)<<32 | uint64(len(f.texts)), nil
	}
}
