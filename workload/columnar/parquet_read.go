package columnar

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/klauspost/compress/zstd"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// MagicParquet is the four bytes with which every Parquet file begins and ends.
const MagicParquet = "PAR1"

// Parquet is the format of Parquet files, and folders of part files, that hold the job
// table or some of its columns.
var Parquet = workload.Format{
	Name:       "parquet",
	Extensions: []string{".parquet", ".pq"},
	Magic:      MagicParquet,
	Looks:      "a Parquet file, which begins with PAR1",
	OpenAt:     openParquet,
	OpenFolder: openParquetFolder,
	Create: func(w io.Writer, h workload.Header, o workload.WriteOptions) (workload.Writer, error) {
		return newParquetWriter(w, h, o.Columns, o.Workers)
	},
	HeaderLast: true,
}

// parquetReader is an opened Parquet file.
type parquetReader struct {
	name    string
	file    io.ReaderAt
	meta    *metadata.FileMetaData
	body    int64                    // bytes before the footer
	index   [workload.NumColumns]int // column of the file, or -1
	fields  [workload.NumColumns]parquetField
	mem     memory.Allocator
	workers int
	zstd    *zstd.Decoder

	// Of a part of a folder: what its path gives, and the column of the job
	// table that each is, or nil.
	partitions []partition
	fixed      [workload.NumColumns]*partition
}

// openParquet opens a Parquet file of size bytes. Columns are found by name. Missing
// columns are unknown and other columns are ignored, each with a warning; numbers of other
// types are converted where that is exact. Damage is an *InputError, from here or from the
// batches.
func openParquet(name string, r io.ReaderAt, size int64, o workload.Options) (log *workload.Log, err error) {
	defer catch(name, &err)
	p, err := newParquetReader(name, r, size, o)
	if err != nil {
		return nil, err
	}
	log, from := workload.NewLog(name, "parquet")
	if log.Header, err = p.jobs(&from.Warnings); err != nil {
		return nil, err
	}
	for i := range from.Lacks {
		from.Lacks[i] = p.lacks(i)
	}
	from.Close = func() error { p.zstd.Close(); return nil }
	from.Batches = p.batches
	return log, nil
}

// jobs makes ready to read jobs, and returns the log's header.
func (p *parquetReader) jobs(w *workload.Warnings) (h workload.Header, err error) {
	pairs := p.meta.KeyValueMetadata()
	h, err = readMetadata(p.name, func(key string) (string, bool) {
		if v := pairs.FindValue(key); v != nil {
			return *v, true
		}
		return "", false
	})
	if err != nil {
		return h, err
	}
	if err := p.matchFields(w); err != nil {
		return h, err
	}
	if err := p.checkCounts(); err != nil {
		return h, err
	}
	return h, p.newDecoder()
}

// newParquetReader reads a file's footer.
func newParquetReader(name string, r io.ReaderAt, size int64, o workload.Options) (p *parquetReader, err error) {
	defer catch(name, &err)
	p = &parquetReader{name: name, file: r, mem: o.Allocator, workers: par.Workers(o.Workers)}
	if p.mem == nil {
		p.mem = memory.DefaultAllocator
	}
	return p, p.readFooter(size)
}

// newDecoder makes the decompressor that the columns share.
func (p *parquetReader) newDecoder() (err error) {
	// A frame may not grow beyond the page that its header announced.
	p.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(p.workers), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(maxPageBytes))
	return err
}

// fault is an input error of the file.
func (p *parquetReader) fault(field, saw, want string, err error) error {
	return &workload.InputError{File: p.name, Field: field, Saw: saw, Want: want, Err: err}
}

// catch turns a panic of a decoder, which a damaged file can cause, into an
// input error, and makes any other error one.
func catch(name string, err *error) {
	if r := recover(); r != nil {
		*err = &workload.InputError{File: name, Err: damageOf(r)}
		return
	}
	var input *workload.InputError
	if *err != nil && !errors.As(*err, &input) {
		*err = &workload.InputError{File: name, Err: *err}
	}
}

// errDamaged is for a file whose lengths and places contradict each other, so
// that a decoder ran out of its bytes.
var errDamaged = errors.New("damaged: its parts do not fit together")

// damageOf returns the error for the value that a decoder panicked with. Go's messages
// about slice bounds would tell the owner of the file nothing.
func damageOf(panicked any) error {
	if _, ok := panicked.(interface{ RuntimeError() }); ok {
		return errDamaged
	}
	return fmt.Errorf("damaged: %v", panicked)
}

