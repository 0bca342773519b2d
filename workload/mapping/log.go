package mapping

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// source is a table that a mapping is read through.
type source struct {
	name    string
	columns []workload.FileColumn
	read    func([]workload.TableColumn) workload.Table
	header  workload.Header
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
	if named := s.header.Get("TimeZoneString"); zone.TimeZone == "" && named != "" {
		if _, err := time.LoadLocation(named); err == nil { // in SWF it may be any text
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

// gives reports whether the log can have values of a column.
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
	h.Lines = slices.Clone(l.source.header.Lines)
	for _, line := range l.mapping.Header {
		h.Add(line[0], line[1])
	}
	l.resolve()
	if err := l.date(zone); err != nil {
		l.stop()
		return err
	}
	return nil
}

// date finds the log's second 0, where its moments have a date.
func (l *log) date(zone string) error {
	if !l.dated() {
		return nil
	}
	first, err := l.first()
	if err != nil {
		return err
	}
	if l.counted(first) {
		return nil
	}
	if first > parse.MaxUnix && !math.IsInf(first, 1) {
		return &workload.InputError{File: l.file, Field: "submission", Saw: parse.FormatNumber(first) + " s since 1970 as the first", Want: "a time before the year 10000"}
	}
	if math.IsInf(first, 1) {
		first = 0
	}
	l.start = int64(max(math.Floor(first), 0))
	if !l.source.again && slices.ContainsFunc(l.fields, func(f field) bool { return f.either }) {
		l.from.Warnings.Add("unix-time", "times are seconds since 1970: the log's second 0 is the first of them", 0, "")
	}
	h := &l.log.Header
	h.Set("UnixStartTime", strconv.FormatInt(l.start, 10))
	if zone != "" {
		h.Set("TimeZoneString", zone)
	} else if l.local() {
		l.from.Warnings.Add("time-zone", "local times without a time zone, read as UTC: name the zone by --timezone, such as Europe/Zurich", 0, "")
	}
	return nil
}

// first is the earliest submission in seconds since 1970, or what stands in for it,
// infinite where none is known: over the whole table where that can be read again, else in its first rows.
func (l *log) first() (float64, error) {
	first := math.Inf(1)
	for _, t := range []target{workload.ColSubmitTime, toStart, toEnd} {
		f := l.field(t)
		if f == nil || f.form == formRelative {
			continue
		}
		var err error
		if first, err = l.least(f); err != nil || !math.IsInf(first, 1) {
			return first, err
		}
	}
	return first, nil
}

// least is the least of a field's moments, in seconds since 1970; infinite where none
// is known.
func (l *log) least(f *field) (float64, error) {
	least := math.Inf(1)
	plan, alone := *l.plan, *f
	plan.columns, alone.at = l.columns[f.at[0]:f.at[0]+1], []int{0}
	look := func(rows *workload.TableRows) error {
		b := &batch{plan: &plan, rows: rows}
		x, err := b.operand(&alone, 0, new(made))
		for _, at := range x {
			if at < least {
				least = at
			}
		}
		return err
	}
	if l.source.again {
		if w := l.source.warnings; w != nil { // each row counts once
			var before workload.Warnings
			before.Merge(w)
			defer func() { *w = before }()
		}
		for rows, err := range l.source.read(plan.columns) {
			if err == nil {
				err = look(rows)
			}
			if err != nil {
				return 0, err
			}
		}
	} else if l.ahead != nil {
		rows := *l.ahead
		rows.Columns = rows.Columns[f.at[0] : f.at[0]+1]
		err := look(&rows)
		return least, err
	}
	return least, nil
}

// local reports whether a time in the first rows has no zone.
func (l *log) local() bool {
	if l.ahead == nil {
		return false
	}
	for i := range l.fields {
		f := &l.fields[i]
		if !f.target.moment() || f.form != formTimestamp {
			continue
		}
		values := &l.ahead.Columns[f.at[0]]
		for row := 0; values.HasText() && row < l.ahead.Rows; row++ {
			if _, _, local, want := parse.Stamp([]byte(values.TextAt(row))); want == "" && local {
				return true
			}
		}
	}
	return false
}
