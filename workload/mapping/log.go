package mapping

import (
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// source is a table that a mapping is read through.
type source struct {
	name    string
	columns []workload.FileColumn
	read    func([]workload.TableColumn) workload.Table
	again   bool // it can be read a second time
	// leftOut counts the columns that are not used; nil counts their names.
	leftOut func(used func(column string) bool, w *workload.Warnings)
	// warnings are what is odd in the rows read so far; may be nil.
	warnings *workload.Warnings
}

// log is a job log that is being read.
type log struct {
	*plan
	log     *workload.Log
	from    *workload.Reading
	source  *source
	workers int

	names parse.Names
	order parse.SubmitOrder
	row   int64   // jobs read
	sum   float64 // of the interarrival times so far
	used  bool

	next  func() (*workload.TableRows, error, bool)
	stop  func()
	ahead *workload.TableRows // read at opening
}

// open reads a table as a log by a mapping.
func open(m *Mapping, s *source, o workload.Options) (*workload.Log, error) {
	l := &log{source: s, workers: par.Workers(o.Workers), names: parse.Names{Apart: true}}
	l.log, l.from = workload.NewLog(s.name, m.Name)
	var err error
	if l.plan, err = newPlan(m, s, &l.from.Warnings); err != nil {
		return nil, err
	}
	zone := o
	if zone.TimeZone == "" {
		zone.TimeZone = m.Zone
	}
	if l.zone, err = zone.Zone(s.name); err != nil {
		return nil, err
	}
	if err := l.begin(zone.TimeZone); err != nil {
		return nil, err
	}
	for col := range l.from.Lacks {
		l.from.Lacks[col] = !l.gives(target(col))
	}
	l.from.Names = &l.names.Names
	l.from.Batches = l.batches
	l.from.Close = func() error { l.stop(); return nil }
	return l.log, nil
}

// gives says whether the log can have values of a column.
func (l *log) gives(t target) bool {
	switch {
	case l.has(t):
		return true
	case t == workload.ColSubmitTime:
		return l.has(toInterarrival)
	case t == workload.ColWaitTime:
		return l.has(toStart) && l.gives(workload.ColSubmitTime)
	case t == workload.ColRunTime:
		return l.has(toEnd) && (l.has(toStart) || l.gives(workload.ColSubmitTime) && l.has(workload.ColWaitTime))
	}
	return false
}

// begin reads the first rows, finds the log's second 0 and writes the header.
func (l *log) begin(zone string) error {
	l.next, l.stop = iter.Pull2(l.source.read(l.columns))
	rows, err, ok := l.next()
	if err != nil {
		l.stop()
		return err
	}
	if ok {
		l.ahead = rows
	}
	h := &l.log.Header
	for _, line := range l.mapping.Header {
		h.Add(line[0], line[1])
	}
	if !l.dated() {
		return nil
	}
	first, err := l.first()
	if err != nil {
		l.stop()
		return err
	}
	if first > parse.MaxUnix {
		l.stop()
		return &workload.InputError{File: l.file, Field: "submission", Saw: parse.FormatNumber(first) + " s since 1970 as the first", Want: "a time before the year 10000"}
	}
	l.start = int64(first)
	h.Set("UnixStartTime", strconv.FormatInt(l.start, 10))
	if zone != "" {
		h.Set("TimeZoneString", zone)
	} else if l.local() {
		l.from.Warnings.Add("time-zone", "times are local, and no time zone is given: they are read as UTC", 0, "")
	}
	return nil
}

// first is the earliest submission in whole seconds since 1970, or what stands in
// for it: over the whole table where that can be read again, else in its first rows.
func (l *log) first() (float64, error) {
	var f *field
	for _, t := range []target{workload.ColSubmitTime, toStart, toEnd} {
		if f = l.field(t); f != nil && f.form != formRelative {
			break
		}
	}
	first := math.Inf(1)
	look := func(f *field, rows *workload.TableRows) error {
		b := &batch{plan: l.plan, rows: rows}
		x, err := b.operand(f, 0, new(made))
		for _, at := range x {
			if at < first {
				first = at
			}
		}
		return err
	}
	if l.source.again {
		alone := *f
		alone.at = []int{0}
		for rows, err := range l.source.read(l.columns[f.at[0] : f.at[0]+1]) {
			if err == nil {
				err = look(&alone, rows)
			}
			if err != nil {
				return 0, err
			}
		}
	} else if l.ahead != nil {
		if err := look(f, l.ahead); err != nil {
			return 0, err
		}
	}
	if math.IsInf(first, 1) {
		first = 0
	}
	return max(math.Floor(first), 0), nil
}

// local says whether a time in the first rows has no zone.
func (l *log) local() bool {
	if l.ahead == nil {
		return false
	}
	for i := range l.fields {
		f := &l.fields[i]
		if !f.target.moment() || f.form != formTimestamp {
			continue
		}
		for _, text := range l.ahead.Columns[f.at[0]].Text {
			if _, _, local, want := parse.Stamp([]byte(text)); want == "" && local {
				return true
			}
		}
	}
	return false
}

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
		yield(nil, fmt.Errorf("%s: a log can be read only once", l.log.Name))
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

// record makes jobs of rows.
func (l *log) record(rows *workload.TableRows) (workload.Batch, error) {
	b := &batch{plan: l.plan, rows: rows, before: l.row, made: map[target]*made{}}
	if err := b.all(l.workers, &l.names); err != nil {
		return nil, err
	}
	for i := range l.fields {
		l.from.Warnings.Merge(&b.made[l.fields[i].target].warnings)
	}
	l.derive(b)
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

// derive makes submissions, waits and run times of what the table has in their
// place.
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

// between makes a column of differences of times.
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
