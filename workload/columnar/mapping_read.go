package columnar

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// mappedReader reads the files of a trace one after the other.
type mappedReader struct {
	log     *workload.Log
	from    *workload.Reading
	layout  *Mapping
	parts   []sourcePart
	mem     memory.Allocator
	workers int
	start   float64 // s since 1970 of the log's second 0, else 0

	names parse.Names
	jobs  jobNumbers
	row   int64 // jobs read
	order parse.SubmitOrder
	used  bool
}

const (
	// maxEarliest is how many jobs are looked at for the earliest submission.
	maxEarliest = 1 << 26
)

// openParts opens the files of a trace. It looks at each of their footers, and
// at the times of submission: the log's second 0 is the earliest where they
// are counted from 1970.
func openParts(name string, layout *Mapping, parts []sourcePart, o workload.Options) (*workload.Log, error) {
	t := &mappedReader{names: parse.Names{Apart: true}, layout: layout, parts: parts, mem: o.Allocator, workers: par.Workers(o.Workers)}
	t.log, t.from = workload.NewLog(name, layout.Format)
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
		for _, field := range f.fields {
			if field.Column != End {
				t.from.Lacks[field.Column] = false
			}
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
	if known && (layout.UnixTimes || first > parse.ManyYears) {
		if first > parse.MaxUnix {
			return nil, &workload.InputError{File: name, Field: "submission", Saw: fmt.Sprintf("%.0f s since 1970 as the first", first), Want: "a time before the year 10000"}
		}
		t.start = max(math.Floor(first), 0)
		t.log.Header.Add("UnixStartTime", strconv.FormatInt(int64(t.start), 10))
	}
	t.from.Batches = t.batches
	return t.log, nil
}

// open opens a part.
func (t *mappedReader) open(i int, w *workload.Warnings) (f *mappedFile, err error) {
	p, closeFile, err := t.parts[i].open()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			closeFile()
		}
	}()
	defer catch(p.name, &err)
	if f, err = newMappedFile(p, t.layout, w); err != nil {
		return nil, err
	}
	if err := p.newDecoder(); err != nil {
		return nil, err
	}
	f.close = func() error { p.zstd.Close(); return closeFile() }
	return f, nil
}

// missing counts the columns of the layout that the trace has not.
func (t *mappedReader) missing(f *mappedFile) {
	seen := map[int]bool{}
	for _, field := range f.fields {
		if field.Column == End {
			seen[workload.ColRunTime] = true
		}
		seen[field.Column] = true
	}
	for _, c := range t.layout.Columns {
		if c.Column != End && !seen[c.Column] {
			seen[c.Column] = true
			t.from.Warnings.Add("missing-column", "columns of the format that the file does not have: their values are unknown", 0, c.Name)
		}
	}
}

// mappedBatch is a batch on its way to the receiver, with what was odd in it.
type mappedBatch struct {
	rec      arrow.Record
	warnings workload.Warnings
}

// batches decodes ahead of whoever pulls, as parquetReader.batches does.
func (t *mappedReader) batches(yield func(workload.Batch, error) bool) {
	if t.used {
		yield(nil, fmt.Errorf("%s: a log can be read only once", t.log.Name))
		return
	}
	t.used = true
	made := t.records
	if t.workers > 1 {
		same := func(b mappedBatch) (mappedBatch, error) { return b, nil }
		made = par.Map(1, t.records, same, func(b mappedBatch) { b.rec.Release() })
	}
	row := int64(0)
	for b, err := range made {
		if err != nil {
			yield(nil, err)
			return
		}
		t.order.Count(b.rec, &b.warnings, func(i int) int64 { return row + int64(i) + 1 })
		t.from.Warnings.Merge(&b.warnings)
		row += b.rec.NumRows()
		more := yield(b.rec, nil)
		b.rec.Release()
		if !more {
			return
		}
	}
	t.names.Warn(&t.from.Warnings)
	t.names.AddTo(&t.log.Header)
}

// records yields the batches of every row group of every part.
func (t *mappedReader) records(yield func(mappedBatch, error) bool) {
	for i := range t.parts {
		if err := t.part(i, yield); err != nil {
			if err != errStop {
				yield(mappedBatch{}, err)
			}
			return
		}
	}
}

