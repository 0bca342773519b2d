package mapping

import (
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// ways yields the ways of all fields, with their targets.
func (p *plan) ways(yield func(target, *way) bool) {
	for _, f := range p.order {
		for k := range f.ways {
			if !yield(f.target, &f.ways[k]) {
				return
			}
		}
	}
}

// date finds the log's second 0, if its moments are dates or late enough to be seconds since 1970,
// and adds it to the header, with the time zone. zone is "" if no time zone was given.
func (l *log) date(zone string) error {
	hasDates := slices.ContainsFunc(l.columns, func(c workload.TableColumn) bool { return c.Kind.IsTime() })
	for _, w := range l.ways {
		hasDates = hasDates || w.form == asDate
	}
	first, t, err := l.first()
	switch {
	case err != nil:
		return err
	case !hasDates && (l.mapping.written || first <= parse.ManyYears || math.IsInf(first, 1)):
		return nil
	case math.IsInf(first, 1):
		first = 0
	case hasDates && first <= parse.ManyYears && l.isNumber(t):
		return &workload.InputError{File: l.file, Field: t.String(), Saw: parse.FormatNumber(first) + " s as the first", Want: "dates, or seconds since 1970, since other times of the file are dates"}
	case first > parse.MaxUnix:
		return &workload.InputError{File: l.file, Field: "submission", Saw: parse.FormatNumber(first) + " s since 1970 as the first", Want: "a time before the year 10000"}
	}
	l.start = int64(max(math.Floor(first), 0))
	if !hasDates && l.mapping.byNames && !l.source.hasTypes {
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

// first returns the earliest submission in the first rows or, if no submission is known, the
// earliest start or end, with the target that it is from. It is in seconds since 1970 or since the
// log's start; +Inf if none is known.
func (l *log) first() (first float64, of target, err error) {
	first = math.Inf(1)
	for _, t := range []target{workload.ColSubmitTime, toStart, toEnd} {
		f := l.fields[t]
		if f == nil || l.ahead == nil || f.isComputed() || !math.IsInf(first, 1) {
			continue
		}
		m, err := (&batch{plan: l.plan, rows: l.ahead}).evaluate(f, nil)
		if err != nil {
			return first, t, err
		}
		for _, x := range m.floats {
			if x < first { // never for NaN
				first, of = x, t
			}
		}
	}
	return first, of, nil
}

// isNumber reports whether the moments of t are plain numbers.
func (l *log) isNumber(t target) bool {
	w := &l.fields[t].ways[0]
	return w.form == asNumber && !l.columns[w.at.column].Kind.IsTime()
}

// isLocal reports whether the log has times without a time zone: a column of such times, or such a
// text in the first rows.
func (l *log) isLocal() bool {
	if slices.ContainsFunc(l.columns, func(c workload.TableColumn) bool { return c.Kind == workload.TableLocalTime }) {
		return true
	}
	for _, w := range l.ways {
		if w.form != asDate {
			continue
		}
		for _, text := range l.texts(w) {
			if _, _, local, want := parse.Stamp([]byte(text)); want == "" && local {
				return true
			}
		}
	}
	return false
}
