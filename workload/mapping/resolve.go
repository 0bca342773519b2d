package mapping

import (
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// take changes the form of a field of this log. The mapping's entry is shared by logs and
// stays as it is.
func (f *field) take(to form) {
	e := *f.entry
	e.form = to
	f.entry = &e
}

// resolve sets the forms that depend on the columns' types and the first rows: moments are
// dates or numbers, and identifiers are numbers or names.
func (l *log) resolve() {
	dates := l.firstIsDate()
	for i := range l.fields {
		f := &l.fields[i]
		switch f.form {
		case formMoment:
			switch kind := l.kind(f, 0); {
			case kind == workload.TableTime, kind == workload.TableText && dates:
				f.take(formTimestamp)
			default:
				f.take(formUnix)
				f.either = true
			}
		case formID:
			l.resolveID(f)
		}
	}
	l.warnOfNumbers()
}

// warnOfNumbers names the columns of numbers that are taken for queues, groups and the like by
// a short name, such as queue: elsewhere that may be the seconds in the queue.
func (l *log) warnOfNumbers() {
	if !l.mapping.byNames {
		return
	}
	var names []string
	for i := range l.fields {
		f := &l.fields[i]
		c := f.target.column()
		if _, asked := l.mapping.asked[f.target]; asked || c == nil || c.NameKey == "" || f.target == workload.ColUser || f.form != formNumber || f.at[0] < 0 {
			continue
		}
		if name := l.columns[f.at[0]].Name; name == f.target.short() {
			names = append(names, name+" as "+f.target.String())
		}
	}
	if len(names) > 0 {
		l.from.Warnings.Count(workload.Warning{Rule: "numbers-as-names", Text: "columns of numbers read as identifiers by their names alone", Count: int64(len(names)), Saw: list(names), SawAll: true})
	}
}

// firstIsDate reports whether the first known text in a field of form "moment" is a date.
func (l *log) firstIsDate() bool {
	if l.ahead == nil {
		return false
	}
	for row := range l.ahead.Rows {
		for i := range l.fields {
			f := &l.fields[i]
			if f.form != formMoment || l.kind(f, 0) != workload.TableText {
				continue
			}
			if text, want := f.known(l.ahead.Columns[f.at[0]].TextAt(row)); text != "" && want == "" {
				// A date of the year 0 is a timestamp, if not a good one.
				_, _, _, want := parse.Stamp([]byte(text))
				return want != parse.WantStamp
			}
		}
	}
	return false
}

// counted sets the form of numeric moments to "relative" if the first is too early for
// seconds since 1970, and reports whether it did.
func (l *log) counted(first float64) (relative bool) {
	for i := range l.fields {
		if f := &l.fields[i]; f.either && (first <= parse.ManyYears || math.IsInf(first, 1)) {
			f.take(formRelative)
			relative = true
		}
	}
	return relative
}

// resolveID decides whether a column has numbers or names. In a table with typed columns
// texts are names, except for job numbers, which may be numbers stored as text.
func (l *log) resolveID(f *field) {
	of := f.target.column()
	if l.kind(f, 0) != workload.TableText {
		f.take(formNumber)
		return
	}
	if of.Use != workload.JobNumber && l.source.again {
		f.take(formName)
		return
	}
	f.take(formNumber)
	f.mixed = true
	if l.ahead == nil {
		return
	}
	for i := range l.ahead.Rows {
		text := l.ahead.Columns[f.at[0]].TextAt(i)
		if of.NameKey == "" && parse.NoValue([]byte(text)) || text == "" {
			continue
		}
		if of.NameKey != "" && len(text) > 1 && strings.Trim(text, "0123456789") == "" && text[0] == '0' {
			f.take(formName) // 007 and 7 are two users
			return
		}
		if _, want := parse.Whole([]byte(text)); want != "a whole number" {
			continue
		}
		switch {
		case of.NameKey != "":
			f.take(formName)
			return
		case of.Use == workload.JobNumber && !parse.Infinite([]byte(text)): // beside names it may be one, such as 1e309 of hashes
			f.take(formRow)
			l.from.Warnings.Add("text-job-id", "jobs have names: they are numbered by row", l.ahead.At(i), workload.Shorten([]byte(text)))
			return
		}
	}
}
