package reshape

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// fieldKind is the form of a field's values in a condition.
type fieldKind int

const (
	wholeField    fieldKind = iota
	nameField               // a number, or its name in the header
	numberField             // a number
	durationField           // seconds, or a number followed by s, m, h, d or w
	instantField            // seconds from the log's start, or a date
	weekdayField            // mon to sun
)

// forms describes the form of values by fieldKind, for help and errors.
var forms = [...]string{
	wholeField:    "a whole number",
	nameField:     "a number, or a name from the header",
	numberField:   "a number",
	durationField: "seconds, or 15m, 2h, 1.5d, 1w",
	instantField:  "seconds from the log's start, or a date such as 2024-02-01 or 2024-02-01T15:04:05",
	weekdayField:  "mon, tue, wed, thu, fri, sat or sun",
}

var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// field is a property of a job that a condition can test.
type field struct {
	names   []string // the first is shown in lists and messages
	meaning string
	kind    fieldKind
	column  int                                         // of a nameField
	value   func(*workload.Job, workload.Clock) float64 // NaN if unknown
}

// fields lists all fields in the order of the help: every column of the job table, by its words and
// its name, and the fields derived from columns.
var fields = func() (all []field) {
	names := []string{"size", "nodes", "gpus"}
	for _, c := range workload.Columns() {
		names = append(names, c.Name)
	}
	for _, name := range names {
		c := workload.FindColumn(name)
		f := field{names: slices.Clone(c.Words), meaning: c.Meaning, column: workload.ColumnIndex(c.Name)}
		if !slices.Contains(f.names, c.Name) {
			f.names = append(f.names, c.Name)
		}
		switch {
		case f.column == workload.ColSubmitTime || f.column == workload.ColEligibleTime:
			f.kind = instantField
		case c.Unit == "s":
			f.kind = durationField
		case c.Float():
			f.kind = numberField
		case c.Use == workload.Identifier:
			f.kind = nameField
		}
		f.value = func(j *workload.Job, _ workload.Clock) float64 {
			if n := c.Int(j); n != workload.Unknown {
				return float64(n)
			}
			return c.Number(j)
		}
		all = append(all, f)
	}
	derived := func(name, meaning string, kind fieldKind, value func(*workload.Job, workload.Clock) float64) {
		all = append(all, field{[]string{name}, meaning, kind, -1, value})
	}
	derived("row", "the job's record in the log, from 1", wholeField, func(j *workload.Job, _ workload.Clock) float64 { return float64(j.Row + 1) })
	derived("start", "submission and wait", instantField, func(j *workload.Job, _ workload.Clock) float64 { return j.Start() })
	derived("end", "submission, wait and run time", instantField, func(j *workload.Job, _ workload.Clock) float64 { return j.End() })
	derived("hour", "hour of the submission at the site, 0 to 23", wholeField, atSite("hour"))
	derived("weekday", "day of the submission at the site", weekdayField, atSite("weekday"))
	return all
}()

// atSite returns the value of a field that is a calendar word, such as "hour", on the site's clock
// at submission.
func atSite(word string) func(*workload.Job, workload.Clock) float64 {
	return func(j *workload.Job, c workload.Clock) float64 {
		n := workload.Calendar{Word: word, Clock: c}.Number(j.Submit)
		if n == workload.Unknown {
			return math.NaN()
		}
		return float64(n)
	}
}

// findField returns the field with the given name, or nil.
func findField(name string) *field {
	if i := slices.IndexFunc(fields, func(f field) bool { return slices.Contains(f.names, name) }); i >= 0 {
		return &fields[i]
	}
	return nil
}

func fieldNames() []string {
	var names []string
	for _, f := range fields {
		names = append(names, f.names[0])
	}
	return names
}

// text returns a value in the form that it has in a condition.
func (f *field) text(x float64) string {
	switch {
	case math.IsNaN(x):
		return unknownValue
	case f.kind == weekdayField:
		return weekdays[int(x)]
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// parse parses a value that is not a name.
func (f *field) parse(text string, clock workload.Clock) (x float64, err error) {
	switch f.kind {
	case durationField:
		x, err = workload.ParseSeconds(text)
	case instantField:
		if x, err = workload.ParseSeconds(text); err != nil {
			if x, err = clock.Moment(f.names[0], text); err != nil {
				return 0, errors.New(err.Error()) // the error is not about an option
			}
		}
	case weekdayField:
		if x = float64(slices.Index(weekdays, strings.ToLower(text))); x < 0 {
			err = strconv.ErrSyntax
		}
	case numberField:
		x, err = strconv.ParseFloat(text, 64)
	default:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		x = float64(n)
	}
	if err != nil || math.IsNaN(x) {
		return 0, fmt.Errorf("%s: %q: want %s", f.names[0], text, forms[f.kind])
	}
	return x, nil
}
