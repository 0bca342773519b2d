package mapping

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // zone names must mean the same on every machine

	"github.com/loadstone-hpc/loadstone/internal/strict"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Schema is the name and version of the JSON format of a Mapping.
const Schema = "loadstone.mapping/1"

// Mapping describes how a table written by another program becomes a job table. Its opt tags are
// the keys of the JSON file.
type Mapping struct {
	Schema string `opt:"schema" required:"true" want:"\"loadstone.mapping/1\""`
	Name   string `opt:"name"`   // the value of --as; for a file without a name, the file's name without extension
	Title  string `opt:"title"`  // the data that it reads, for lists and messages
	Source string `opt:"source"` // where the data are published
	Tried  string `opt:"tried"`  // the data that the mapping was tested on
	// Zone is the IANA name of the time zone of times that state none, such as
	// Europe/Zurich. If it is "", Options.TimeZone applies.
	Zone string `opt:"time_zone"`
	// Header has lines to add to the log's header: keywords, such as MaxProcs, and values.
	Header map[string]string `opt:"header"`
	Signs
	Lines
	// Unknown lists the values that mean unknown in every column, in addition to empty ones.
	Unknown []string `opt:"unknown"`
	// Columns describes how to read each column of the job table. A job's value is from the first
	// entry that yields a known one; entries whose columns the file lacks are ignored.
	Columns map[string][]Entry `opt:"columns" required:"true" want:"the columns of the job table and what they are made of"`
	// LeftOut lists columns for which the job table has no place, with the reasons.
	LeftOut map[string]string `opt:"left_out"`

	entries [targets][]Entry // Columns by target
	byNames bool             // made from the names of a file's columns and Options.Map
	written bool             // for a table that this program wrote: moments are seconds since the log's start
	aliased []string         // columns read under another name, such as "runtime as run_time_s"
	short   bool             // a column has a name without its unit, such as "user"
}

// Signs holds the keys of a mapping by which its tables are recognised. They are also decoded
// alone, by encoding/json: for most files the other keys of the built-in mappings are not needed.
type Signs struct {
	// Exactly lists the columns of the published files in order. A file with exactly these
	// columns is recognised as one of them. It is nil if they are not known.
	Exactly []string `opt:"exactly"`
	// Among lists columns of the published table, each with all names that it has had. A
	// table in Parquet, Arrow or JSON that has one name of each is recognised as such a table.
	Among [][]string `opt:"among"`
	// Others lists tables of the published trace that have no jobs.
	Others []OtherTable `opt:"others"`
	// Begins is a regular expression for the first line, other than comments, of a text without a
	// header line, and Within one for any of its first lines. Extension is the file name extension
	// of such texts.
	Begins    string `opt:"begins"`
	Within    string `opt:"within"`
	Extension string `opt:"extension"`
}

// OtherTable describes a table of a published trace that has no jobs.
type OtherTable struct {
	Among   [][]string `opt:"among"` // columns that identify it, as in Signs.Among
	Title   string     `opt:"title"`
	Instead string     `opt:"instead"` // the table that has the jobs
}

// Entry describes how a value of the job table is read. In the file, a string in place of an entry
// is the name of a column.
type Entry struct {
	Column []string `opt:"column" repeat:"true"` // columns of the file, or keys of columns: the first that exists
	Value  *float64 `opt:"value"`                // of every row, in place of a column
	Unit   string   `opt:"unit"`
	// Numbers means that users and the like are numbers in the file, rather than names.
	Numbers bool `opt:"numbers"`

	Match    string `opt:"match"`    // the value is the first group of this regular expression, or the whole match
	Sum      string `opt:"sum"`      // the value is the sum, over all matches, of the products of their groups
	Distinct string `opt:"distinct"` // the value is the number of different matches

	// Operands to compute with, in this order: another column, a key of columns, or a number.
	Plus  string `opt:"plus"`
	Minus string `opt:"minus"`
	Times string `opt:"times"`
	Over  string `opt:"over"`

	Round    string            `opt:"round"`  // of counts: see Choices
	Values   map[string]string `opt:"values"` // the meaning of each word for a status; "*" stands for all others
	Unknown  []string          `opt:"unknown" repeat:"true"`
	Comma    bool              `opt:"decimal_comma"`
	Optional bool              `opt:"optional"` // the file may lack its columns
	Note     string            `opt:"note"`

	scale                scale
	match, sum, distinct *regexp.Regexp
	statuses             map[string]int64
	none                 []float64 // numbers in Unknown
}

// Choices returns the valid values of a key, for package opt.
func (*Entry) Choices(key string) []string {
	if key == "round" {
		return []string{"up", "down", "nearest"}
	}
	return nil
}

// target is a column of the job table, or a time from which one is computed.
type target int

