package mapping

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// source is a table to be read through a mapping.
type source struct {
	name         string
	columns      []workload.FileColumn
	read         func([]workload.TableColumn) workload.Table
	header       workload.Header
	hasTypes     bool // columns have types, so that texts are names
	namesColumns bool // the mapping names the columns, so that unused ones are no surprise
	// warnings are those about the rows read so far; may be nil.
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
	row   int64   // number of jobs read
	sum   float64 // of the interarrival times so far

	next  func() (*workload.TableRows, error, bool)
	stop  func()
	ahead *workload.TableRows // first rows, read when the log was opened
}

// open opens a table as a log through a mapping.
func open(m *Mapping, s *source, o workload.Options) (*workload.Log, error) {
	l := &log{source: s, workers: par.Workers(o.Workers), names: parse.Names{Apart: true}}
	l.log, l.from = workload.NewLog(s.name, m.Name)
	var err error
	if l.plan, err = newPlan(m, s, &l.from.Warnings); err != nil {
		return nil, err
	}
	zone := o
	zone.TimeZone = cmp.Or(o.TimeZone, m.Zone)
	if named := s.header.Get("TimeZoneString"); zone.TimeZone == "" && named != "" {
		if _, err := time.LoadLocation(named); err == nil { // an SWF header may have any text here
			zone.TimeZone = named
		}
	}
	if l.zone, err = zone.Zone(); err != nil {
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

// gives reports whether the log can have values of a target, from its own column or from others.
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

// begin reads the first rows, if anything depends on them, writes the header and finds the log's
// second 0.
func (l *log) begin(zone string) (err error) {
	l.next, l.stop = iter.Pull2(l.source.read(l.columns))
	hasMoments := !l.mapping.written && slices.ContainsFunc(l.plan.order, func(f *field) bool { return f.isMoment() })
	if hasMoments || slices.ContainsFunc(l.columns, func(c workload.TableColumn) bool { return c.Kind == workload.TableText }) {
		l.ahead, err, _ = l.next()
	}
	h := &l.log.Header
	h.Lines = slices.Clone(l.source.header.Lines)
	for _, key := range slices.Sorted(maps.Keys(l.mapping.Header)) {
		for line := range strings.SplitSeq(l.mapping.Header[key], "\n") {
			h.Add(key, workload.OneLine(line))
		}
	}
	if err == nil {
		l.resolve()
		err = l.date(zone)
	}
	if err != nil {
		l.stop()
	}
	return err
}

// texts yields the known texts of a way's column in the rows read ahead, with their rows.
func (l *log) texts(w *way) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		if l.ahead == nil || w.at.column < 0 || !l.ahead.Columns[w.at.column].HasText() {
			return
		}
		r := reader{way: w, b: &batch{plan: l.plan, rows: l.ahead}}
		for row := range l.ahead.Rows {
			if text := r.value(row).asText(); text != "" && !yield(row, text) {
				return
			}
		}
	}
}

// resolve decides how to read the values of each way, from the columns' types and the first rows.
func (l *log) resolve() {
	hasDates, undecided := false, []*way(nil)
	for t, w := range l.ways {
		isText := w.at.column >= 0 && l.columns[w.at.column].Kind == workload.TableText
		switch {
		case t == workload.ColStatus:
			w.form = asStatus
		case t.isMoment() && isText:
			isDate, known := l.beginsWithDate(w)
			hasDates = hasDates || isDate
			if isDate {
				w.form = asDate
			} else if !known {
				undecided = append(undecided, w)
			}
		case isText && t.isNamed() && (!w.Numbers || l.source.hasTypes):
			w.form = asName
		case isText && (t.isNamed() || t == workload.ColJobID || t == workload.ColPrecedingJob):
			l.resolveNumbers(t, w)
		}
	}
	for _, w := range undecided {
		if hasDates {
			w.form = asDate
		}
	}
}

