package columnar

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/klauspost/compress/zstd"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Source is a Parquet table written by any program: one file, or several part files with
// the same columns. Columns are read by name.
type Source struct {
	name     string
	parts    []part
	columns  []sourceColumn
	rows     int64
	workers  int
	clock    parse.Clock // of local times
	placed   bool        // its zone was asked for
	warnings *workload.Warnings

	header      workload.Header // that the first part holds
	headerFault error           // of any part
}

// sourceColumn is a column of all parts.
type sourceColumn struct {
	workload.FileColumn
	values int64 // without nulls
	blank  bool  // all values are the same, which stands for unknown
	null   bool  // no part gives its type
}

// OpenSource opens a Parquet file of size bytes. Of o it uses Workers and TimeZone. The
// caller closes r after the last use of the source. The error is a *workload.InputError.
func OpenSource(name string, r io.ReaderAt, size int64, o workload.Options) (*Source, error) {
	open := func() (*parquetFile, func() error, error) {
		p, err := openParquetFile(name, r, size)
		return p, func() error { return nil }, err
	}
	return openSource(name, []part{{name: name, open: open}}, o)
}

func openSource(name string, parts []part, o workload.Options) (*Source, error) {
	zone, err := o.Zone()
	if err != nil {
		return nil, err
	}
	s := &Source{
		name: name, parts: parts, workers: par.Workers(o.Workers),
		clock: parse.Clock{Zone: zone}, placed: o.TimeZone != "", warnings: new(workload.Warnings),
	}
	for i := range parts {
		if err := s.look(i); err != nil {
			return nil, err
		}
	}
	s.addPartitions()
	return s, nil
}

// look adds a part's columns and counts to the source.
func (s *Source) look(i int) (err error) {
	part := s.parts[i]
	defer catch(part.name, &err)
	p, done, err := part.open()
	if err != nil {
		return err
	}
	defer done()
	columns := p.columns(part.partitions)
	s.rows += p.meta.NumRows
	h, err := readMetadata(p.name, p.value)
	if s.headerFault == nil {
		s.headerFault = err
	}
	if i > 0 {
		return s.join(p, part.partitions, columns)
	}
	s.columns, s.header = columns, h
	for _, f := range part.partitions {
		for _, name := range p.columnNames() {
			if strings.EqualFold(name, f.name) {
				s.warnings.Add("partition-column", "columns of the files that the names of their folders also give: those of the folders are used", 0, workload.Shorten([]byte(name)))
			}
		}
	}
	return nil
}

// columns returns the columns of a file, without those that its path gives. A list or
// structure is one column.
func (p *parquetFile) columns(partitions []partition) (columns []sourceColumn) {
	schema := p.meta.Schema
	for at := range schema.NumColumns() {
		c := schema.Column(at)
		t := typeOf(c)
		f := workload.FileColumn{Name: c.Path(), Kind: t.kind, Type: t.unread, Nested: t.unread != ""}
		if t.nested {
			f.Name, _, _ = strings.Cut(f.Name, ".")
			if n := len(columns); n > 0 && columns[n-1].Name == f.Name {
				continue
			}
		}
		if !slices.ContainsFunc(partitions, func(p partition) bool { return strings.EqualFold(p.name, f.Name) }) {
			values, blank := p.known(at)
			columns = append(columns, sourceColumn{f, values, blank, t.null})
		}
	}
	return columns
}

// accepts returns "" if the column can be read as one of that kind, else what the column
// is, for a message.
func (c *sourceColumn) accepts(kind workload.TableKind) (saw string) {
	switch {
	case !c.Nested && (c.null || kind == c.Kind || kind == workload.TableNumber && c.Kind != workload.TableText || kind == workload.TableWhole && c.Kind == workload.TableNumber):
		return ""
	case !c.Nested && kind == workload.TableText && c.Kind != workload.TableTime:
		return "numbers"
	}
	return c.what()
}

// Columns returns the table's columns in the order of the first file, then those of the
// partitions.
func (s *Source) Columns() []workload.FileColumn {
	columns := make([]workload.FileColumn, len(s.columns))
	for i, c := range s.columns {
		columns[i] = c.FileColumn
	}
	return columns
}

// Warnings returns the warnings about the rows read so far.
func (s *Source) Warnings() *workload.Warnings { return s.warnings }

// LeftOut adds a warning to w for each column that has values but is not used, with the
// number of its values.
func (s *Source) LeftOut(used func(column string) bool, w *workload.Warnings) {
	for _, c := range s.columns {
		if !used(c.Name) && c.values > 0 && !c.blank {
			name, _, _ := strings.Cut(c.Name, ".") // of a structure
			w.Count(workload.Warning{Rule: "left-out-" + strings.ToValidUTF8(name, "?"), Text: "values of a column that the job table does not have", Count: c.values, Saw: name})
		}
	}
}

