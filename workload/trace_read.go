package workload

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

// tracePart opens one file of a trace, once for its counts and once to read.
type tracePart func() (*parquetReader, func() error, error)

// traceReader reads the files of a trace one after the other.
type traceReader struct {
	log     *Log
	from    *Reading
	layout  *traceLayout
	parts   []tracePart
	mem     memory.Allocator
	workers int
	start   float64 // s since 1970 of the log's second 0, else 0

	names logNames
	jobs  jobNumbers
	row   int64 // jobs read
	order submitOrder
	used  bool
}

const (
	// manyYears tells submissions counted from 1970 from those counted from
	// the log's start where a format has both: no log is ten years long before
	// its first job.
	manyYears = 10 * 365 * 86400 // s
	// maxUnix is the end of the year 9999.
	maxUnix = 253402300799 // s
	// maxEarliest is how many jobs are looked at for the earliest submission.
	maxEarliest = 1 << 26
)

// openTrace opens the files of a trace. It looks at each of their footers, and
// at the times of submission: the log's second 0 is the earliest where they
// are counted from 1970.
func openTrace(name string, layout *traceLayout, parts []tracePart, o Options) (*Log, error) {
	t := &traceReader{names: logNames{apart: true}, layout: layout, parts: parts, mem: o.Allocator, workers: par.Workers(o.Workers)}
	t.log, t.from = NewLog(name, layout.Format)
	if t.mem == nil {
		t.mem = memory.DefaultAllocator
	}
	t.from.Names = &t.names.Names
	first, known, looked := math.Inf(1), false, int64(0)
	for i := range parts {
		f, err := t.open(i, &t.from.Warnings)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			t.missing(f)
		}
		x, ok, err := f.earliest(&looked)
		f.close()
		if err != nil {
			return nil, err
		}
		if ok {
			first, known = min(first, x), true
		}
	}
	if known && (layout.UnixTimes || first > manyYears) {
		if first > maxUnix {
			return nil, &InputError{File: name, Field: "submission", Saw: fmt.Sprintf("%.0f s since 1970 as the first", first), Want: "a time before the year 10000"}
		}
		t.start = max(math.Floor(first), 0)
		t.log.Header.Add("UnixStartTime", strconv.FormatInt(int64(t.start), 10))
	}
	t.from.Batches = t.batches
	return t.log, nil
}

// open opens a part.
func (t *traceReader) open(i int, w *Warnings) (f *traceFile, err error) {
	p, closeFile, err := t.parts[i]()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			closeFile()
		}
	}()
	defer catch(p.name, &err)
	if f, err = newTraceFile(p, t.layout, w); err != nil {
		return nil, err
	}
	if err := p.newDecoder(); err != nil {
		return nil, err
	}
	f.close = func() error { p.zstd.Close(); return closeFile() }
	return f, nil
}

// missing counts the columns of the layout that the trace has not.
func (t *traceReader) missing(f *traceFile) {
	seen := map[int]bool{}
	for _, field := range f.fields {
		if field.Column == traceEnd {
			seen[ColRunTime] = true
		}
		seen[field.Column] = true
	}
	for _, c := range t.layout.Columns {
		if c.Column != traceEnd && !seen[c.Column] {
			seen[c.Column] = true
			t.from.Warnings.Add("missing-column", "columns of the format that the file does not have: their values are unknown", 0, c.Name)
		}
	}
}

// traceBatch is a batch on its way to the receiver, with what was odd in it.
type traceBatch struct {
	rec      arrow.Record
	warnings Warnings
}

// batches decodes ahead of whoever pulls, as parquetReader.batches does.
func (t *traceReader) batches(yield func(arrow.Record, error) bool) {
	if t.used {
		yield(nil, fmt.Errorf("%s: a log can be read only once", t.log.Name))
		return
	}
	t.used = true
	made := t.records
	if t.workers > 1 {
		same := func(b traceBatch) (traceBatch, error) { return b, nil }
		made = par.Map(1, t.records, same, func(b traceBatch) { b.rec.Release() })
	}
	row := int64(0)
	for b, err := range made {
		if err != nil {
			yield(nil, err)
			return
		}
		t.order.count(b.rec, &b.warnings, func(i int) int64 { return row + int64(i) + 1 })
		t.from.Warnings.Merge(&b.warnings)
		row += b.rec.NumRows()
		more := yield(b.rec, nil)
		b.rec.Release()
		if !more {
			return
		}
	}
	t.names.warn(&t.from.Warnings)
	t.names.AddTo(&t.log.Header)
}

// records yields the batches of every row group of every part.
func (t *traceReader) records(yield func(traceBatch, error) bool) {
	for i := range t.parts {
		if err := t.part(i, yield); err != nil {
			if err != errStop {
				yield(traceBatch{}, err)
			}
			return
		}
	}
}

func (t *traceReader) part(i int, yield func(traceBatch, error) bool) error {
	f, err := t.open(i, new(Warnings)) // counted when the log was opened
	if err != nil {
		return err
	}
	defer f.close()
	for g := range f.meta.RowGroups {
		if err := t.group(f, g, yield); err != nil {
			return err
		}
	}
	return nil
}