const (
	toStart        target = workload.NumColumns + iota // start time, which gives the wait
	toEnd                                              // end time, which gives the run time
	toInterarrival                                     // s since the previous job's submission, which gives this one's
	targets
)

func (t target) String() string {
	if c := t.column(); c != nil {
		return c.Name
	}
	return [...]string{"start_time_s", "end_time_s", "interarrival_time_s"}[t-workload.NumColumns]
}

// column returns the column of the job table that t is, or nil.
func (t target) column() *workload.Column {
	if t < workload.NumColumns {
		return workload.ColumnAt(int(t))
	}
	return nil
}

// isMoment reports whether a target is a point in time.
func (t target) isMoment() bool {
	return t == workload.ColSubmitTime || t == workload.ColEligibleTime || t == toStart || t == toEnd
}

// isFloat reports whether a target's values are float64.
func (t target) isFloat() bool { return t.column() == nil || t.column().Float() }

// unit returns the unit of the target's values.
func (t target) unit() string {
	if c := t.column(); c != nil {
		return c.Unit
	}
	return "s"
}

// isNamed reports whether a target's values are numbers that stand for names.
func (t target) isNamed() bool { return t.column() != nil && t.column().NameKey != "" }

// targetNames returns the names of all targets, in order.
var targetNames = sync.OnceValue(func() (names []string) {
	for t := range targets {
		names = append(names, t.String())
	}
	return names
})

// findTarget returns the target with the given name, and whether there is one.
func findTarget(name string) (target, bool) {
	i := slices.Index(targetNames(), name)
	return target(max(i, 0)), i >= 0
}

// scale is the number of the job table's units in one unit of the file: a whole number, or 1
// divided by one.
type scale float64

// of converts an amount in the file's unit to the job table's, and rounds it only once.
func (s scale) of(x float64) float64 {
	if s < 1 {
		return x / math.Round(float64(1/s))
	}
	return x * float64(s)
}

// in converts an amount in the job table's unit to the file's.
func (s scale) in(x float64) float64 {
	if s < 1 {
		return x * math.Round(float64(1/s))
	}
	return x / float64(s)
}

// units are the units in which a file may have a column of the job table, by the job table's unit.
// Memory is counted in powers of 1024, as schedulers do. Processors and GPUs may be fractions.
var units = map[string]map[string]scale{
	"s":          {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400},
	"KB":         {"B": 1. / 1024, "KB": 1, "KiB": 1, "MB": 1 << 10, "MiB": 1 << 10, "GB": 1 << 20, "GiB": 1 << 20, "TB": 1 << 30, "TiB": 1 << 30},
	"J":          {"mJ": 1e-3, "J": 1, "kJ": 1e3, "Wh": 3600, "MJ": 1e6, "kWh": 3.6e6},
	"processors": {"milli": 1e-3, "percent": 1e-2, "1": 1},
	"GPUs":       {"milli": 1e-3, "percent": 1e-2, "1": 1},
	"1/1000":     {"milli": 1, "percent": 10, "1": 1000},
}

// statuses maps the words for statuses in a mapping to their codes.
var statuses = map[string]int64{
	"failed": workload.StatusFailed, "completed": workload.StatusCompleted, "cancelled": workload.StatusCancelled,
	"partial": workload.StatusPartial, "last_completed": workload.StatusLastCompleted, "last_failed": workload.StatusLastFailed,
	"unknown": workload.Unknown,
}

// decode reads a mapping. Errors are *workload.InputError, with the line and the path of the value.
func decode(name string, text []byte) (*Mapping, error) {
	m := new(Mapping)
	file, err := strict.Decode(name, text, m)
	if err != nil {
		return nil, err
	}
	fault := func(path, saw, want string) error {
		return file.Fault(path, &workload.OptionError{Saw: saw, Want: want})
	}
	if m.Schema != Schema {
		return nil, fault("schema", strconv.Quote(m.Schema), strconv.Quote(Schema))
	}
	if _, err := time.LoadLocation(m.Zone); err != nil || m.Zone == "Local" {
		return nil, fault("time_zone", strconv.Quote(m.Zone), "a name such as Europe/Zurich")
	}
	for key, text := range m.Header {
		h := workload.Header{}
		for line := range strings.SplitSeq(text, "\n") {
			h.Add(key, workload.OneLine(line))
		}
		switch {
		case len(h.All(key)) != len(h.Lines):
			return nil, fault("header."+key, strconv.Quote(key), "the name of a line of the header, such as MaxProcs")
		case headerFault(&h) != "":
			return nil, fault("header."+key, workload.Shorten([]byte(text)), "a whole number")
		}
	}
	if path, err := m.Lines.compile(); err != nil {
		return nil, file.Fault(path, err)
	}
	if len(m.Columns) == 0 {
		return nil, fault("columns", "no columns", "the columns of the job table and what they are made of")
	}
	for _, key := range slices.Sorted(maps.Keys(m.Columns)) {
		t, ok := findTarget(key)
		if !ok {
			return nil, fault("columns."+key, strconv.Quote(key), "a column of the job table: "+strings.Join(targetNames(), ", "))
		}
		m.entries[t] = m.Columns[key]
		for i := range m.entries[t] {
			e := &m.entries[t][i]
			path := fmt.Sprintf("columns.%s[%d]", key, i)
			if len(m.entries[t]) == 1 {
				path = "columns." + key
			}
			e.Unknown = append(e.Unknown, m.Unknown...)
			if err := e.compile(t); err != nil {
				if err.Option != "" {
					path += "." + err.Option
				}
				return nil, file.Fault(path, err)
			}
		}
	}
	if m.entries[workload.ColSubmitTime] != nil && m.entries[toInterarrival] != nil {
		return nil, fault("columns.interarrival_time_s", "an entry and also submit_time_s", "one of them: each gives the submissions")
	}
	return m, nil
}

