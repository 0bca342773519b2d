package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	pqschema "github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/loadstone-hpc/loadstone/workload"
)

// MagicParquet is the text at the beginning and the end of every Parquet file.
const MagicParquet = "PAR1"

// maxFooterBytes is the largest size of a footer: 64 MiB suffice for some 5,000 million jobs.
const maxFooterBytes = 64 << 20

// parquetFile is an opened Parquet file.
type parquetFile struct {
	name string
	file io.ReaderAt
	meta *metadata.FileMetaData
	body int64 // number of bytes before the footer
}

// readFooter reads the footer of a file, which follows the body. The body begins at head; the
// footer's length and magic are at the end of the file. what is the kind of file, for messages.
// body is the position of the footer.
func readFooter(name, what, magic string, r io.ReaderAt, size, head int64) (footer []byte, body int64, err error) {
	fault := func(field, saw, want string, err error) error {
		return &workload.InputError{File: name, Field: field, Saw: saw, Want: want, Err: err}
	}
	end := make([]byte, 4+len(magic))
	tail := int64(len(end))
	if size < head+tail {
		return nil, 0, fault("", fmt.Sprintf("%d bytes", size), what, nil)
	}
	if _, err := r.ReadAt(end, size-tail); err != nil && err != io.EOF {
		return nil, 0, fault("footer", "", "", err)
	}
	if string(end[4:]) != magic {
		return nil, 0, fault("footer", workload.Shorten(end[4:]), fmt.Sprintf("%q at the end of the file; it may be cut short", magic), nil)
	}
	length := int64(binary.LittleEndian.Uint32(end))
	body = size - tail - length
	if body < head || length > maxFooterBytes {
		return nil, 0, fault("footer", fmt.Sprintf("a footer of %d bytes in a file of %d", length, size), "one that fits, of at most 64 MiB", nil)
	}
	footer = make([]byte, length)
	if _, err := r.ReadAt(footer, body); err != nil && err != io.EOF {
		return nil, 0, fault("footer", "", "", err)
	}
	return footer, body, nil
}

// openParquetFile reads a file's footer.
func openParquetFile(name string, r io.ReaderAt, size int64) (p *parquetFile, err error) {
	defer catch(name, &err)
	footer, body, err := readFooter(name, "a Parquet file", MagicParquet, r, size, int64(len(MagicParquet)))
	if err != nil {
		return nil, err
	}
	p = &parquetFile{name: name, file: r, body: body}
	if err := checkFooter(footer); err != nil {
		return nil, p.fault("footer", "", "", err)
	}
	// The library's messages describe its internal structures, not the file.
	if p.meta, err = metadata.NewFileMetaData(footer, nil); err != nil {
		return nil, p.fault("footer", "damaged data", "a description of rows and columns", nil)
	}
	return p, p.checkRows()
}

// checkRows checks that the row groups together have as many rows as the file.
func (p *parquetFile) checkRows() error {
	var rows int64
	for g := range p.meta.RowGroups {
		n := p.meta.RowGroup(g).NumRows()
		if n < 0 || n > math.MaxInt64-rows {
			return p.fault("footer", fmt.Sprintf("%d rows in row group %d", n, g+1), "a count", nil)
		}
		rows += n
	}
	if rows != p.meta.NumRows {
		return p.fault("footer", fmt.Sprintf("%d rows in row groups and %d in all", rows, p.meta.NumRows), "the same", nil)
	}
	return nil
}

// value returns the footer's value for a key.
func (p *parquetFile) value(key string) (string, bool) {
	if v := p.meta.KeyValueMetadata().FindValue(key); v != nil {
		return *v, true
	}
	return "", false
}

// columnNames returns the paths of the file's columns.
func (p *parquetFile) columnNames() []string {
	names := make([]string, p.meta.Schema.NumColumns())
	for i := range names {
		names[i] = p.meta.Schema.Column(i).Path()
	}
	return names
}

