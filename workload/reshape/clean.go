package reshape

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Filter takes jobs out of a log. It may be applied to several logs, one after
// another or at once: what it learns of one is kept in Apply.
type Filter interface {
	// String is the filter in the syntax of ParseFilter, as a header's Note
	// shows it.
	String() string
	// Apply yields the jobs that stay, in their order, and tells o of the
	// others. h is the log's header.
	Apply(h workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq
}

// namedFilter is a filter with a name, whose parameters are its fields with the tag opt.
type namedFilter interface {
	Filter
	Name() string
}

// filterKinds are the filters with a name, in the order in which they are best applied, and
// what each removes.
func filterKinds() (filters []namedFilter, meanings []string) {
	return []namedFilter{NewDuplicates(), NewFlurries()}, []string{
		"records that repeat an earlier one, of which the first stays",
		"bursts of one user's alike jobs that dominate the workload for a while (Tsafrir and Feitelson 2006; the rule is this project's reading)",
	}
}

func filterNames() []string {
	filters, _ := filterKinds()
	return opt.Names(filters)
}

// ParseFilter reads a filter: one of the names that Filters lists, with parameters in
// parentheses as in "flurries(jobs=50,window=12h)"; otherwise a condition
// (ParseCondition), which removes the jobs that meet it.
func ParseFilter(text string) (Filter, error) {
	text = strings.TrimSpace(text)
	filters, _ := filterKinds()
	if name, _, _ := strings.Cut(text, "("); slices.Contains(opt.Names(filters), name) {
		return opt.Named("filter", text, filters)
	}
	if text == "" {
		return nil, fmt.Errorf("an empty filter: want one of %s, or a condition", strings.Join(filterNames(), ", "))
	}
	c, err := ParseCondition(text)
	if err != nil {
		return nil, fmt.Errorf("filter %q: %w", text, err)
	}
	return c, nil
}

// textOf is a filter with all its parameters, as ParseFilter reads it.
func textOf(f namedFilter) string {
	var parts []string
	for _, p := range opt.Parameters(f) {
		parts = append(parts, p.Name+"="+p.String())
	}
	return f.Name() + "(" + strings.Join(parts, ",") + ")"
}

// Seconds is a parameter of a filter: a length of time above 0.
type Seconds float64

// Set reads seconds, or a number with one of the units s, m, h, d and w.
func (s *Seconds) Set(text string) error {
	x, ok := parseSeconds(text)
	if !ok || x <= 0 {
		return workload.OptionFault("window", strconv.Quote(text), "a time above 0: %s", forms[durationField])
	}
	*s = Seconds(x)
	return nil
}

// String returns the shortest text that Set reads back.
func (s *Seconds) String() string {
	for _, u := range []string{"w", "d", "h", "m"} {
		if n := float64(*s) / units[u]; n >= 1 && n == float64(int64(n)) {
			return strconv.FormatFloat(n, 'f', -1, 64) + u
		}
	}
	return strconv.FormatFloat(float64(*s), 'f', -1, 64) + "s"
}

// Type names the kind of value.
func (*Seconds) Type() string { return "seconds" }

// FiltersSchema names the JSON form of FilterList and its version.
const FiltersSchema = "loadstone.filters/1"

// FilterList describes the filters that ParseFilter reads.
type FilterList struct {
	Schema  string        `json:"schema"`
	Filters []FilterKind  `json:"filters"` // those with a name, in the order in which they are best applied
	Fields  []FilterField `json:"fields"`  // what a condition can ask for
}

// FilterKind describes one kind of filter.
type FilterKind struct {
	Name       string            `json:"name" csv:"filter"`
	Meaning    string            `json:"meaning"` // what it takes out
	Parameters []FilterParameter `json:"parameters" row:"each"`
}

// FilterParameter describes a filter's parameter.
type FilterParameter struct {
	Name    string `json:"name" csv:"parameter"`
	Default string `json:"default"`
	Meaning string `json:"meaning" csv:"parameter_meaning"`
}

// FilterField describes a field of conditions.
type FilterField struct {
	Names   []string `json:"names" csv:"field" row:"words"` // any of them will do
	Meaning string   `json:"meaning"`
	Values  string   `json:"values"` // how they are written
}

// Filters returns a description of all filters.
func Filters() FilterList {
	list := FilterList{Schema: FiltersSchema}
	filters, meanings := filterKinds()
	for i, f := range filters {
		kind := FilterKind{Name: f.Name(), Meaning: meanings[i]}
		for _, p := range opt.Parameters(f) {
			kind.Parameters = append(kind.Parameters, FilterParameter{p.Name, p.String(), p.Help})
		}
		list.Filters = append(list.Filters, kind)
	}
	for _, f := range fields {
		list.Fields = append(list.Fields, FilterField{slices.Clone(f.names), f.meaning, forms[f.kind]})
	}
	return list
}

// Removal is a job that a filter removed.
type Removal struct {
	Job    int64 // the log's number of the job, or workload.Unknown
	Row    int64 // its record in the log, from 1
	Filter string
	Reason string
}

// Outcome counts what one filter did to a log.
type Outcome struct {
	Filter   string
	Removed  int64 // records removed
	Warnings workload.Warnings

	names *workload.Names // of a log that names things by text, as far as it is read
	tell  func(Removal) error
	err   error // of tell
}

// Remove records that a job is removed, for the reason given.
func (o *Outcome) Remove(j *workload.Job, reason string) {
	o.Removed++
	if o.tell != nil && o.err == nil {
		o.err = o.tell(Removal{Job: j.ID, Row: j.Row + 1, Filter: o.Filter, Reason: reason})
	}
}

// Cleaned is a log that is cleaned while it is read.
type Cleaned struct {
	*Stream
	Outcomes []*Outcome // in the order of the filters
}

// Clean passes a log through filters, each of which sees the jobs that the previous ones
// left. Each removed job is passed to removed, which may be nil; an error that it returns
// ends the jobs.
func Clean(ctx context.Context, log *workload.Log, filters []Filter, removed func(Removal) error) *Cleaned {
	c := &Cleaned{}
	c.Stream = streamOf(ctx, log, func(jobs workload.JobSeq) workload.JobSeq {
		for _, f := range filters {
			o := &Outcome{Filter: f.String(), tell: removed, names: log.Names()}
			jobs = f.Apply(log.Header.Clone(), jobs, o)
			c.Outcomes = append(c.Outcomes, o)
		}
		return func(yield func(workload.Job, error) bool) {
			for j, err := range jobs {
				if err = cmp.Or(err, c.fault()); !yield(j, err) || err != nil {
					return
				}
			}
			if err := c.fault(); err != nil {
				yield(workload.Job{}, err)
			}
		}
	})
	return c
}

// fault is the first error of telling of a removal.
func (c *Cleaned) fault() error {
	for _, o := range c.Outcomes {
		if o.err != nil {
			return o.err
		}
	}
	return nil
}

// Header returns the log's header with what was done, when all jobs have passed: a Note in
// the words of the archive's cleaned logs, with each filter and the number of jobs that it
// removed; and the counts and times that are not true any more (see workload.Header.Complete).
// by is who did it, such as "loadstone clean".
func (c *Cleaned) Header(by string) workload.Header {
	h := c.log.Header.Clone() // the names of a text format are in it only at its end
	h.Add("Note", workload.CleanedNote+"!")
	lead := "The filters used to produce it were"
	if len(c.Outcomes) == 1 {
		lead = "The filter used to produce it was"
	}
	h.Lines = append(h.Lines, "       "+lead)
	for _, o := range c.Outcomes {
		h.Lines = append(h.Lines, "         "+o.Filter+" ("+words.Counted(o.Removed, "job")+" removed)")
	}
	c.change.complete(&h, by)
	return h
}

// Warnings returns those of the log and of the filters.
func (c *Cleaned) Warnings() []workload.Warning {
	all := c.Stream.Warnings()
	for _, o := range c.Outcomes {
		all = append(all, o.Warnings.List()...)
	}
	return all
}

// WriteRemovals calls run with what writes a job that is removed, as they come, as a row of
// CSV for spreadsheets and scripts.
func WriteRemovals(w io.Writer, run func(removed func(Removal) error) error) error {
	table := csv.NewWriter(w)
	err := cmp.Or(table.Write([]string{"job_id", "row", "filter", "reason"}), run(func(r Removal) error {
		id := ""
		if r.Job != workload.Unknown {
			id = strconv.FormatInt(r.Job, 10)
		}
		return table.Write([]string{id, strconv.FormatInt(r.Row, 10), r.Filter, workload.SpreadsheetText(r.Reason)})
	}))
	table.Flush()
	return cmp.Or(err, table.Error())
}