// compile checks an entry and completes it for its target.
func (e *Entry) compile(t target) *workload.OptionError {
	fault := func(key, saw, want string) *workload.OptionError {
		return &workload.OptionError{Option: key, Saw: saw, Want: want}
	}
	isNumeric := t != workload.ColStatus && !t.isNamed()
	switch {
	case e.Value != nil && e.Column != nil:
		return fault("value", "value and also column", "one of them")
	case e.Value == nil && (len(e.Column) == 0 || e.Column[0] == ""):
		return fault("", "no column", "a column of the file, or a value")
	case (e.Value != nil || len(e.steps()) > 0) && !isNumeric:
		return fault("", "a computed value", "a column: "+t.String()+" cannot be computed")
	case e.Round != "" && (t.isFloat() || !isNumeric):
		return fault("round", strconv.Quote(e.Round), "no rounding: "+t.String()+" is not a count")
	case e.Values != nil && t != workload.ColStatus:
		return fault("values", "names of values", "none: they are for a status")
	case e.Numbers && !t.isNamed():
		return fault("numbers", "true", "none: they are for users and the like, which may have names")
	}
	names := slices.Sorted(maps.Keys(units[t.unit()]))
	switch e.scale = units[t.unit()][e.Unit]; {
	case e.Unit == "":
		e.scale = 1
	case names == nil:
		return fault("unit", strconv.Quote(e.Unit), "no unit: "+t.String()+" has none")
	case e.scale == 0:
		return fault("unit", strconv.Quote(e.Unit), fmt.Sprintf("for %s one of %s", t, strings.Join(names, ", ")))
	}
	for _, x := range []struct {
		key, text string
		to        **regexp.Regexp
	}{{"match", e.Match, &e.match}, {"sum", e.Sum, &e.sum}, {"distinct", e.Distinct, &e.distinct}} {
		if x.text == "" {
			continue
		}
		var err error
		if *x.to, err = regexp.Compile(x.text); err != nil {
			return fault(x.key, strconv.Quote(x.text), "a regular expression ("+err.Error()+")")
		}
	}
	if e.Values != nil {
		e.statuses = map[string]int64{}
	}
	for _, word := range slices.Sorted(maps.Keys(e.Values)) {
		code, ok := statuses[e.Values[word]]
		if !ok {
			return fault("values."+word, strconv.Quote(e.Values[word]), "failed, completed, cancelled, partial, last_completed, last_failed or unknown")
		}
		e.statuses[word] = code
	}
	for _, text := range e.Unknown {
		if x, want := parse.Number([]byte(text)); want == "" && !math.IsInf(x, 0) {
			e.none = append(e.none, x)
		}
	}
	return nil
}

// headerNumbers are the keywords of header lines with numbers that other commands compute with.
var headerNumbers = []string{"UnixStartTime", "MaxProcs", "MaxNodes", "MaxRuntime", "MaxMemory", workload.MaxGPUs, workload.MaxNodeMemory}

// headerFault returns the first keyword of headerNumbers whose value in h is not a number; "" for
// none.
func headerFault(h *workload.Header) string {
	for _, key := range headerNumbers {
		if _, ok := h.Int(key); !ok && len(h.All(key)) > 0 {
			return key
		}
	}
	return ""
}

// steps returns the operations on the value, in order.
func (e *Entry) steps() []step {
	all := []step{{operator: "plus", name: e.Plus, inUnit: true}, {operator: "minus", name: e.Minus, inUnit: true}, {operator: "times", name: e.Times}, {operator: "over", name: e.Over}}
	return slices.DeleteFunc(all, func(s step) bool { return s.name == "" })
}