// ReadTable yields the given columns of a Parquet file of size bytes that does not hold
// jobs, a batch of rows at a time. Errors are *workload.InputError.
func ReadTable(name string, r io.ReaderAt, size int64, columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		s, err := OpenSource(name, r, size, workload.Options{})
		if err != nil {
			yield(nil, err)
			return
		}
		s.Read(columns)(yield)
	}
}

// Read yields the given columns, a batch of rows at a time; other columns are not decoded.
// A column of whole numbers may be stored in any numeric type as long as its values are
// whole; a column of numbers may be stored as integers, floats, decimals or times. Times
// without a zone are local times in Options.TimeZone. Each iteration starts at the first
// row.
func (s *Source) Read(columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		for b, err := range s.ahead(s.batches(columns, false)) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&b.rows, nil) {
				return
			}
		}
	}
}

// ahead yields the batches, and adds their warnings to those of the source. With several
// workers, a batch is decoded while the one before is in use.
func (s *Source) ahead(batches iter.Seq2[*batch, error]) iter.Seq2[*batch, error] {
	if s.workers > 1 {
		batches = par.Map(1, batches, func(b *batch) (*batch, error) { return b, nil }, nil)
	}
	return func(yield func(*batch, error) bool) {
		for b, err := range batches {
			if err == nil {
				for i := range b.warnings {
					s.warnings.Merge(&b.warnings[i])
				}
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// batch is some rows, with the warnings about each column.
type batch struct {
	rows     workload.TableRows
	warnings []workload.Warnings
}

// batches yields the rows of all parts. finite refuses infinite numbers.
func (s *Source) batches(columns []workload.TableColumn, finite bool) iter.Seq2[*batch, error] {
	return func(yield func(*batch, error) bool) {
		// A frame may not grow beyond the page that its header announced.
		z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(s.workers), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(maxPageBytes))
		if err != nil {
			yield(nil, err)
			return
		}
		defer z.Close()
		for _, part := range s.parts {
			goOn, err := s.readPart(part, &reader{Source: s, zstd: z, finite: finite, row: 1}, columns, yield)
			if err != nil {
				yield(nil, err)
			}
			if !goOn || err != nil {
				return
			}
		}
	}
}

// reader reads the columns of a part.
type reader struct {
	*Source
	*parquetFile
	zstd   *zstd.Decoder
	fields []readField
	finite bool
	row    int64 // of the next row, from 1
}

// readField is a column to read.
type readField struct {
	workload.TableColumn
	at        int        // in the file; -1 where it has no such column
	partition *partition // that gives the column, or nil
	stored    columnType

	words   []uint64 // of texts, kept for the next batch
	bitmap  []byte
	texts   []byte // those of the row group's dictionary and of the batch, one after the other
	entries int    // bytes of the dictionary
}

// readPart reads the columns of a file. goOn is false where yield wants no more.
func (s *Source) readPart(part part, r *reader, columns []workload.TableColumn, yield func(*batch, error) bool) (goOn bool, err error) {
	p, done, err := part.open()
	if err != nil {
		return false, err
	}
	defer done()
	r.parquetFile = p
	places, missing := workload.FindTableColumns(columns, withPartitions(p.columnNames(), part.partitions))
	if missing != nil {
		missing.File = p.name
		return false, missing
	}
	inFile := p.meta.Schema.NumColumns()
	for i, c := range columns {
		f := readField{TableColumn: c, at: places[i]}
		switch {
		case f.at >= inFile:
			f.partition, f.at = &part.partitions[f.at-inFile], -1
			c.Name = f.partition.name
		case f.at >= 0:
			f.stored = typeOf(p.meta.Schema.Column(f.at))
			c.Name = p.meta.Schema.Column(f.at).Path()
		}
		for _, in := range s.columns {
			if saw := in.accepts(c.Kind); in.Name == c.Name && saw != "" {
				return false, p.fault(f.Name, saw, c.Kind.String(), nil)
			}
		}
		r.fields = append(r.fields, f)
	}
	for g := range p.meta.RowGroups {
		if goOn, err := r.group(g, yield); !goOn || err != nil {
			return goOn, err
		}
	}
	return true, nil
}

// chunks prepares to read a row group, in batches of rows at most.
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
		c, err := r.chunk(g, f.at, f.Name, &f.stored)
		if err != nil {
			return nil, 0, err
		}
		chunks[i] = newChunkReader(c, r.file, r.zstd, budget, f.wordOf())
		if f.stored.kind == workload.TableText && c.rows > 0 {
			rows = min(rows, max(batchTextBytes/(c.uncompressed/c.rows+1), 64))
		}
	}
	return chunks, rows, nil
}

// group decodes a row group, some rows at a time.
func (r *reader) group(g int, yield func(*batch, error) bool) (goOn bool, err error) {
	chunks, most, err := r.chunks(g)
	if err != nil {
		return false, err
	}
	for left := r.meta.RowGroup(g).NumRows(); left > 0; {
		n := int(min(left, most))
		left -= int64(n)
		b := &batch{
			workload.TableRows{File: r.parquetFile.name, Rows: n, Row: r.row, Columns: make([]workload.TableValues, len(r.fields))},
			make([]workload.Warnings, len(r.fields)),
		}
		errs := make([]error, len(chunks))
		par.Each(r.workers, len(chunks), func(i int) {
			switch f, to := &r.fields[i], &b.rows.Columns[i]; {
			case f.partition != nil:
				f.partition.fill(to, f.Kind, n)
			case f.at < 0:
				*to = workload.TableValues{}
			default:
				errs[i] = r.column(f, chunks[i], to, n, &b.warnings[i])
				if errs[i] == nil && left == 0 {
					errs[i] = chunks[i].end()
				}
			}
		})
		for i, err := range errs {
			if err != nil {
				return false, r.fault(fmt.Sprintf("%s, row group %d", r.fields[i].Name, g+1), "", "", err)
			}
		}
		r.row += int64(n)
		if !yield(b, nil) {
			return false, nil
		}
	}
	return true, nil
}

// column decodes the next n rows of a column chunk.
func (r *reader) column(f *readField, c *chunkReader, to *workload.TableValues, n int, w *workload.Warnings) (err error) {
	defer recoverDamage(&err)
	f.bitmap = resize(f.bitmap, int(bitutil.BytesForBits(int64(n))))
	switch f.Kind {
	case workload.TableText:
		f.words = resize(f.words, n)
		if err := c.read(f.words, f.bitmap, 0); err != nil {
			return err
		}
		to.Piece, to.Spans = string(f.texts), resize(to.Spans, n)
		f.texts = f.texts[:f.entries]
		for i, w := range f.words {
			to.Spans[i] = workload.Span{From: uint32(w >> 32), To: uint32(w)}
		}
		return nil
	case workload.TableWhole:
		to.Whole = resize(to.Whole, n)
		words := wordsOf(to.Whole)
		if err := c.read(words, f.bitmap, nullWhole); err != nil {
			return err
		}
		err := f.stored.number.convert(words, f.bitmap, f.Kind, r.row)
		for i, word := range words {
			if word == nullWhole && !f.stored.number.float && isSet(f.bitmap, i) {
				w.Add("smallest-number", "values of -9223372036854775808, which stands for unknown", r.row+int64(i), f.Name)
			}
		}
		return err
	}
	to.Number = resize(to.Number, n)
	words := wordsOf(to.Number)
	if err := c.read(words, f.bitmap, nullNumber); err != nil {
		return err
	}
	if f.stored.number.local {
		r.local(f, words, w)
		return nil
	}
	err = f.stored.number.convert(words, f.bitmap, f.Kind, r.row)
	if err == nil && r.finite && f.stored.number.float {
		err = checkFinite(words, r.row)
	}
	return err
}

// The words of nulls.
var (
	nullNumber = math.Float64bits(math.NaN())
	nullWhole  = uint64(1 << 63) // workload.Unknown
)

// wordsOf returns the memory of numbers as the bits of each.
func wordsOf[T int64 | float64](numbers []T) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(numbers))), len(numbers))
}

