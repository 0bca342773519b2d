package columnar

import (
	"bytes"
	"encoding/base64"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	pqschema "github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/loadstone-hpc/loadstone/internal/version"
)

// plainParquet writes the batches of a plain table to Parquet, each as a row group.
// It does what pqarrow.FileWriter does for such columns. That package imports Arrow's
// compute kernels and gRPC, a fifth of the size of the command.
type plainParquet struct {
	file   *file.Writer
	levels []int16
}

// newPlainParquet begins a file of texts, int64 and float64 columns.
func newPlainParquet(w io.Writer, s *arrow.Schema) (*plainParquet, error) {
	props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1),
		parquet.WithDictionaryDefault(true), parquet.WithDataPageSize(64<<10), parquet.WithBatchSize(plainRows),
		parquet.WithCreatedBy(version.CreatedBy))
	var nodes pqschema.FieldList
	for _, f := range s.Fields() {
		node, err := plainNode(f)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
	}
	root, err := pqschema.NewGroupNode(props.RootName(), props.RootRepetition(), nodes, -1)
	if err != nil {
		return nil, err
	}
	stored, err := storedSchema(s)
	if err != nil {
		return nil, err
	}
	meta := metadata.KeyValueMetadata{}
	for i, key := range s.Metadata().Keys() {
		if err := meta.Append(key, s.Metadata().Values()[i]); err != nil {
			return nil, err
		}
	}
	if err := meta.Append(storedSchemaKey, stored); err != nil {
		return nil, err
	}
	// The writer closes what it writes to, where it can: a tellWriter cannot be closed.
	return &plainParquet{file: file.NewParquetWriter(&tellWriter{W: w}, root, file.WithWriterProps(props), file.WithWriteMetadata(meta))}, nil
}

// plainNode is a field in Parquet's schema.
func plainNode(f arrow.Field) (pqschema.Node, error) {
	repetition := parquet.Repetitions.Required
	if f.Nullable {
		repetition = parquet.Repetitions.Optional
	}
	var logical pqschema.LogicalType = pqschema.NoLogicalType{}
	physical := parquet.Types.Double
	switch f.Type.ID() {
	case arrow.STRING:
		logical, physical = pqschema.StringLogicalType{}, parquet.Types.ByteArray
	case arrow.INT64:
		logical, physical = pqschema.NewIntLogicalType(64, true), parquet.Types.Int64
	}
	return pqschema.NewPrimitiveNodeLogical(f.Name, repetition, logical, physical, -1, -1)
}

// storedSchemaKey is the key of a Parquet file's metadata under which readers of Arrow
// look for storedSchema.
const storedSchemaKey = "ARROW:schema"

// storedSchema is a schema in Arrow's form, with what Parquet has no place for: the unit
// and the meaning of each column.
func storedSchema(s *arrow.Schema) (string, error) {
	var b bytes.Buffer
	if err := ipc.NewWriter(&b, ipc.WithSchema(s)).Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// Write writes a batch as a row group.
func (p *plainParquet) Write(rec arrow.Record) error {
	group := p.file.AppendRowGroup()
	for i := range int(rec.NumCols()) {
		chunk, err := group.NextColumn()
		if err != nil {
			return err
		}
		if err := p.writeColumn(chunk, rec.Column(i)); err != nil {
			return err
		}
	}
	return group.Close()
}

// writeColumn writes the known values of a column, with a level of 1 for each and of 0
// for each null.
func (p *plainParquet) writeColumn(chunk file.ColumnChunkWriter, column arrow.Array) (err error) {
	p.levels = p.levels[:0]
	for i := range column.Len() {
		level := int16(1)
		if column.IsNull(i) {
			level = 0
		}
		p.levels = append(p.levels, level)
	}
	switch w := chunk.(type) {
	case *file.ByteArrayColumnChunkWriter:
		texts := column.(*array.String)
		values := make([]parquet.ByteArray, texts.Len())
		for i := range values {
			values[i] = parquet.ByteArray(texts.Value(i))
		}
		_, err = w.WriteBatch(values, nil, nil) // a text is never null
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(known(column.(*array.Int64).Int64Values(), p.levels), p.levels, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(known(column.(*array.Float64).Float64Values(), p.levels), p.levels, nil)
	}
	return err
}

// known returns the values with a level of 1.
func known[T any](values []T, levels []int16) []T {
	var kept []T
	for i, level := range levels {
		if level == 1 {
			kept = append(kept, values[i])
		}
	}
	return kept
}

// Close writes the footer.
func (p *plainParquet) Close() error { return p.file.Close() }