func (t *mappedReader) part(i int, yield func(mappedBatch, error) bool) error {
	f, err := t.open(i, new(workload.Warnings)) // counted when the log was opened
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
func (t *mappedReader) group(f *mappedFile, g int, yield func(mappedBatch, error) bool) error {
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
		readers[i].word = t.wordOf(field)
	}
	for left := f.meta.RowGroup(g).NumRows(); left > 0; {
		n := int(min(left, workload.DefaultBatchRows))
		left -= int64(n)
		cols, errs := make([]*mappedValues, len(readers)), make([]error, len(readers))
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

// unnumbered is the word of a text that there is no number for.
const unnumbered = workload.Unknown + 1

const unknownWord = 1 << 63 // workload.Unknown

// wordOf returns the function that makes words of a column's bytes: numbers of
// texts.
func (t *mappedReader) wordOf(f *mappedField) wordOf {
	number := func(text []byte) (uint64, error) { return uint64(t.jobs.number(text)), nil }
	switch {
	case !f.text():
		return func(raw []byte, _ bool) (uint64, error) { return f.stored.word(raw) }
	case f.Column != workload.ColJobID:
		number = func(text []byte) (uint64, error) {
			if err := checkText(text); err != nil {
				return 0, err
			}
			id, known := t.names.NumberOf(f.Column, text)
			if !known {
				id = unnumbered
			}
			return uint64(id), nil
		}
	}
	return f.stored.texts(number)
}

// column decodes and converts the next n rows of a column chunk.
func (t *mappedReader) column(f *mappedField, r *chunkReader, n int, last bool) (v *mappedValues, err error) {
	v = newMappedValues(t.mem, n)
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
	switch {
	case !f.text():
	case f.Column == workload.ColJobID:
		t.numberJobs(v)
	default:
		t.leaveOut(f.Column, v)
	}
	return v, f.convert(v, t.row, t.start)
}

// numberJobs numbers jobs by row where their texts do not.
func (t *mappedReader) numberJobs(v *mappedValues) {
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
	var odd int64
	for i, w := range v.words {
		if v.known(i) && int64(w) == workload.Unknown {
			odd++
		}
	}
	if odd > 0 {
		v.warnings.Count(workload.Warning{Rule: "text-job-id", Text: "jobs named by a text that is no number: their number is unknown", Count: odd, Line: t.row + 1})
	}
}

// leaveOut counts the texts that have no number, and makes them unknown.
func (t *mappedReader) leaveOut(column int, v *mappedValues) {
	for i, w := range v.words {
		if v.known(i) && int64(w) == unnumbered {
			t.names.LeftOut(column, t.row+1)
			v.words[i] = unknownWord
		}
	}
}

// record puts a batch together, and takes the columns over.
func (t *mappedReader) record(fields []mappedField, cols []*mappedValues, n int) mappedBatch {
	find := func(column int) *mappedValues {
		if i := slices.IndexFunc(fields, func(f mappedField) bool { return f.Column == column }); i >= 0 {
			return cols[i]
		}
		return nil
	}
	var (
		b      mappedBatch
		arrays [workload.NumColumns]arrow.Array
		finest float64
	)
	for _, f := range fields {
		finest = max(finest, f.Unit)
	}
	for i, f := range fields {
		column := f.Column
		if column == End {
			runFromEnd(cols[i], find(workload.ColSubmitTime), finest, t.row)
			column = workload.ColRunTime
		}
		if f.Whole {
			shareOut(column, cols[i], find(workload.ColRequestedProcessors), t.row)
		}
		arrays[column] = columnArray(column, n, cols[i].values, cols[i].valid, cols[i].nulls)
		b.warnings.Merge(&cols[i].warnings)
	}
	for _, c := range cols {
		c.release()
	}
	b.rec = newRecord(&arrays, n)
	return b
}

// earliest returns the earliest known time of submission, in seconds, false
// where none is known. looked counts the jobs looked at in all files.
func (t *mappedFile) earliest(looked *int64) (first float64, ok bool, err error) {
	defer catch(t.name, &err)
	i := slices.IndexFunc(t.fields, func(f mappedField) bool { return f.Column == workload.ColSubmitTime })
	if i < 0 {
		return 0, false, nil
	}
	f := &t.fields[i]
	words := make([]uint64, workload.DefaultBatchRows)
	bitmap := make([]byte, workload.DefaultBatchRows/8)
	for g := range t.meta.RowGroups {
		c, err := t.chunkOf(g, f)
		if err != nil {
			return 0, false, err
		}
		r := newChunkReader(c, t.file, t.zstd)
		for left := c.rows; left > 0 && *looked < maxEarliest; {
			n := int(min(left, workload.DefaultBatchRows))
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
