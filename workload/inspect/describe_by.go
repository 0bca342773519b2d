package inspect

import (
	"cmp"
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
	// last submission of the whole log; of a month, in the part of it between them.
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

// WaitColumn summarises the waits of a class, in seconds.
type WaitColumn struct {
	Column
	Q95 stats.Number `json:"q95" show:"q95"`
}

// Breakdown summarises the jobs of each value of a column, or of each class, sorted by
// Work, then by number of jobs, largest first; months are in order of time.
type Breakdown struct {
	Column string    `json:"column"` // DescribeOptions.By
	Values []ByValue `json:"values"`
	// Others has the jobs of all values after the first 4096 that occur in the log; nil if
	// there are none.
	Others *ByValue `json:"others,omitempty"`
}

// Rows returns the values and the others.
func (b *Breakdown) Rows() []ByValue {
	if b.Others == nil {
		return b.Values
	}
	return append(slices.Clip(b.Values), *b.Others)
}

const (
	mostValues = 4096
	// mostByValue is how many run times, sizes and waits, of all values together, are
	// kept for exact quantiles; beyond it every value has sketches.
	mostByValue = 3 << 21
)

// byKey is a class, or the others.
type byKey struct {
	workload.ClassKey
	others bool
}

type byRow struct {
	key             byKey
	jobs            int64
	users           stats.Cardinality
	run, size, wait summary
	work            num.Sum
	worked          bool // the work of some job is known
}

func (r *byRow) summaries() []*summary { return []*summary{&r.run, &r.size, &r.wait} }

// workKnown is the work, processor s; NaN where it is known of no job.
func (r *byRow) workKnown() float64 {
	if !r.worked {
		return math.NaN()
	}
	return r.work.Value()
}

type byPart struct {
	o          DescribeOptions
	classes    *workload.Classifier
	rows       map[byKey]*byRow
	numbers    int
	kept, most int
	values     int
	sketched   bool
}

func newByPart(classes *workload.Classifier, o DescribeOptions) *byPart {
	return &byPart{o: o, classes: classes, rows: map[byKey]*byRow{}, most: mostByValue, values: mostValues}
}

func (p *byPart) add(s *slab) {
	var last *byRow
	for i := range s.Rows {
		key := byKey{ClassKey: p.classes.RowKey(s.Batch, i)}
		if last == nil || last.key != key {
			last = p.row(key)
		}
		r := last
		r.jobs++
		if u := s.user[i]; u != workload.Unknown {
			r.users.Add(u)
		}
		if x := s.run[i]; !math.IsNaN(x) {
			r.run.observe(x)
			p.kept++
		}
		if n := s.size[i]; n != workload.Unknown {
			r.size.observe(float64(n))
			p.kept++
		}
		if x := s.wait[i]; !math.IsNaN(x) {
			r.wait.observe(x)
			p.kept++
		}
		if s.size[i] != workload.Unknown && !math.IsNaN(s.run[i]) {
			r.work.Add(workOf(s.size[i], s.run[i]))
			r.worked = true
		}
		if p.kept > p.most && !p.sketched {
			p.sketch()
		}
	}
}

// row is the row of a key; a number that comes too late is one of the others.
func (p *byPart) row(key byKey) *byRow {
	r := p.rows[key]
	if r != nil {
		return r
	}
	if !key.others && !p.classes.Unknown(key.ClassKey) {
		if p.numbers == p.values {
			return p.row(byKey{others: true})
		}
		p.numbers++
	}
	r = &byRow{key: key}
	for _, s := range r.summaries() {
		if s.values.Limit = p.most + 3; p.sketched { // a job adds up to three values before p.most is looked at
			s.values.Bucket()
		}
	}
	p.rows[key] = r
	return r
}

// sketch switches every row to sketches.
func (p *byPart) sketch() {
	for _, r := range p.rows {
		for _, s := range r.summaries() {
			s.values.Bucket()
		}
	}
	p.sketched = true
}

func (p *byPart) into(d *Description) {
	b := &Breakdown{Column: p.o.By, Values: []ByValue{}}
	d.By = b
	first, last := d.submissions()
	months := p.months()
	rows := slices.Collect(maps.Values(p.rows))
	slices.SortFunc(rows, func(a, b *byRow) int {
		if months != nil {
			return a.key.Compare(b.key.ClassKey)
		}
		return cmp.Or(cmp.Compare(b.workKnown(), a.workKnown()), cmp.Compare(b.jobs, a.jobs), a.key.Compare(b.key.ClassKey))
	})
	for _, r := range rows {
		work, span := r.workKnown(), last-first
		if months != nil && !p.classes.Unknown(r.key.ClassKey) {
			month := months.MonthPeriod(r.key.ClassKey[0])
			span = min(month.To, last) - max(month.From, first)
		}
		v := ByValue{
			Value: Value(p.classes.Value(r.key.ClassKey)), Jobs: r.jobs, Pct: percent(r.jobs, d.Jobs), Users: workload.Positive(r.users.Count()),
			Run: r.run.column("s", r.jobs), Size: r.size.column("processors", r.jobs),
			Wait: WaitColumn{r.wait.column("s", r.jobs), stats.Number(r.wait.values.Quantile(0.95))},
			Work: stats.Number(work), Load: stats.Number(loadOf(work, p.o.Processors, span)),
		}
		switch {
		case r.key.others:
			v.Value, v.Name = "", "others"
			b.Others = &v
			continue
		case v.Value == "":
			v.Name = p.name(r.key.ClassKey)
			v.Class = !p.classes.Unknown(r.key.ClassKey)
		}
		b.Values = append(b.Values, v)
	}
}

// months is the clock of the months that are the classes; nil for other classes.
func (p *byPart) months() *workload.Clock {
	if columns := p.classes.Columns(); len(columns) == 1 {
		return columns[0].Months
	}
	return nil
}

// name is that of a class that is no single value.
func (p *byPart) name(key workload.ClassKey) string {
	if len(p.classes.Columns()) == 1 && p.classes.Unknown(key) {
		return "unknown"
	}
	return p.classes.Label(key)
}
