package columnar

import (
	"math"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
)

// openParquetFolder opens a folder of Parquet files that are parts of one table of
// jobs, whose columns partitions may give too. The header is that of the first part.
func openParquetFolder(name, path string, o workload.Options) (*workload.Log, error) {
	s, err := OpenSourceFolder(name, path, o)
	if s == nil || err != nil {
		return nil, err
	}
	log, from := workload.NewLog(name, "parquet")
	for i := range from.Lacks {
		from.Lacks[i] = true
	}
	for i, part := range s.parts {
		var w workload.Warnings // all parts have the same columns
		err := part.jobs(&w, func(p *parquetReader, h workload.Header) error {
			if i == 0 {
				log.Header = h
				from.Warnings.Merge(&w)
			}
			for i := range from.Lacks {
				from.Lacks[i] = from.Lacks[i] && p.lacks(i)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	records := func(yield func(arrow.Record, error) bool) {
		for _, part := range s.parts {
			err := part.jobs(new(workload.Warnings), func(p *parquetReader, _ workload.Header) error { return p.groups(yield) })
			if err != nil {
				if err != errStop {
					yield(nil, err)
				}
				return
			}
		}
	}
	from.Batches = func(yield func(arrow.Record, error) bool) { ahead(s.workers, records, yield) }
	return log, nil
}

// jobs opens the part as one of the job table for the time of the call.
func (part *sourcePart) jobs(w *workload.Warnings, use func(*parquetReader, workload.Header) error) error {
	p, done, err := part.open()
	if err != nil {
		return err
	}
	defer done()
	p.partitions = part.partitions
	p.warnPartitions(part.partitions, w)
	h, err := p.jobs(w)
	if err != nil {
		return err
	}
	defer p.zstd.Close()
	return use(p, h)
}

// word is the value of a partition as one of a column of the job table.
func (f *partition) word(i int) (w uint64, known bool, err error) {
	if f.null {
		return 0, false, nil
	}
	if !workload.ColumnAt(i).Float() {
		n, err := strconv.ParseInt(f.value, 10, 64)
		return uint64(n), true, err
	}
	x, err := strconv.ParseFloat(f.value, 64)
	if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		err = strconv.ErrRange
	}
	return math.Float64bits(x), true, err
}

// fixedColumns are n rows of the columns that partitions give.
func (p *parquetReader) fixedColumns(n int) (cols [workload.NumColumns]arrow.Array) {
	for i, f := range p.fixed {
		if f == nil {
			continue
		}
		word, known, _ := f.word(i)
		if !known {
			continue
		}
		values, bitmap := memory.NewResizableBuffer(p.mem), memory.NewResizableBuffer(p.mem)
		values.Resize(8 * n)
		bitmap.Resize(int(bitutil.BytesForBits(int64(n))))
		words := arrow.Uint64Traits.CastFromBytes(values.Bytes())
		for k := range words {
			words[k] = word
		}
		cols[i] = columnArray(i, n, values, bitmap, 0)
		values.Release()
		bitmap.Release()
	}
	return cols
}