// isEmpty reports whether a column has only nulls according to the footer: by its type, or by the
// counts.
func (p *parquetFile) isEmpty(at int) bool {
	if _, ok := p.meta.Schema.Column(at).LogicalType().(pqschema.NullLogicalType); ok {
		return true
	}
	for _, g := range p.meta.RowGroups {
		if at >= len(g.Columns) || g.Columns[at].MetaData == nil {
			continue
		}
		m := g.Columns[at].MetaData
		if m.NumValues > 0 && (m.Statistics == nil || m.NumValues > m.Statistics.GetNullCount()) {
			return false
		}
	}
	return true
}

// readableCodecs are the compression codecs that can be read.
var readableCodecs = []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Zstd, compress.Codecs.Snappy, compress.Codecs.Gzip, compress.Codecs.Brotli}

// notRead is the end of messages about files that other programs can read.
const notRead = "which Loadstone does not read: convert the file, for example with DuckDB: COPY (FROM 'a.parquet') TO 'b.parquet'"

// chunk returns the position and encoding of column at in row group g; name is the column's name in
// messages.
func (p *parquetFile) chunk(g, at int, name string, stored *columnType) (chunk, error) {
	group, columns := p.meta.RowGroup(g), p.meta.Schema.NumColumns()
	if group.NumColumns() != columns {
		return chunk{}, p.fault("footer", fmt.Sprintf("%d columns in row group %d", group.NumColumns(), g+1), fmt.Sprint(columns), nil)
	}
	m, err := group.ColumnChunk(at)
	if err != nil {
		return chunk{}, p.fault(name, "", "", err)
	}
	c := chunk{
		start: m.DataPageOffset(), size: m.TotalCompressedSize(), rows: m.NumValues(),
		uncompressed: m.TotalUncompressedSize(), codec: m.Compression(),
		typ: stored,
	}
	if d := m.DictionaryPageOffset(); m.HasDictionaryPage() && d > 0 && d < c.start {
		c.start = d
	}
	var saw, want string
	switch {
	case c.rows == 0 && group.NumRows() == 0:
		return chunk{typ: stored}, nil // its position in the file has no meaning
	case m.Type() != stored.physical:
		saw, want = m.Type().String(), "the schema's "+stored.physical.String()
	case m.FilePath() != "":
		saw, want = "pages in another file", "pages in this one"
	case c.start < 4 || c.size < 0 || c.start > p.body || c.size > p.body-c.start:
		saw, want = fmt.Sprintf("%d bytes from %d", c.size, c.start), fmt.Sprintf("bytes before the footer at %d", p.body)
	case c.uncompressed < 0:
		saw, want = fmt.Sprintf("%d bytes", c.uncompressed), "a size"
	case c.rows != group.NumRows():
		saw, want = fmt.Sprintf("%d values", c.rows), fmt.Sprintf("%d, one a row", group.NumRows())
	case !slices.Contains(readableCodecs, c.codec):
		err = fmt.Errorf("pages compressed by %v, %s", c.codec, notRead)
	default:
		return c, nil
	}
	return c, p.fault(fmt.Sprintf("%s, row group %d", name, g+1), saw, want, err)
}

// fault returns an input error of the file.
func (p *parquetFile) fault(field, saw, want string, err error) error {
	return &workload.InputError{File: p.name, Field: field, Saw: saw, Want: want, Err: err}
}

// catch turns a panic of a decoder, which a damaged file can cause, into an input error, and wraps
// any other error in one.
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

// recoverDamage turns a panic of a decoder into an error.
func recoverDamage(err *error) {
	if x := recover(); x != nil {
		*err = damageOf(x)
	}
}

// errDamaged is the error for a file with lengths and positions that contradict each other, so that
// a decoder would read beyond its bytes.
var errDamaged = errors.New("damaged: its parts do not fit together")

// damageOf returns the error for the value that a decoder panicked with. Go's messages about slice
// bounds would not help the owner of the file.
func damageOf(panicked any) error {
	if _, ok := panicked.(interface{ RuntimeError() }); ok {
		return errDamaged
	}
	return fmt.Errorf("damaged: %v", panicked)
}
