package delimited

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// finish makes columns of what the fields of a chunk say together, and of what
// they say only after the chunks before. The error is for what is beyond a
// float64.
func (s *csvReader) finish(b *csvBatch, lines *workload.RowLines) error {
	for _, f := range s.plan.fields {
		switch f.kind {
		case csvText:
			s.renumber(b, f.target, lines)
		case csvByRow:
			for i := range b.ints[f.target] {
				b.ints[f.target][i] = s.row + int64(i) + 1
			}
		}
	}
	if gaps := b.floats[csvInterarrival]; gaps != nil {
		for i, gap := range gaps {
			if gap == gap {
				s.sum += gap
				gap = s.sum
			}
			gaps[i] = gap
		}
		b.floats[workload.ColSubmitTime] = gaps
	}
	submit, start, end := b.floats[workload.ColSubmitTime], b.floats[csvStart], b.floats[csvEnd]
	if b.floats[workload.ColRunTime] == nil && end != nil {
		b.floats[workload.ColRunTime] = make([]float64, b.rows)
		for i := range end {
			run := math.NaN()
			switch {
			case start != nil:
				run = s.plan.times.between(start[i], end[i])
			case submit != nil && b.floats[workload.ColWaitTime] != nil:
				run = s.plan.times.between(submit[i]+b.floats[workload.ColWaitTime][i], end[i])
			}
			b.floats[workload.ColRunTime][i] = run
		}
	}
	if b.floats[workload.ColWaitTime] == nil && submit != nil && start != nil {
		b.floats[workload.ColWaitTime] = make([]float64, b.rows)
		for i := range start {
			b.floats[workload.ColWaitTime][i] = s.plan.times.between(submit[i], start[i])
		}
	}
	for _, column := range []int{workload.ColSubmitTime, workload.ColWaitTime, workload.ColRunTime} {
		for i, x := range b.floats[column] {
			if math.IsInf(x, 0) {
				return &workload.InputError{File: s.plan.file, Line: lines.Of(s.row + int64(i)), Field: workload.ColumnAt(column).Name, Saw: "a value beyond 1.8e308", Want: workload.WantFinite}
			}
		}
	}
	// Those that stood in the file are counted already.
	for _, x := range []struct{ column, from int }{{workload.ColWaitTime, csvStart}, {workload.ColRunTime, csvEnd}} {
		if b.floats[x.from] == nil || s.plan.reads(x.column) {
			continue
		}
		o := csvOdd{field: &csvField{target: x.column}, rule: csvNegative}
		for i, value := range b.floats[x.column] {
			if value < 0 {
				if o.count++; o.count == 1 {
					o.line, o.saw = lines.Of(s.row+int64(i)), parse.FormatNumber(value)
				}
			}
		}
		if o.count > 0 {
			s.from.Warnings.Count(o.warning())
		}
	}
	return nil
}

// renumber gives the names of a chunk their numbers in the log.
func (s *csvReader) renumber(b *csvBatch, column int, lines *workload.RowLines) {
	numbers, _ := s.names.NumberAll(column, b.local[column])
	for i, x := range b.ints[column] {
		if x == workload.Unknown {
			continue
		}
		if b.ints[column][i] = numbers[x]; numbers[x] == workload.Unknown {
			s.names.LeftOut(column, lines.Of(s.row+int64(i)))
		}
	}
}

// record makes a record of the columns, which it takes over.
func (b *csvBatch) record() workload.Batch {
	var values []workload.Values
	for i := range workload.NumColumns {
		if b.floats[i] != nil || b.ints[i] != nil {
			values = append(values, workload.Values{Column: i, Floats: b.floats[i], Ints: b.ints[i]})
		}
	}
	return workload.RecordOf(b.rows, slices.Clip(values)...)
}
