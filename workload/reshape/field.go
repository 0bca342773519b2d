package reshape

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// fieldKind says how a field's values are written in a condition.
type fieldKind int

const (
	wholeField    fieldKind = iota
	nameField               // a number, or a name that the header gives it
	numberField             // a number
	durationField           // seconds, or a number with s, m, h, d or w after it
	instantField            // seconds from the log's start, or a date
	weekdayField            // mon to sun
)

// forms says how values are written, for help and errors.
var forms = [...]string{
	wholeField:    "a whole number",
	nameField:     "a number, or a name from the header",
	numberField:   "a number",
	durationField: "seconds, or 15m, 2h, 1.5d, 1w",
	instantField:  "seconds from the log's start, or a date such as 2024-02-01 or 2024-02-01T15:04:05",
	weekdayField:  "mon, tue, wed, thu, fri, sat or sun",
}

// field is what a condition can ask of a job.
type field struct {
	names   []string // the first is the one that is shown
	meaning string
	kind    fieldKind
	column  int                                         // of a nameField
	value   func(*workload.Job, workload.Clock) float64 // NaN where unknown
}

// fields are all of them, in the order of the help: every column of the job table, by
// its words and its name, and what derives from columns.
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
		f.value = func(j *workload.Job, _ workload.Clock) float64 { return c.Number(j) }
		if !c.Float() {
			f.value = func(j *workload.Job, _ workload.Clock) float64 { return numberOf(c.Int(j)) }
		}
		all = append(all, f)
	}
	derived := func(name, meaning string, kind fieldKind, value func(*workload.Job, workload.Clock) float64) {
		all = append(all, field{[]string{name}, meaning, kind, -1, value})
	}
	derived("row", "the job's record in the log, from 1", wholeField, func(j *workload.Job, _ workload.Clock) float64 { return float64(j.Row + 1) })
	derived("start", "submission and wait", instantField, func(j *workload.Job, _ workload.Clock) float64 { return j.Start() })
	derived("end", "submission, wait and run time", instantField, func(j *workload.Job, _ workload.Clock) float64 { return j.End() })
	derived("hour", "hour of the submission at the site, 0 to 23", wholeField, atSite(time.Time.Hour))
	derived("weekday", "day of the submission at the site", weekdayField, atSite(func(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }))
	return all
}()

// numberOf is a whole number as a field's value.
func numberOf(n int64) float64 {
	if n == workload.Unknown {
		return math.NaN()
	}
	return float64(n)
}

// atSite is a field of the wall clock at submission.
func atSite(get func(time.Time) int) func(*workload.Job, workload.Clock) float64 {
	return func(j *workload.Job, c workload.Clock) float64 {
		if !(math.Abs(j.Submit) < 1<<52) {
			return math.NaN()
		}
		return float64(get(c.At(j.Submit)))
	}
}

// findField returns the field of that name, or nil.
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

var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// text is a value as a condition would have it.
func (f *field) text(x float64) string {
	switch {
	case math.IsNaN(x):
		return unknownValue
	case f.kind == weekdayField:
		return weekdays[int(x)]
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// parse reads a value.
func (f *field) parse(text string, terms *logTerms) (float64, error) {
	switch f.kind {
	case durationField:
		if x, ok := parseSeconds(text); ok {
			return x, nil
		}
	case instantField:
		return parseInstant(text, terms.clock)
	case weekdayField:
		if i := slices.Index(weekdays, strings.ToLower(text)); i >= 0 {
			return float64(i), nil
		}
	case numberField:
		if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(x) {
			return x, nil
		}
	default:
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case err == nil && n != workload.Unknown:
			return float64(n), nil
		case f.kind == nameField:
			return f.numberNamed(text, terms.header)
		}
	}
	return 0, fmt.Errorf("%s: %q: want %s", f.names[0], text, forms[f.kind])
}

// numberNamed is the number that the header gives a name.
func (f *field) numberNamed(name string, h workload.Header) (float64, error) {
	var found []int64
	for n, x := range h.NamesOf(f.names[0]) {
		if x == name {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 0:
		return 0, f.noSuchName(name)
	case 1:
		return float64(found[0]), nil
	}
	return 0, fmt.Errorf("the log's header gives the name %[2]q to %[1]d numbers; want a number for %[3]s", len(found), name, f.names[0])
}

func (f *field) noSuchName(name string) error {
	return fmt.Errorf("no %s %q among the log's names; its number would do", f.names[0], name)
}

// units are the seconds of a unit of time.
var units = map[string]float64{"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}

// parseSeconds reads a length of time: a number, of seconds or of the unit
// after it.
func parseSeconds(text string) (float64, bool) {
	unit := 1.0
	if n := len(text); n > 0 {
		if u, ok := units[text[n-1:]]; ok {
			text, unit = text[:n-1], u
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	x *= unit
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// parseInstant reads seconds from the log's start, or a date at the site,
// which has to be known.
func parseInstant(text string, c workload.Clock) (float64, error) {
	if x, ok := parseSeconds(text); ok {
		return x, nil
	}
	if t, ok := workload.ParseDate(text, c.Start.Location()); ok {
		if !c.Known {
			return 0, fmt.Errorf("%q: the log's header has no UnixStartTime, so a date has no meaning; want seconds", text)
		}
		return float64(t.Unix() - c.Start.Unix()), nil
	}
	return 0, fmt.Errorf("%q: want %s", text, forms[instantField])
}