// beginsWithDate reports whether the first known text of a way is a date; known is false if there
// is none.
func (l *log) beginsWithDate(w *way) (isDate, known bool) {
	for _, text := range l.texts(w) {
		// A date in the year 0 is a timestamp too, though an invalid one.
		_, _, _, want := parse.Stamp([]byte(text))
		return want != parse.WantStamp, true
	}
	return false, false
}

// resolveNumbers decides whether a column of texts holds numbers or names, of jobs or of users and
// the like.
func (l *log) resolveNumbers(t target, w *way) {
	w.lenient = true
	for row, text := range l.texts(w) {
		_, want := parse.Whole([]byte(text))
		switch {
		case t.isNamed() && len(text) > 1 && text[0] == '0' && strings.Trim(text, "0123456789") == "": // 007 and 7 are two users
			w.form = asName
			return
		case want != "a whole number":
		case t.isNamed():
			w.form = asName
			return
		case t == workload.ColJobID && !parse.Infinite([]byte(text)): // 1e309 may be a hash among other names
			w.form = asRow
			l.from.Warnings.Add("text-job-id", "job ids are not numbers: jobs are numbered by row", l.ahead.At(row), workload.Shorten([]byte(text)))
			return
		}
	}
}

// tables yields all rows, beginning with those read at opening.
func (l *log) tables(yield func(*workload.TableRows, error) bool) {
	if rows := l.ahead; rows != nil {
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

func (l *log) batches(yield func(*workload.Batch, error) bool) {
	defer l.stop()
	for rows, err := range l.tables {
		if err == nil && rows.Rows == 0 {
			continue
		}
		var jobs *workload.Batch
		if err == nil {
			jobs, err = l.jobs(rows)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		l.order.Count(jobs, &l.from.Warnings, func(i int) int64 { return rows.At(i) })
		if !yield(jobs, nil) {
			return
		}
	}
	l.from.Warnings.Merge(l.source.warnings)
	l.names.Warn(&l.from.Warnings)
	l.names.AddTo(&l.log.Header)
}

// jobs converts rows to jobs.
func (l *log) jobs(rows *workload.TableRows) (*workload.Batch, error) {
	b := &batch{plan: l.plan, rows: rows, before: l.row}
	if err := b.all(l.workers, &l.names); err != nil {
		return nil, err
	}
	for _, f := range l.plan.order {
		l.from.Warnings.Merge(&b.made[f.target].warnings)
	}
	l.derive(b)
	jobs := &workload.Batch{Rows: rows.Rows}
	for col := range workload.NumColumns {
		m := b.made[col]
		if m == nil {
			continue
		}
		if i := slices.IndexFunc(m.floats, func(x float64) bool { return math.IsInf(x, 0) }); i >= 0 {
			return nil, rows.Fault(i, target(col).String(), "a value beyond 1.8e308", workload.WantFinite)
		}
		jobs.Floats[col], jobs.Ints[col] = m.floats, m.ints
		parse.CountLow(&l.from.Warnings, col, m.floats, false, rows.At)
		if workload.ColumnAt(col).Use == workload.Amount {
			parse.CountLow(&l.from.Warnings, col, m.ints, false, rows.At)
		}
	}
	if rows.Line != nil {
		l.from.Lines = workload.NewRowLines(l.row, rows.Rows, rows.Line)
	}
	l.row += int64(rows.Rows)
	return jobs, nil
}

// derive computes submissions, waits and run times from the columns that the table has
// instead of them.
func (l *log) derive(b *batch) {
	if gaps := b.made[toInterarrival]; gaps != nil {
		submits := make([]float64, len(gaps.floats))
		for i, gap := range gaps.floats {
			if submits[i] = gap; gap == gap {
				l.sum += gap
				submits[i] = l.sum
			}
		}
		b.made[workload.ColSubmitTime] = &made{floats: submits}
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
		if l.start != 0 {
			m.floats[i] = microseconds(m.floats[i])
		}
	}
	b.made[t] = m
}
