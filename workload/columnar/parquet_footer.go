package columnar

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/apache/arrow/go/v15/parquet/metadata"

	"github.com/loadstone-hpc/loadstone/workload"
)

// maxFooterBytes bounds a footer: 64 MiB is that of some 5,000 million jobs.
const maxFooterBytes = 64 << 20

// readFooter reads the file's metadata.
func (p *parquetReader) readFooter(size int64) error {
	const tail = 8
	if size < int64(len(MagicParquet))+tail {
		return p.fault("", fmt.Sprintf("%d bytes", size), "a Parquet file", nil)
	}
	var end [tail]byte
	if _, err := p.file.ReadAt(end[:], size-tail); err != nil && err != io.EOF {
		return p.fault("footer", "", "", err)
	}
	switch string(end[4:]) {
	case MagicParquet:
	case "PARE":
		return p.fault("footer", "an encrypted file", "one that is not", nil)
	default:
		return p.fault("footer", workload.Shorten(end[4:]), `"PAR1" at the end of the file; it may be cut short`, nil)
	}
	length := int64(binary.LittleEndian.Uint32(end[:4]))
	p.body = size - tail - length
	if p.body < int64(len(MagicParquet)) || length > maxFooterBytes {
		return p.fault("footer", fmt.Sprintf("a footer of %d bytes in a file of %d", length, size), "one that fits, of at most 64 MiB", nil)
	}
	footer := make([]byte, length)
	if _, err := p.file.ReadAt(footer, p.body); err != nil && err != io.EOF {
		return p.fault("footer", "", "", err)
	}
	if err := checkFooter(footer); err != nil {
		return p.fault("footer", "", "", err)
	}
	// The library's messages describe its internal structures, not the file.
	meta, err := metadata.NewFileMetaData(footer, nil)
	if err != nil {
		return p.fault("footer", "damaged data", "a description of rows and columns", nil)
	}
	if meta.IsSetEncryptionAlgorithm() {
		return p.fault("footer", "an encrypted file", "one that is not", nil)
	}
	p.meta = meta
	return nil
}

// matchFields finds the columns.
func (p *parquetReader) matchFields(w *workload.Warnings) error {
	s := p.meta.Schema
	// The file's top-level fields, of which only leaves can be columns of ours.
	names := make([]string, s.NumColumns())
	for i := range names {
		names[i] = s.Column(i).Path()
	}
	var err error
	if p.index, err = matchColumns(p.name, withPartitions(names, p.partitions), w); err != nil {
		return err
	}
	for i, at := range p.index {
		if at >= len(names) {
			p.index[i], p.fixed[i] = -1, &p.partitions[at-len(names)]
			if _, _, err := p.fixed[i].word(i); err != nil {
				return p.fault(workload.ColumnAt(i).Name, strconv.Quote(p.fixed[i].value), columnWords(i), nil)
			}
			continue
		}
		if at < 0 {
			continue
		}
		if p.fields[i], err = newParquetField(s.Column(at), i); err != nil {
			return p.fault(workload.ColumnAt(i).Name, err.Error(), columnWords(i), nil)
		}
		if t := p.fields[i].note; t != "" {
			w.Add("converted-column", "columns converted to "+t, 0, workload.ColumnAt(i).Name)
		}
	}
	return nil
}

// columnWords describes column i of the job table, for a message.
func columnWords(i int) string {
	if workload.ColumnAt(i).Float() {
		return "a number"
	}
	return "a whole number"
}

// checkCounts compares the footer's counts with each other and with the file.
func (p *parquetReader) checkCounts() error {
	if err := p.checkRows(); err != nil {
		return err
	}
	for g := range p.meta.RowGroups {
		if _, err := p.chunks(g); err != nil {
			return err
		}
	}
	return nil
}

// checkRows checks that the row groups have as many rows as the whole.
func (p *parquetReader) checkRows() error {
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

// lacks reports that the file has no value of a column of the job table.
func (p *parquetReader) lacks(i int) bool {
	if f := p.fixed[i]; f != nil {
		return f.null
	}
	return p.index[i] < 0 || p.nulls(p.index[i])
}

// nulls reports that the footer counts nothing but nulls in a column of the file.
func (p *parquetReader) nulls(column int) bool {
	for _, g := range p.meta.RowGroups {
		if s := g.Columns[column].MetaData.Statistics; s == nil || s.NullCount == nil || *s.NullCount != g.NumRows {
			return false
		}
	}
	return len(p.meta.RowGroups) > 0
}

// chunks returns the columns of a row group.
func (p *parquetReader) chunks(g int) ([]chunk, error) {
	var cs []chunk
	for i, at := range p.index {
		if at < 0 {
			continue
		}
		c, err := p.chunk(g, at, workload.ColumnAt(i).Name, &p.fields[i].stored)
		if err != nil {
			return nil, err
		}
		c.column = i
		cs = append(cs, c)
	}
	return cs, nil
}

// chunk returns column at of a row group; name is for messages.
func (p *parquetReader) chunk(g, at int, name string, stored *columnType) (chunk, error) {
	group := p.meta.RowGroup(g)
	if group.NumColumns() != p.meta.Schema.NumColumns() {
		return chunk{}, p.fault("footer", fmt.Sprintf("%d columns in row group %d", group.NumColumns(), g+1), fmt.Sprint(p.meta.Schema.NumColumns()), nil)
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
	where := fmt.Sprintf("%s, row group %d", name, g+1)
	switch {
	case c.rows == 0 && group.NumRows() == 0:
		return chunk{typ: stored}, nil // which may be said to stand anywhere
	case m.Type() != stored.physical:
		return c, p.fault(where, m.Type().String(), "the schema's "+stored.physical.String(), nil)
	case m.FilePath() != "":
		return c, p.fault(where, "pages in another file", "pages in this one", nil)
	case c.start < 4 || c.size < 0 || c.start > p.body || c.size > p.body-c.start:
		return c, p.fault(where, fmt.Sprintf("%d bytes from %d", c.size, c.start), fmt.Sprintf("bytes before the footer at %d", p.body), nil)
	case c.uncompressed < 0:
		return c, p.fault(where, fmt.Sprintf("%d bytes", c.uncompressed), "a size", nil)
	case c.rows != group.NumRows():
		return c, p.fault(where, fmt.Sprintf("%d values", c.rows), fmt.Sprintf("%d, one a row", group.NumRows()), nil)
	}
	return c, nil
}