// group decodes a row group: every column's chunk is read on, in parallel, by
// a batch of rows at a time.
func (t *traceReader) group(f *traceFile, g int, yield func(traceBatch, error) bool) error {
	readers := make([]*chunkReader, len(f.fields))
	budget := newPageBudget()
	for i := range f.fields {
		field := &f.fields[i]
		c, err := f.chunkOf(g, field)
		if err != nil {
			return err
		}
		readers[i] = newChunkReader(c, f.file, f.zstd)
		readers[i].budget = budget
		if field.text() {
			readers[i].intern = t.intern(field.Column)
		}
	}
	for left := f.meta.RowGroup(g).NumRows(); left > 0; {
		n := int(min(left, DefaultBatchRows))
		left -= int64(n)
		cols, errs := make([]*traceValues, len(readers)), make([]error, len(readers))
		par.Each(t.workers, len(readers), func(i int) {
			cols[i], errs[i] = t.column(&f.fields[i], readers[i], n, left == 0)
		})
		for i, err := range errs {
			if err != nil {
				for _, c := range cols {
					if c != nil {
						c.release()
					}
				}
				return f.fault(fmt.Sprintf("%s, row group %d", f.fields[i].Name, g+1), "", "", err)
			}
		}
		b := t.record(f.fields, cols, n)
		t.row += int64(n)
		if !yield(b, nil) {
			b.rec.Release()
			return errStop
		}
	}
	return nil
}

// intern returns the function that numbers the texts of a column.
func (t *traceReader) intern(column int) func([]byte) (uint64, error) {
	if column == ColJobID {
		return func(text []byte) (uint64, error) { return uint64(t.jobs.number(text)), nil }
	}
	return func(text []byte) (uint64, error) {
		if want := checkText(text); want != "" {
			return 0, fmt.Errorf("saw %s, want %s", Shorten(text), want)
		}
		id, known := t.names.number(column, text)
		if !known {
			t.names.leftOut(column, t.row+1)
		}
		return uint64(id), nil
	}
}

// column decodes and converts the next n rows of a column chunk.
func (t *traceReader) column(f *traceField, r *chunkReader, n int, last bool) (v *traceValues, err error) {
	v = newTraceValues(t.mem, n)
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("damaged page: %v", x)
		}
		if err != nil {
			v.release()
			v = nil
		}
	}()
	if v.nulls, err = r.read(v.words, v.bitmap); err == nil && last {
		err = r.end()
	}
	if err != nil {
		return v, err
	}
	if f.text() && f.Column == ColJobID {
		t.numberJobs(v)
	}
	return v, f.convert(v, t.row, t.start)
}

// numberJobs numbers jobs by row where their texts do not.
func (t *traceReader) numberJobs(v *traceValues) {
	if t.jobs.byRow {
		if t.row == 0 {
			v.odd("text-job-id", "jobs are named by text: they are numbered by row", 0, "")
		}
		for i := range v.words {
			if !v.known(i) {
				v.bitmap[i>>3] |= 1 << (i & 7)
				v.nulls--
			}
			v.words[i] = uint64(t.row + int64(i) + 1)
		}
	}
	if t.jobs.odd > 0 {
		v.warnings.Count(Warning{Rule: "text-job-id", Text: "jobs named by a text that is no number: their number is unknown", Count: t.jobs.odd, Line: t.row + 1})
		t.jobs.odd = 0
	}
}

// record puts a batch together, and takes the columns over.
func (t *traceReader) record(fields []traceField, cols []*traceValues, n int) traceBatch {
	find := func(column int) *traceValues {
		if i := slices.IndexFunc(fields, func(f traceField) bool { return f.Column == column }); i >= 0 {
			return cols[i]
		}
		return nil
	}
	var (
		b      traceBatch
		arrays [NumColumns]arrow.Array
		finest float64
	)
	for _, f := range fields {
		finest = max(finest, f.Unit)
	}
	for i, f := range fields {
		column := f.Column
		if column == traceEnd {
			runFromEnd(cols[i], find(ColSubmitTime), finest, t.row)
			column = ColRunTime
		}
		if f.Whole {
			shareOut(column, cols[i], find(ColRequestedProcessors), t.row)
		}
		arrays[column] = columnArray(column, n, cols[i].values, cols[i].valid, cols[i].nulls)
		b.warnings.Merge(&cols[i].warnings)
	}
	for _, c := range cols {
		c.release()
	}
	b.rec = newRecord(&arrays, n, t.mem)
	return b
}

// earliest returns the earliest known time of submission, in seconds, false
// where none is known. looked counts the jobs looked at in all files.
func (t *traceFile) earliest(looked *int64) (first float64, ok bool, err error) {
	defer catch(t.name, &err)
	i := slices.IndexFunc(t.fields, func(f traceField) bool { return f.Column == ColSubmitTime })
	if i < 0 {
		return 0, false, nil
	}
	f := &t.fields[i]
	words := make([]uint64, DefaultBatchRows)
	bitmap := make([]byte, DefaultBatchRows/8)
	for g := range t.meta.RowGroups {
		c, err := t.chunkOf(g, f)
		if err != nil {
			return 0, false, err
		}
		r := newChunkReader(c, t.file, t.zstd)
		for left := c.rows; left > 0 && *looked < maxEarliest; {
			n := int(min(left, DefaultBatchRows))
			left -= int64(n)
			*looked += int64(n)
			if _, err := r.read(words[:n], bitmap); err != nil {
				return 0, false, t.fault(fmt.Sprintf("%s, row group %d", f.Name, g+1), "", "", err)
			}
			for i, w := range words[:n] {
				if bitmap[i>>3]>>(i&7)&1 == 0 {
					continue
				}
				// An infinite time is an error, with its row, when jobs are read.
				if x, known := f.number(w); known && !math.IsInf(x, 0) && (!ok || x/f.Unit < first) {
					first, ok = x/f.Unit, true
				}
			}
		}
	}
	return first, ok, nil
}
