package mapping

import (
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// firstIsDate reports whether the first known text of a moment of the form "moment" is a date.
func (l *log) firstIsDate() bool {
	for row := 0; l.ahead != nil && row < l.ahead.Rows; row++ {
		for _, f := range l.plan.order {
			for k := range f.ways {
				if f.ways[k].form != formMoment {
					continue
				}
				if text := l.text(&f.ways[k], row); text != "" {
					// A date of the year 0 is a timestamp, if not a good one.
					_, _, _, want := parse.Stamp([]byte(text))
					return want != parse.WantStamp
				}
			}
		}
	}
	return false
}

// date finds the log's second 0, where its moments have a date.
func (l *log) date(zone string) error {
	if !l.isDated() {
		return nil
	}
	first, either, err := l.first()
	switch {
	case err != nil:
		return err
	case either && (first <= parse.ManyYears || math.IsInf(first, 1)): // too early for seconds since 1970
		for _, f := range l.plan.order {
			for k := range f.ways {
				if f.ways[k].either {
					f.ways[k].form = formRelative
				}
			}
		}
		return nil
	case first > parse.MaxUnix && !math.IsInf(first, 1):
		return &workload.InputError{File: l.file, Field: "submission", Saw: parse.FormatNumber(first) + " s since 1970 as the first", Want: "a time before the year 10000"}
	case math.IsInf(first, 1):
		first = 0
	}
	l.start = int64(max(math.Floor(first), 0))
	if either && !l.source.again {
		l.from.Warnings.Add("unix-time", "times are seconds since 1970: the log's second 0 is the first of them", 0, "")
	}
	h := &l.log.Header
	h.Set("UnixStartTime", strconv.FormatInt(l.start, 10))
	if zone != "" {
		h.Set("TimeZoneString", zone)
	} else if l.isLocal() {
		l.from.Warnings.Add("time-zone", "local times without a time zone, read as UTC: name the zone by --timezone, such as Europe/Zurich", 0, "")
	}
	return nil
}

// first is the earliest submission in seconds since 1970, or what stands in for it, infinite
// where none is known: over the whole table where that can be read again, else in its first
// rows. either reports whether moments may count from the log's start.
func (l *log) first() (first float64, either bool, err error) {
	first = math.Inf(1)
	for _, f := range l.plan.order {
		either = either || slices.ContainsFunc(f.ways, func(w way) bool { return w.either })
	}
	for _, t := range []target{workload.ColSubmitTime, toStart, toEnd} {
		f := l.fields[t]
		if f == nil || f.ways[0].form == formRelative || f.isComputed() {
			continue
		}
		if first, err = l.least(f); err != nil || !math.IsInf(first, 1) {
			return first, either, err
		}
	}
	return first, either, nil
}

// least is the least of a field's moments, in seconds since 1970; infinite where none is known.
func (l *log) least(f *field) (float64, error) {
	least := math.Inf(1)
	plan, alone := *l.plan, field{target: f.target, ways: slices.Clone(f.ways)}
	plan.columns = nil
	var at []int
	for k := range alone.ways { // of which only those columns are read
		if w := &alone.ways[k]; w.at.column >= 0 {
			at = append(at, w.at.column)
			plan.columns = append(plan.columns, l.columns[w.at.column])
			w.at.column = len(at) - 1
		}
	}
	look := func(rows *workload.TableRows) error {
		b := &batch{plan: &plan, rows: rows}
		m, err := b.evaluate(&alone, nil)
		if err != nil {
			return err
		}
		for _, x := range m.floats {
			if x < least {
				least = x
			}
		}
		return nil
	}
	if !l.source.again {
		if l.ahead == nil {
			return least, nil
		}
		rows := *l.ahead
		rows.Columns = nil
		for _, i := range at {
			rows.Columns = append(rows.Columns, l.ahead.Columns[i])
		}
		return least, look(&rows)
	}
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
	return least, nil
}

// isLocal reports whether a time in the first rows has no zone.
func (l *log) isLocal() bool {
	for _, f := range l.plan.order {
		for k := range f.ways {
			for row := 0; f.ways[k].form == formTimestamp && l.ahead != nil && row < l.ahead.Rows; row++ {
				if _, _, local, want := parse.Stamp([]byte(l.text(&f.ways[k], row))); want == "" && local {
					return true
				}
			}
		}
	}
	return false
}
