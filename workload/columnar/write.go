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
	// groupRows is the rows of a row group: more does not compress better,
	// and a group is held in memory before it is written.
	groupRows = 1 << 18
	// pageRows is the rows of a page, a multiple of eight.
	pageRows = 1 << 15
)

// tableWriter writes a table to Parquet. Rows are gathered into row
// groups; a group's columns are encoded in parallel. Pages are made here
// (chunkEncoder), because the library's column writers are several times
// slower on columns with nulls; schema, page headers and footer are the
// library's.
type tableWriter struct {
	w       *tellWriter
	fields  []arrow.Field
	columns []*chunkEncoder
	meta    *metadata.FileMetaDataBuilder
	rows    int // in the row group that is being gathered
	groups  int
	workers int
	err     error
}

// newTableWriter begins a table with columns of texts and numbers; workers below 1 is
// one a core.
func newTableWriter(w io.Writer, fields []arrow.Field, workers int) (*tableWriter, error) {
	t := &tableWriter{w: &tellWriter{W: w}, fields: fields, workers: par.Workers(workers)}
	options := []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1),
		parquet.WithVersion(parquet.V2_6), parquet.WithDictionaryDefault(true), parquet.WithCreatedBy(version.CreatedBy)}
	// One shared encoder: it compresses pages of several columns at once, and
	// ends each frame with a checksum.
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(t.workers), zstd.WithZeroFrames(true))
	if err != nil {
		return nil, err
	}
	var nodes pqschema.FieldList
	for i, f := range fields {
		node, err := parquetNode(f, int32(i+1))
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
		t.columns = append(t.columns, &chunkEncoder{kind: f.Type.ID(), zstd: z})
	}
	root, err := pqschema.NewGroupNode("schema", parquet.Repetitions.Required, nodes, -1)
	if err != nil {
		return nil, err
	}
	t.meta = metadata.NewFileMetadataBuilder(pqschema.NewSchema(root), parquet.NewWriterProperties(options...), nil)
	_, t.err = io.WriteString(t.w, MagicParquet)
	return t, nil
}

// parquetNode is a column in Parquet's schema.
func parquetNode(f arrow.Field, id int32) (pqschema.Node, error) {
	physical, logical := parquet.Types.Int64, pqschema.LogicalType(pqschema.NoLogicalType{})
	switch f.Type.ID() {
	case arrow.FLOAT64:
		physical = parquet.Types.Double
	case arrow.STRING:
		physical, logical = parquet.Types.ByteArray, pqschema.StringLogicalType{}
	}
	return pqschema.NewPrimitiveNodeLogical(f.Name, parquet.Repetitions.Optional, logical, physical, -1, id)
}

// added counts rows that the columns have gathered, and writes the row group when it is full.
func (t *tableWriter) added(rows int) error {
	if t.rows += rows; t.rows == groupRows && t.err == nil {
		t.err = t.flush()
	}
	return t.err
}

// flush writes the row group gathered.
func (t *tableWriter) flush() error {
	if t.groups > 1<<15-1 {
		return fmt.Errorf("parquet: more than %d row groups of %d rows", 1<<15, groupRows)
	}
	group, start := t.meta.AppendRowGroup(), t.w.Tell()
	pagers, errs := make([]file.PageWriter, len(t.columns)), make([]error, len(t.columns))
	for i, c := range t.columns {
		c.meta = group.NextColumnChunk()
		var err error
		pagers[i], err = file.NewPageWriter(t.w, compress.Codecs.Zstd, 1, c.meta, int16(t.groups), int16(i), memory.DefaultAllocator, true, nil, nil)
		if err != nil {
			return err
		}
	}
	par.Each(t.workers, len(t.columns), func(i int) { errs[i] = t.columns[i].encode(pagers[i], t.rows) })
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i, pager := range pagers {
		if err := pager.Close(t.columns[i].dictionary, false); err != nil {
			return err
		}
	}
	group.SetNumRows(t.rows)
	if err := group.Finish(t.w.Tell()-start, int16(t.groups)); err != nil {
		return err
	}
	t.groups++
	t.rows = 0
	return nil
}

// close writes what is left and the footer, with key-value pairs and the schema in Arrow's
// form, which holds what Parquet has no place for (unit and meaning of each column).
func (t *tableWriter) close(keys, values []string) error {
	if t.err == nil && t.rows > 0 {
		t.err = t.flush()
	}
	if t.err != nil {
		return t.err
	}
	t.err = errors.New("parquet: the writer is closed")
	stored, err := storedSchema(arrow.NewSchema(t.fields, nil))
	if err != nil {
		return err
	}
	keys, values = append(keys, storedSchemaKey), append(values, stored)
	for i := range keys {
		if err := t.meta.AppendKeyValueMetadata(keys[i], values[i]); err != nil {
			return err
		}
	}
	meta, err := t.meta.Finish()
	if err != nil {
		return err
	}
	start := t.w.Tell()
	if _, err := meta.WriteTo(t.w, nil); err != nil {
		return err
	}
	tail := binary.LittleEndian.AppendUint32(nil, uint32(t.w.Tell()-start))
	_, err = t.w.Write(append(tail, MagicParquet...))
	return err
}

// parquetWriter writes jobs to Parquet.
type parquetWriter struct {
	*tableWriter
	set    workload.ColumnSet
	header workload.Header
}

// newParquetWriter returns a writer of the optional columns in a set, beside the
// others.
func newParquetWriter(w io.Writer, h workload.Header, set workload.ColumnSet, workers int) (*parquetWriter, error) {
	t, err := newTableWriter(w, jobFields(set), workers)
	return &parquetWriter{t, set, h}, err
}

// Write gathers a batch, and writes the row groups that are full.
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
		p.added(k)
		from += k
	}
	return p.err
}

// SetHeader gives the header of a file that was begun without one, or with one of
// which less was known.
func (p *parquetWriter) SetHeader(h workload.Header) error {
	p.header = h
	return nil
}

// Close writes what is left and the footer.
func (p *parquetWriter) Close() error {
	return p.close(fileMetadata(p.header))
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
