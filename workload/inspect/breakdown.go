package inspect

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ByValue summarises the jobs with one value of a column, or of one class.
type ByValue struct {
	Value Value            `json:"value"`
	Name  string           `json:"name,omitempty"` // name of the value, from the header or the format, or of the class
	Class bool             `json:"-"`              // this is a class of several values, called Name
	Text  string           `json:"-"`              // for a class, Name with the names of its values; "" if they have none
	Jobs  int64            `json:"jobs" show:"jobs"`
	Pct   stats.Number     `json:"share_pct" show:"share,%"`
	Users workload.Integer `json:"users" show:"users"` // distinct users; Unknown if none is known
	Run   Column           `json:"run_time_s" row:"prefix" show:"run"`
	Size  Column           `json:"size_processors" row:"prefix" show:"size"`
	Wait  WaitColumn       `json:"wait_time_s" row:"prefix" show:"wait"`
	Work  stats.Number     `json:"work_processor_s"` // NaN if it is unknown for every job
	// Load is Work as a fraction of the machine's capacity between the first and the last
	// submission of the whole log; for a month, week or day, of the capacity in the part of it that
	// lies between them.
	Load stats.Number `json:"offered_load" show:"load"`
}

// Label returns the name of the jobs if it has a letter, else their value; "" for jobs without a
// value. Names without letters are ignored because some headers give queues numbers as names.
func (v ByValue) Label() string {
	if v.Class || strings.ContainsFunc(v.Name, unicode.IsLetter) {
		return v.Name
	}
	return string(v.Value)
}

// String returns the value and its name.
func (v ByValue) String() string {
	return cmp.Or(v.Text, strings.TrimSpace(string(v.Value)+" "+v.Name))
}

// Value is an integer of the job table in decimal. It is "", and null in JSON, for an
// unknown value and for the others of a Breakdown.
type Value string

// MarshalJSON encodes v as a number or null.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == "" {
		return []byte("null"), nil
	}
	return json.Marshal(json.Number(v))
}

// JSONShape returns the type of the value in JSON: a whole number or null.
func (Value) JSONShape() any { return (*int64)(nil) }

// WaitColumn summarises the waits of a class, in seconds.
type WaitColumn struct {
	Column
	Q95 stats.Number `json:"q95" show:"q95"`
}

// Breakdown summarises the jobs of each value of a column, or of each class, sorted by
// Work, then by number of jobs, largest first; months, hours and the like are in order of time.
type Breakdown struct {
	Column string    `json:"column"` // DescribeOptions.By
	Values []ByValue `json:"values"`
	// Others has the jobs of all values after the first 4096 that occur in the log; nil if there
	// are none. A breakdown of DescribeOptions.Also has a row for every value instead, but in logs
	// of over two million jobs the rows after the first 4096 have only Jobs, Work and Load.
	Others *ByValue `json:"others,omitempty"`
}

// Rows returns the values and the others.
func (b *Breakdown) Rows() []ByValue {
	if b.Others == nil {
		return b.Values
	}
	return append(slices.Clip(b.Values), *b.Others)
}

// class accumulates a ByValue.
type class struct {
	key      workload.ClassKey
	jobs     int64
	work     num.Sum // processor s
	hasWork  bool    // the work of some job is known
	late     bool    // it came after most.values others
	*details         // the parts that take memory; nil for a late class of a large log
}

type details struct {
	users           stats.Cardinality
	run, size, wait summary
}

func (d *details) summaries() []*summary { return []*summary{&d.run, &d.size, &d.wait} }

func (c *class) add(b *workload.Batch, i int) {
	size, run := b.Size(i), b.Float(workload.ColRunTime, i)
	c.jobs++
	if size != workload.Unknown && !math.IsNaN(run) {
		c.work.Add(workOf(size, run))
		c.hasWork = true
	}
	if c.details == nil {
		return
	}
	if u := b.Int(workload.ColUser, i); u != workload.Unknown {
		c.users.Add(u)
	}
	c.run.add(run)
	c.size.add(number(size))
	c.wait.add(b.Float(workload.ColWaitTime, i))
}

// workValue returns the work, NaN if it is unknown for every job.
func (c *class) workValue() float64 {
	if !c.hasWork {
		return math.NaN()
	}
	return c.work.Value()
}

