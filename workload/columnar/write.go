package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

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
	// groupRows is the rows of a row group: more does not compress better,
	// and a group is held in memory before it is written.
	groupRows = 1 << 18
	// pageRows is the rows of a page, a multiple of eight.
	pageRows = 1 << 15
)

// parquetWriter writes Parquet. Batches of any size are gathered into row
// groups; a group's columns are encoded in parallel. Pages are made here
// (chunkEncoder), because the library's column writers are several times
// slower on columns with nulls; schema, page headers and footer are the
// library's.
type parquetWriter struct {
	w       *tellWriter
	props   *parquet.WriterProperties
	schema  *pqschema.Schema
	meta    *metadata.FileMetaDataBuilder
	set     workload.ColumnSet
	columns []*chunkEncoder
	header  workload.Header
	stamps  *stamps // nil where the header does not say when the log starts
	rows    int     // in the row group that is being gathered
	groups  int
	workers int
	err     error
}

// newParquetWriter returns a writer of the optional columns in a set, beside the
// others; workers below 1 is one a core.
func newParquetWriter(w io.Writer, h workload.Header, set workload.ColumnSet, workers int) (*parquetWriter, error) {
	p := &parquetWriter{
		set: set,
		w:   &tellWriter{W: w},
		props: parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1),
			parquet.WithVersion(parquet.V2_6), parquet.WithDictionaryDefault(true), parquet.WithCreatedBy(version.CreatedBy),
			parquet.WithDictionaryFor(stampName, false), parquet.WithEncodingFor(stampName, parquet.Encodings.DeltaBinaryPacked)),
		workers: par.Workers(workers),
	}
	p.header, p.stamps = h, newStamps(h)
	root, err := parquetSchema(set, p.stamps != nil)
	if err != nil {
		return nil, err
	}
	p.schema = pqschema.NewSchema(root)
	p.meta = metadata.NewFileMetadataBuilder(p.schema, p.props, nil)
	// One shared encoder: it compresses pages of several columns at once, and
	// ends each frame with a checksum.
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(p.workers), zstd.WithZeroFrames(true))
	if err != nil {
		return nil, err
	}
	for _, at := range set.Written() {
		p.columns = append(p.columns, &chunkEncoder{at: at, float: workload.ColumnAt(at).Float(), zstd: z})
	}
	if p.stamps != nil {
		p.stamps.chunkEncoder.zstd = z
	}
	_, p.err = io.WriteString(p.w, MagicParquet)
	return p, nil
}

// parquetSchema is the job table's schema in Parquet's terms, with time stamps or
// without.
func parquetSchema(set workload.ColumnSet, stamped bool) (*pqschema.GroupNode, error) {
	var fields pqschema.FieldList
	for _, at := range set.Written() {
		c := workload.ColumnAt(at)
		kind := parquet.Types.Int64
		if c.Float() {
			kind = parquet.Types.Double
		}
		node, err := pqschema.NewPrimitiveNode(c.Name, parquet.Repetitions.Optional, kind, int32(at+1), -1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, node)
	}
	if stamped {
		node, err := stampNode(int32(len(fields) + 1))
		if err != nil {
			return nil, err
		}
		fields = append(fields, node)
	}
	return pqschema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
}

// describe adds the file's key-value pairs: the header, and the schema in Arrow's
// form, which holds what Parquet has no place for (unit and meaning of each
// column).
func (p *parquetWriter) describe() error {
	keys, values := fileMetadata(p.header)
	for i := range keys {
		if err := p.meta.AppendKeyValueMetadata(keys[i], values[i]); err != nil {
			return err
		}
	}
	fields := fieldsOf(p.set)
	if p.stamps.of(p.header) {
		fields = append(fields, stampField)
	}
	stored, err := storedSchema(arrow.NewSchema(fields, nil))
	if err != nil {
		return err
	}
	return p.meta.AppendKeyValueMetadata(storedSchemaKey, stored)
}

// Write gathers a batch, and writes the row groups that are full.
func (p *parquetWriter) Write(b *workload.Batch) error {
	if p.err != nil {
		return p.err
	}
	if p.err = errors.Join(workload.CheckFinite(b), p.set.CheckDeclared(b)); p.err != nil {
		return p.err
	}
	for from := 0; from < b.Rows; {
		k := min(b.Rows-from, groupRows-p.rows)
		workers := p.workers
		if k < 1024 {
			workers = 1
		}
		at := p.rows
		par.Each(workers, len(p.columns), func(i int) { p.columns[i].add(b.Bits(p.columns[i].at), from, k, at) })
		p.rows += k
		from += k
		if p.rows == groupRows {
			if p.err = p.flush(); p.err != nil {
				return p.err
			}
		}
	}
	return nil
}

// flush writes the row group gathered.
func (p *parquetWriter) flush() error {
	if p.groups > 1<<15-1 {
		return fmt.Errorf("parquet: more than %d row groups of %d jobs", 1<<15, groupRows)
	}
	group, start := p.meta.AppendRowGroup(), p.w.Tell()
	columns := p.columns
	if p.stamps != nil {
		p.stamps.fill(p.columns[workload.ColSubmitTime])
		columns = append(slices.Clone(columns), &p.stamps.chunkEncoder)
	}
	pagers, errs := make([]file.PageWriter, len(columns)), make([]error, len(columns))
	for i := range pagers {
		chunk := group.NextColumnChunk()
		var err error
		pagers[i], err = file.NewPageWriter(p.w, compress.Codecs.Zstd, 1, chunk, int16(p.groups), int16(i), memory.DefaultAllocator, true, nil, nil)
		if err != nil {
			return err
		}
		columns[i].meta = chunk
	}
	par.Each(p.workers, len(columns), func(i int) { errs[i] = columns[i].encode(pagers[i], p.rows) })
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i, pager := range pagers {
		if err := pager.Close(columns[i].dictionary, false); err != nil {
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

// Close writes what is left and the footer.
func (p *parquetWriter) Close() error {
	if p.err == nil && p.rows > 0 {
		p.err = p.flush()
	}
	if p.err == nil {
		p.err = p.footer()
	}
	if p.err != nil {
		return p.err
	}
	p.err = errors.New("parquet: the writer is closed")
	return nil
}

func (p *parquetWriter) footer() error {
	if err := p.describe(); err != nil {
		return err
	}
	meta, err := p.meta.Finish()
	if err != nil {
		return err
	}
	if p.stamps != nil && !p.stamps.of(p.header) {
		dropLast(meta)
	}
	start := p.w.Tell()
	if _, err := meta.WriteTo(p.w, nil); err != nil {
		return err
	}
	tail := binary.LittleEndian.AppendUint32(nil, uint32(p.w.Tell()-start))
	_, err = p.w.Write(append(tail, MagicParquet...))
	return err
}

// SetHeader gives the header of a file that was begun without one, or with one of
// which less was known. Where it has the log start at another time, the file gets
// no time stamps.
func (p *parquetWriter) SetHeader(h workload.Header) error {
	p.header = h
	return nil
}

// tellWriter knows how many bytes it has written, and keeps the first error:
// not every caller in the library looks at it.
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