// local makes seconds since 1970, in place, of times whose clock is that of the zone. One
// that the clock went over twice is the first of the two.
func (r *reader) local(f *readField, words []uint64, w *workload.Warnings) {
	number := f.stored.number
	for i, word := range words {
		if !isSet(f.bitmap, i) {
			continue
		}
		seconds, part := number.seconds(number.integer(word))
		if -dated <= seconds && seconds <= dated {
			first, last, missed := r.clock.Instants(seconds)
			switch {
			case missed:
				w.Add("skipped-time", "local times that were skipped by a clock change: the time zone is wrong", r.row+int64(i), f.Name)
			case first != last:
				w.Add("repeated-hour", "times in the repeated hour of a clock change: read as the first of the two", r.row+int64(i), f.Name)
			}
			seconds = first
		}
		words[i] = math.Float64bits(float64(seconds) + part)
	}
	if !r.placed && r.row == 1 {
		w.Add("time-zone", "local times without a time zone, read as UTC: name the zone by --timezone, such as Europe/Zurich", 0, f.Name)
	}
}

// dated is how far from 1970 a time may be and still have a zone, s: 30,000 years.
const dated = 1e12

const (
	// batchTextBytes is how much text a batch should have in a column.
	batchTextBytes = 16 << 20
	// maxBatchTextBytes bounds it.
	maxBatchTextBytes = 256 << 20
)

// wordOf returns the function that makes words of the bytes of a row group. The
// word of a text is where it begins and ends.
func (f *readField) wordOf() wordOf {
	if f.stored.word != nil {
		return func(raw []byte, _ bool) (uint64, error) { return f.stored.word(raw) }
	}
	f.texts, f.entries = f.texts[:0], 0
	var form []byte
	return func(raw []byte, entry bool) (uint64, error) {
		if f.stored.text != nil {
			form = f.stored.text(form[:0], raw)
			raw = form
		}
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