// breakdown describes the classes of jobs. Classes after the first most.values are described
// together, unless each is true. Their names are from the header, which may be complete only at the
// end of the log.
func breakdown(result *Breakdown, by *workload.Classifier, h *workload.Header, most limits, each bool) measure {
	jobs := 0
	// sketch reduces the memory of a class to that of a class in a large log.
	sketch := func(c *class) {
		if c.late {
			c.details = nil
			return
		}
		for _, s := range c.summaries() {
			s.values.Bucket()
		}
	}
	begin := func(key workload.ClassKey, late bool) *class {
		c := &class{key: key, late: late, details: &details{}}
		for _, s := range c.summaries() {
			s.values.Limit = most.exact + 1 // a job is added before jobs is compared with most.exact
		}
		if jobs > most.exact {
			sketch(c)
		}
		return c
	}
	others := begin(workload.ClassKey{}, false)
	classes, named := map[workload.ClassKey]*class{}, 0
	find := func(key workload.ClassKey) *class {
		c := classes[key]
		if c != nil {
			return c
		}
		late := false
		if !by.Unknown(key) {
			if late = named >= most.values; late && !each {
				return others
			}
			named++
		}
		c = begin(key, late)
		classes[key] = c
		return c
	}
	add := func(b *workload.Batch) {
		var c *class
		var last workload.ClassKey
		for i := range b.Rows {
			if key := by.RowKey(b, i); c == nil || key != last {
				c, last = find(key), key
			}
			c.add(b, i)
			if jobs++; jobs == most.exact+1 {
				sketch(others)
				for _, c := range classes {
					sketch(c)
				}
			}
		}
	}
	return measure{add, func(d *Description) {
		first, last := d.submissions()
		describe := func(c *class, span float64) ByValue {
			if c.details == nil {
				c.details = &details{}
			}
			work := c.workValue()
			return ByValue{
				Jobs: c.jobs, Pct: percent(c.jobs, d.Jobs), Users: workload.Positive(c.users.Count()),
				Run: c.run.column("s", c.jobs), Size: c.size.column("processors", c.jobs),
				Wait: WaitColumn{c.wait.column("s", c.jobs), c.wait.quantile(0.95)},
				Work: stats.Number(work), Load: loadOf(work, int64(d.Log.Processors), span),
			}
		}
		calendar := by.Columns()[0].Calendar
		name := namer(by, h)
		result.Values = []ByValue{}
		for _, c := range slices.SortedFunc(maps.Values(classes), func(a, b *class) int {
			if calendar != nil {
				return a.key.Compare(b.key)
			}
			return cmp.Or(cmp.Compare(b.workValue(), a.workValue()), cmp.Compare(b.jobs, a.jobs), a.key.Compare(b.key))
		}) {
			span := last - first
			if calendar != nil && len(by.Columns()) == 1 && !by.Unknown(c.key) {
				if p, ok := calendar.Period(c.key[0]); ok {
					span = min(p.To, last) - max(p.From, first)
				}
			}
			v := describe(c, span)
			name(&v, c.key)
			result.Values = append(result.Values, v)
		}
		if others.jobs > 0 {
			v := describe(others, last-first)
			v.Name = "others"
			result.Others = &v
		}
	}}
}

// namer returns the function that sets the value of a class and its name, with the names of values
// from the header or the format.
func namer(by *workload.Classifier, h *workload.Header) func(*ByValue, workload.ClassKey) {
	columns := by.Columns()
	names := make([]map[int64]string, len(columns))
	for i, c := range columns {
		if c.Groups == nil {
			names[i] = h.NamesOf(c.Column)
		}
	}
	nameOf := func(i int, n int64) string {
		if columns[i].Column == "status" && n != workload.Unknown {
			return workload.Status(n).Name()
		}
		return names[i][n]
	}
	return func(v *ByValue, key workload.ClassKey) {
		v.Value = Value(by.Value(key))
		v.Class = v.Value == "" && !by.Unknown(key)
		switch {
		case v.Value != "":
			v.Name = nameOf(0, key[0])
		case !v.Class && len(columns) == 1:
			v.Name = "unknown"
		default: // such as "user_id=1, queue_id=2"
			v.Name = by.Label(key)
			cells := by.Cells(key)
			for i := range cells {
				if name := nameOf(i, key[i]); name != "" {
					cells[i] += " " + name
					v.Text = strings.Join(cells, ", ")
				}
			}
		}
	}
}