// batches yields the jobs.
func (p *parquetReader) batches(yield func(arrow.Record, error) bool) {
	ahead(p.workers, p.records, yield)
}

// ahead yields records and releases each after use. One record is made while the previous
// one is in use.
func ahead(workers int, records iter.Seq2[arrow.Record, error], yield func(arrow.Record, error) bool) {
	if workers == 1 {
		for rec, err := range records {
			if !yield(rec, err) || err != nil {
				return
			}
			rec.Release()
		}
		return
	}
	same := func(rec arrow.Record) (arrow.Record, error) { return rec, nil }
	for rec, err := range par.Map(1, records, same, arrow.Record.Release) {
		if err != nil {
			yield(nil, err)
			return
		}
		goOn := yield(rec, nil)
		rec.Release()
		if !goOn {
			return
		}
	}
}

// records yields the records of each row group. The caller owns each record until it asks
// for the next.
func (p *parquetReader) records(yield func(arrow.Record, error) bool) {
	if err := p.groups(yield); err != nil && err != errStop {
		yield(nil, err)
	}
}

func (p *parquetReader) groups(yield func(arrow.Record, error) bool) error {
	row := int64(0)
	for g := range p.meta.RowGroups {
		if err := p.group(g, row, yield); err != nil {
			return err
		}
		row += p.meta.RowGroup(g).NumRows()
	}
	return nil
}

var errStop = errors.New("the receiver wants no more")

// group decodes a row group; row is the number of rows before it. The chunks of all columns
// are read in parallel, one batch of rows at a time.
func (p *parquetReader) group(g int, row int64, yield func(arrow.Record, error) bool) error {
	chunks, err := p.chunks(g)
	if err != nil {
		return err
	}
	readers := make([]*chunkReader, len(chunks))
	budget := newPageBudget()
	for i, c := range chunks {
		readers[i] = newChunkReader(c, p.file, p.zstd)
		readers[i].budget = budget
		readers[i].word = func(raw []byte, _ bool) (uint64, error) { return c.typ.word(raw) }
	}
	left := p.meta.RowGroup(g).NumRows()
	for left > 0 {
		n := int(min(left, workload.DefaultBatchRows))
		left -= int64(n)
		var (
			cols = p.fixedColumns(n)
			errs = make([]error, len(readers))
		)
		par.Each(p.workers, len(readers), func(i int) {
			r := readers[i]
			cols[r.column], errs[i] = p.column(r, n, row, left == 0)
		})
		row += int64(n)
		for i := range errs {
			if errs[i] != nil {
				for _, c := range cols {
					if c != nil {
						c.Release()
					}
				}
				where := fmt.Sprintf("%s, row group %d", workload.ColumnAt(readers[i].column).Name, g+1)
				return p.fault(where, "", "", errs[i])
			}
		}
		if rec := newRecord(&cols, n); !yield(rec, nil) {
			rec.Release()
			return errStop
		}
	}
	return nil
}

// newRecord makes a record of cols, which it takes ownership of. A nil column is unknown.
func newRecord(cols *[workload.NumColumns]arrow.Array, n int) arrow.Record {
	for i := range cols {
		if cols[i] == nil {
			cols[i] = workload.NullColumn(i, n)
		}
		defer cols[i].Release()
	}
	return array.NewRecord(workload.Schema(), cols[:], int64(n))
}

// column decodes the next n rows of a column chunk; row is the number of rows of the file
// before them.
func (p *parquetReader) column(r *chunkReader, n int, row int64, last bool) (a arrow.Array, err error) {
	values, bitmap := memory.NewResizableBuffer(p.mem), memory.NewResizableBuffer(p.mem)
	defer func() { values.Release(); bitmap.Release() }()
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("damaged page: %v", x)
		}
	}()
	values.Resize(n * 8)
	bitmap.Resize(int(bitutil.BytesForBits(int64(n))))
	words := arrow.Uint64Traits.CastFromBytes(values.Bytes())
	nulls, err := r.read(words, bitmap.Bytes())
	if err == nil && last {
		err = r.end()
	}
	if err != nil {
		return nil, err
	}
	if nulls, err = p.fields[r.column].convert(words, bitmap.Bytes(), nulls, row); err != nil {
		return nil, err
	}
	return columnArray(r.column, n, values, bitmap, nulls), nil
}

// columnArray makes an array of buffers, which it retains.
func columnArray(column, n int, values, bitmap *memory.Buffer, nulls int) arrow.Array {
	if nulls == 0 {
		bitmap = nil
	}
	data := array.NewData(workload.Schema().Field(column).Type, n, []*memory.Buffer{bitmap, values}, nil, nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}
