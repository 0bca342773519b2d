package mapping

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// tables yields the rows, those read at opening first.
func (l *log) tables(yield func(*workload.TableRows, error) bool) {
	if l.ahead != nil {
		rows := l.ahead
		l.ahead = nil
		if !yield(rows, nil) {
			return
		}
	}
	for {
		rows, err, ok := l.next()
		if !ok || !yield(rows, err) || err != nil {
			return
		}
	}
}

func (l *log) batches(yield func(workload.Batch, error) bool) {
	if l.used {
		yield(nil, fmt.Errorf("%s: a log can be read only once: open it again", l.log.Name))
		return
	}
	l.used = true
	defer l.stop()
	for rows, err := range l.tables {
		if err != nil {
			yield(nil, err)
			return
		}
		if rows.Rows == 0 {
			continue
		}
		rec, err := l.record(rows)
		if err != nil {
			yield(nil, err)
			return
		}
		l.order.Count(rec, &l.from.Warnings, func(i int) int64 { return rows.At(i) })
		more := yield(rec, nil)
		rec.Release()
		if !more {
			return
		}
	}
	if l.source.warnings != nil {
		l.from.Warnings.Merge(l.source.warnings)
	}
	l.names.Warn(&l.from.Warnings)
	l.names.AddTo(&l.log.Header)
}

// record converts rows to jobs.
func (l *log) record(rows *workload.TableRows) (workload.Batch, error) {
	b := &batch{plan: l.plan, rows: rows, before: l.row, made: map[target]*made{}}
	if err := b.all(l.workers, &l.names); err != nil {
		return nil, err
	}
	for i := range l.fields {
		l.from.Warnings.Merge(&b.made[l.fields[i].target].warnings)
	}
	l.derive(b)
	for _, t := range []target{workload.ColSubmitTime, workload.ColWaitTime, workload.ColRunTime} {
		if m := b.made[t]; m != nil {
			if i := slices.IndexFunc(m.floats, func(x float64) bool { return math.IsInf(x, 0) }); i >= 0 {
				return nil, rows.Fault(i, t.String(), "a value beyond 1.8e308", workload.WantFinite)
			}
		}
	}
	if rows.Line != nil {
		l.from.Lines = linesOf(rows, l.row)
	}
	l.row += int64(rows.Rows)
	var values []workload.Values
	for col := range workload.NumColumns {
		if m := b.made[target(col)]; m != nil {
			values = append(values, workload.Values{Column: col, Floats: m.floats, Ints: m.ints})
		}
	}
	return workload.RecordOf(rows.Rows, values...), nil
}

// all evaluates the fields: at first those that need no other, several at a time.
func (b *batch) all(workers int, names *parse.Names) error {
	results, errs := make([]*made, len(b.fields)), make([]error, len(b.fields))
	par.Each(workers, len(b.fields), func(i int) {
		if f := &b.fields[i]; !f.needs() {
			results[i], errs[i] = b.evaluate(f, names)
		}
	})
	for i := range b.fields {
		f := &b.fields[i]
		if f.needs() {
			results[i], errs[i] = b.evaluate(f, names)
		}
		if errs[i] != nil {
			return errs[i]
		}
		b.made[f.target] = results[i]
	}
	return nil
}

// derive computes submissions, waits and run times from the columns that the table has
// instead of them.
func (l *log) derive(b *batch) {
	if gaps := b.made[toInterarrival]; gaps != nil {
		for i, gap := range gaps.floats {
			if gap == gap {
				l.sum += gap
				gap = l.sum
			}
			gaps.floats[i] = gap
		}
		b.made[workload.ColSubmitTime] = gaps
	}
	submit, start, end := b.made[workload.ColSubmitTime], b.made[toStart], b.made[toEnd]
	if end != nil && b.made[workload.ColRunTime] == nil {
		if wait := b.made[workload.ColWaitTime]; start != nil {
			l.between(b, workload.ColRunTime, func(i int) float64 { return end.floats[i] - start.floats[i] })
		} else if submit != nil && wait != nil {
			l.between(b, workload.ColRunTime, func(i int) float64 { return end.floats[i] - submit.floats[i] - wait.floats[i] })
		}
	}
	if start != nil && submit != nil && b.made[workload.ColWaitTime] == nil {
		l.between(b, workload.ColWaitTime, func(i int) float64 { return start.floats[i] - submit.floats[i] })
	}
}

// between fills a column with differences of times.
func (l *log) between(b *batch, t target, seconds func(i int) float64) {
	m := &made{floats: make([]float64, b.rows.Rows)}
	for i := range m.floats {
		m.floats[i] = seconds(i)
		if l.dated() {
			m.floats[i] = microseconds(m.floats[i])
		}
	}
	b.negative(&field{entry: &entry{target: t}}, m, m.floats)
	l.from.Warnings.Merge(&m.warnings)
	b.made[t] = m
}

// linesOf are the lines of rows; row is the number of jobs before them.
func linesOf(rows *workload.TableRows, row int64) *workload.RowLines {
	lines := &workload.RowLines{Row: row, Line: rows.Line(0) - 1}
	next := rows.Line(0)
	for i := range rows.Rows {
		line := rows.Line(i)
		if line != next {
			lines.Gaps = append(lines.Gaps, workload.LineGap{Row: i, Lines: int(line - next)})
		}
		next = line + 1
	}
	return lines
}
