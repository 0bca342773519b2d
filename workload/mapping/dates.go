package mapping

import (
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// moments yields the texts of the ways of a form in the first rows.
func (l *log) moments(form string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for row := 0; l.ahead != nil && row < l.ahead.Rows; row++ {
			for w := range l.ways {
				if text := l.text(w, row); w.form == form && text != "" && !yield(text) {
					return
				}
			}
		}
	}
}

// ways yields those of all fields.
func (p *plan) ways(yield func(*way) bool) {
	for _, f := range p.order {
		for k := range f.ways {
			if !yield(&f.ways[k]) {
				return
			}
		}
	}
}

// firstIsDate reports whether the first known text of a moment of the form "moment" is a date.
func (l *log) firstIsDate() bool {
	for text := range l.moments(formMoment) {
		// A date of the year 0 is a timestamp, if not a good one.
		_, _, _, want := parse.Stamp([]byte(text))
		return want != parse.WantStamp
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
		for w := range l.ways {
			if w.either {
				w.form = formRelative
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
		l.from.Warnings.Add("unix-time", "times are seconds since 1970: the log's second 0 is the earliest of the first rows", 0, "")
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

// first is the earliest submission in the first rows, in seconds since 1970, or what stands in
// for it; infinite where none is known. either reports whether moments may count from the log's
// start.
func (l *log) first() (first float64, either bool, err error) {
	first = math.Inf(1)
	for w := range l.ways {
		either = either || w.either
	}
	for _, t := range []target{workload.ColSubmitTime, toStart, toEnd} {
		f := l.fields[t]
		if f == nil || l.ahead == nil || f.ways[0].form == formRelative || f.isComputed() {
			continue
		}
		m, err := (&batch{plan: l.plan, rows: l.ahead}).evaluate(f, nil)
		if err != nil {
			return first, either, err
		}
		for _, x := range m.floats {
			if x < first { // never for NaN
				first = x
			}
		}
		if !math.IsInf(first, 1) {
			break
		}
	}
	return first, either, nil
}

// isLocal reports whether the log has times without a zone: a column of such times, or a text in
// the first rows.
func (l *log) isLocal() bool {
	if slices.ContainsFunc(l.columns, func(c workload.TableColumn) bool { return c.Kind == workload.TableLocalTime }) {
		return true
	}
	for text := range l.moments(formTimestamp) {
		if _, _, local, want := parse.Stamp([]byte(text)); want == "" && local {
			return true
		}
	}
	return false
}
