package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	pqschema "github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/klauspost/compress/zstd"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// groupRows is the number of rows in a row group. Larger groups do not compress better, and a
	// group is held in memory before it is written.
	groupRows = 1 << 18
	// pageRows is the number of rows in a page, a multiple of eight.
	pageRows = 1 << 15
)

// parquetWriter writes jobs to Parquet. Jobs are collected in row groups, whose columns are encoded
// in parallel. Pages are encoded by chunkEncoder, because the library's column writers are several
// times slower on columns with nulls; the library writes the schema, page headers and footer.
type parquetWriter struct {
	w       *tellWriter
	set     workload.ColumnSet
	header  workload.Header
	columns []*chunkEncoder
	meta    *metadata.FileMetaDataBuilder
	rows    int // number of rows in the current row group
	groups  int // number of row groups written
	workers int
	err     error
}

// NewParquetWriter returns a writer of the job table in Parquet, with the optional columns in
// o.Columns. It has a method SetHeader(workload.Header) error.
func NewParquetWriter(w io.Writer, h workload.Header, o workload.WriteOptions) (workload.Writer, error) {
	p := &parquetWriter{w: &tellWriter{W: w}, set: o.Columns, header: h, workers: par.Workers(o.Workers)}
	options := []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1),
		parquet.WithVersion(parquet.V2_6), parquet.WithDictionaryDefault(false), parquet.WithCreatedBy(version.CreatedBy)}
	// One shared encoder: it compresses pages of several columns at once, and
	// ends each frame with a checksum.
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(p.workers), zstd.WithZeroFrames(true))
	if err != nil {
		return nil, err
	}
	var nodes pqschema.FieldList
	for i, at := range p.set.Written() {
		c, physical := workload.ColumnAt(at), parquet.Types.Int64
		if c.Float() {
			physical = parquet.Types.Double
		}
		node, err := pqschema.NewPrimitiveNodeLogical(c.Name, parquet.Repetitions.Optional, pqschema.NoLogicalType{}, physical, -1, int32(i+1))
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
		p.columns = append(p.columns, &chunkEncoder{float: c.Float(), zstd: z})
	}
	root, err := pqschema.NewGroupNode("schema", parquet.Repetitions.Required, nodes, -1)
	if err != nil {
		return nil, err
	}
	p.meta = metadata.NewFileMetadataBuilder(pqschema.NewSchema(root), parquet.NewWriterProperties(options...), nil)
	_, p.err = io.WriteString(p.w, MagicParquet)
	return p, nil
}

// Write adds a batch, and writes row groups that are full.
func (p *parquetWriter) Write(b *workload.Batch) error {
	if p.err == nil {
		p.err = errors.Join(workload.CheckFinite(b), p.set.CheckDeclared(b))
	}
	written := p.set.Written()
	for from := 0; from < b.Rows && p.err == nil; {
		k := min(b.Rows-from, groupRows-p.rows)
		workers := p.workers
		if k < 1024 {
			workers = 1
		}
		part := b.Slice(from, from+k)
		par.Each(workers, len(p.columns), func(i int) { p.columns[i].add(part.Bits(written[i]), k) })
		if p.rows += k; p.rows == groupRows {
			p.err = p.flush()
		}
		from += k
	}
	return p.err
}

// flush writes the current row group.
func (p *parquetWriter) flush() error {
	if p.groups > 1<<15-1 {
		return fmt.Errorf("parquet: more than %d row groups of %d rows", 1<<15, groupRows)
	}
	group, start := p.meta.AppendRowGroup(), p.w.Tell()
	pagers, errs := make([]file.PageWriter, len(p.columns)), make([]error, len(p.columns))
	for i, c := range p.columns {
		c.meta = group.NextColumnChunk()
		var err error
		pagers[i], err = file.NewPageWriter(p.w, compress.Codecs.Zstd, 1, c.meta, int16(p.groups), int16(i), memory.DefaultAllocator, true, nil, nil)
		if err != nil {
			return err
		}
	}
	par.Each(p.workers, len(p.columns), func(i int) { errs[i] = p.columns[i].encode(pagers[i], p.rows) })
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, pager := range pagers {
		if err := pager.Close(false, false); err != nil {
			return err
		}
	}
	group.SetNumRows(p.rows)
	if err := group.Finish(p.w.Tell()-start, int16(p.groups)); err != nil {
		return err
	}
	p.groups++
	p.rows = 0
	return nil
}

// SetHeader sets the header of a file that was begun without one or with an incomplete one.
func (p *parquetWriter) SetHeader(h workload.Header) error {
	p.header = h
	return nil
}

// Close writes the remaining jobs and the footer, with the header and the schema in Arrow's form,
// which holds data that Parquet has no place for (unit and meaning of each column).
func (p *parquetWriter) Close() error {
	if p.err == nil && p.rows > 0 {
		p.err = p.flush()
	}
	if p.err != nil {
		return p.err
	}
	p.err = errors.New("parquet: the writer is closed")
	stored, err := storedSchema(arrow.NewSchema(jobFields(p.set), nil))
	if err != nil {
		return err
	}
	keys, values := fileMetadata(p.header)
	keys, values = append(keys, storedSchemaKey), append(values, stored)
	for i := range keys {
		if err := p.meta.AppendKeyValueMetadata(keys[i], values[i]); err != nil {
			return err
		}
	}
	meta, err := p.meta.Finish()
	if err != nil {
		return err
	}
	start := p.w.Tell()
	if _, err := meta.WriteTo(p.w, nil); err != nil {
		return err
	}
	tail := binary.LittleEndian.AppendUint32(nil, uint32(p.w.Tell()-start))
	_, err = p.w.Write(append(tail, MagicParquet...))
	return err
}

// tellWriter counts the bytes that it has written and keeps the first error, because not every
// caller in the library checks it.
type tellWriter struct {
	W   io.Writer
	N   int64
	err error
}

func (t *tellWriter) Write(b []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	n, err := t.W.Write(b)
	t.N += int64(n)
	t.err = err
	return n, err
}

func (t *tellWriter) Tell() int64 { return t.N }
