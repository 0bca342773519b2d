package inspect

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ByValue summarises the jobs with one value of a column, or of one class.
type ByValue struct {
	Value Value            `json:"value"`
	Name  string           `json:"name,omitempty"` // of the value, from the header or the format, or of the class
	Class bool             `json:"-"`              // this is a class of several values, called Name
	Text  string           `json:"-"`              // of a class: Name with the names of its values, "" if they have none
	Jobs  int64            `json:"jobs" show:"jobs"`
	Pct   stats.Number     `json:"share_pct" show:"share,%"`
	Users workload.Integer `json:"users" show:"users"` // distinct users; Unknown if none is known
	Run   Column           `json:"run_time_s" row:"prefix" show:"run"`
	Size  Column           `json:"size_processors" row:"prefix" show:"size"`
	Wait  WaitColumn       `json:"wait_time_s" row:"prefix" show:"wait"`
	Work  stats.Number     `json:"work_processor_s"` // NaN if it is known for no job
	// Load is Work as a fraction of what the machine could do between the first and the
	// last submission of the whole log; of a month, week or day, in the part of it between them.
	Load stats.Number `json:"offered_load" show:"load"`
}

// Label is what to call the jobs: by the name, where it has a letter, else by the value; "" for
// those without a value. Some headers number the queues once more in place of names.
func (v ByValue) Label() string {
	if v.Class || strings.ContainsFunc(v.Name, unicode.IsLetter) {
		return v.Name
	}
	return string(v.Value)
}

// String is the value and its name.
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

// JSONShape returns the type that the JSON has: a whole number or null.
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
	// Others has the jobs of all values after the first 4096 that occur in the log; nil if
	// there are none. A breakdown of DescribeOptions.Also has a row for every value, but of
	// logs of over two million jobs the later ones know their Jobs, Work and Load alone.
	Others *ByValue `json:"others,omitempty"`
}

// Rows returns the values and the others.
func (b *Breakdown) Rows() []ByValue {
	if b.Others == nil {
		return b.Values
	}
	return append(slices.Clip(b.Values), *b.Others)
}

// amount counts jobs and their work.
type amount struct {
	jobs  int64
	work  num.Sum // processor s
	known bool    // the work of some job is
}

func (a *amount) add(s *slab, i int) {
	a.jobs++
	if s.size[i] != workload.Unknown && !math.IsNaN(s.run[i]) {
		a.work.Add(s.work[i])
		a.known = true
	}
}

// value is the work, NaN where it is known of no job.
func (a *amount) value() float64 {
	if !a.known {
		return math.NaN()
	}
	return a.work.Value()
}

// classKey is a class, or the others.
type classKey struct {
	workload.ClassKey
	others bool
}

// classTally gathers a ByValue.
type classTally struct {
	amount
	key  classKey
	late bool // most.values others came before
	*details
}

// details gather what takes memory of each class; nil for a late one of a large log.
type details struct {
	users           stats.Cardinality
	run, size, wait summary
}

func (d *details) summaries() []*summary { return []*summary{&d.run, &d.size, &d.wait} }

func (d *details) add(s *slab, i int) {
	if u := s.user[i]; u != workload.Unknown {
		d.users.Add(u)
	}
	d.run.add(s.run[i])
	d.size.addInt(s.size[i])
	d.wait.add(s.wait[i])
}

// sketch has a tally take the memory that one in a large log may.
func (t *classTally) sketch() {
	if t.late {
		t.details = nil
		return
	}
	for _, s := range t.summaries() {
		s.values.Bucket()
	}
}

// breakdown describes classes of jobs, the late ones together unless each is to have a row.
func breakdown(b *Breakdown, classes *workload.Classifier, most limits, each bool) measure {
	tallies, named := map[classKey]*classTally{}, 0
	jobs, sketched := 0, false
	// tally finds the one of a class, or that of the others.
	var tally func(key classKey) *classTally
	tally = func(key classKey) *classTally {
		t := tallies[key]
		if t != nil {
			return t
		}
		late := false
		if !key.others && !classes.Unknown(key.ClassKey) {
			if late = named >= most.values; late && !each {
				return tally(classKey{others: true})
			}
			named++
		}
		t = &classTally{key: key, late: late, details: &details{}}
		for _, s := range t.summaries() {
			s.values.Limit = most.exact + 1 // a job is added before their number is looked at
		}
		if sketched {
			t.sketch()
		}
		tallies[key] = t
		return t
	}
	single := len(classes.Columns()) == 1
	calendar := classes.Columns()[0].Calendar
	return measure{func(s *slab) {
		var t *classTally
		var last classKey
		for i := range s.Rows {
			if key := (classKey{ClassKey: classes.RowKey(s.Batch, i)}); t == nil || key != last {
				t, last = tally(key), key
			}
			t.amount.add(s, i)
			if t.details != nil {
				t.details.add(s, i)
			}
			if jobs++; jobs > most.exact && !sketched {
				sketched = true
				for _, t := range tallies {
					t.sketch()
				}
			}
		}
	}, func(d *Description) {
		b.Values = []ByValue{}
		first, last := d.submissions()
		all := slices.SortedFunc(maps.Values(tallies), func(a, b *classTally) int {
			if calendar != nil {
				return a.key.Compare(b.key.ClassKey)
			}
			return cmp.Or(cmp.Compare(b.value(), a.value()), cmp.Compare(b.jobs, a.jobs), a.key.Compare(b.key.ClassKey))
		})
		for _, t := range all {
			if t.details == nil {
				t.details = &details{}
			}
			key, span, work := t.key.ClassKey, last-first, t.value()
			unknown := classes.Unknown(key)
			if single && calendar != nil && !unknown {
				if p, ok := calendar.Period(key[0]); ok {
					span = min(p.To, last) - max(p.From, first)
				}
			}
			v := ByValue{
				Value: Value(classes.Value(key)), Jobs: t.jobs, Pct: percent(t.jobs, d.Jobs), Users: workload.Positive(t.users.Count()),
				Run: t.run.column("s", t.jobs), Size: t.size.column("processors", t.jobs),
				Wait: WaitColumn{t.wait.column("s", t.jobs), t.wait.quantile(0.95)},
				Work: stats.Number(work), Load: loadOf(work, int64(d.Log.Processors), span),
			}
			switch {
			case t.key.others:
				v.Value, v.Name = "", "others"
				b.Others = &v
				continue
			case v.Value == "" && unknown && single:
				v.Name = "unknown"
			case v.Value == "":
				v.Name, v.Class = classes.Label(key), !unknown
			}
			b.Values = append(b.Values, v)
		}
	}}
}

// name gives the values the names that the header, or the format, has for them.
func (b *Breakdown) name(h *workload.Header) {
	known := map[string]map[int64]string{}
	nameOf := func(column, value string) string {
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case err != nil:
			return ""
		case column == "status":
			return workload.Status(n).Name()
		case known[column] == nil:
			known[column] = h.NamesOf(column)
		}
		return known[column][n]
	}
	for i := range b.Values {
		v := &b.Values[i]
		switch {
		case v.Class: // such as "user_id=1, queue_id=2"
			cells := strings.Split(v.Name, ", ")
			for k, cell := range cells {
				column, value, _ := strings.Cut(cell, "=")
				if name := nameOf(column, value); name != "" {
					cells[k] += " " + name
					v.Text = strings.Join(cells, ", ")
				}
			}
		case v.Value != "":
			v.Name = nameOf(b.Column, string(v.Value))
		}
	}
}
