package reshape

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
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
	meaning() string // what it removes
}

// namedFilters are the filters with a name, with their default parameters, in the order in
// which they are best applied.
func namedFilters() []namedFilter {
	return []namedFilter{
		Duplicates{By: "all", within: 1_000_000},
		Flurries{Window: 86400, Jobs: 100, Share: 0.5, hold: 1 << 18},
	}
}

// ParseFilter reads a filter: one of the names that Filters lists, with parameters in
// parentheses as in "flurries(jobs=50,window=12h)"; otherwise a condition
// (ParseCondition), which removes the jobs that meet it.
func ParseFilter(text string) (Filter, error) {
	text = strings.TrimSpace(text)
	filters := namedFilters()
	if name, _, _ := strings.Cut(text, "("); slices.Contains(opt.Names(filters), name) {
		return opt.Named("filter", text, filters)
	}
	if text == "" {
		return nil, fmt.Errorf("an empty filter: want one of %s, or a condition", strings.Join(opt.Names(filters), ", "))
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
	for _, f := range namedFilters() {
		kind := FilterKind{Name: f.Name(), Meaning: f.meaning()}
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

// Duplicates removes the records that repeat an earlier one; the first
// stays. It remembers the last million records, in about 80 bytes each. Records without a job number, and parts of executions (status
// 2, 3 and 4, which share their job's number rightly), are no duplicates by
// number.
type Duplicates struct {
	By     string `opt:"by" help:"all (job number and all fields are alike) or id (the job number is, partial executions apart)"`
	within int    // records to look back
}

// Choices are the values of By.
func (d *Duplicates) Choices(option string) []string {
	if option == "by" {
		return []string{"all", "id"}
	}
	return nil
}

// Name returns the filter's name.
func (Duplicates) Name() string { return "duplicates" }

func (Duplicates) meaning() string {
	return "records that repeat an earlier one, of which the first stays"
}

// String implements Filter.
func (d Duplicates) String() string { return textOf(d) }

// Apply implements Filter.
func (d Duplicates) Apply(_ workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	columns := 1 // of the table, compared: the job number is the first
	if d.By == "all" {
		columns = workload.NumColumns
	}
	var (
		seeds  = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
		first  = map[fingerprint]int64{} // row from 1
		recent []fingerprint             // a ring, of the keys of first
		oldest int
		record []byte
	)
	return sift(jobs, func(j *workload.Job) bool {
		if j.ID == workload.Unknown || j.IsPart() && d.By == "id" {
			return true
		}
		record = record[:0]
		for i := range columns {
			c := workload.ColumnAt(i)
			x := c.Number(j)
			if math.IsNaN(x) {
				x = math.NaN() // one of its many forms
			}
			record = binary.LittleEndian.AppendUint64(record, math.Float64bits(x)^uint64(c.Int(j)))
		}
		key := fingerprint{maphash.Bytes(seeds[0], record), maphash.Bytes(seeds[1], record)}
		if row, ok := first[key]; ok {
			o.Remove(j, fmt.Sprintf("repeats row %d", row))
			return false
		}
		first[key] = j.Row + 1
		if len(recent) < d.within {
			recent = append(recent, key)
			return true
		}
		delete(first, recent[oldest])
		recent[oldest] = key
		oldest = (oldest + 1) % d.within
		return true
	})
}

// fingerprint stands for the fields of a record: that two of 1e8 different records share one by
// chance is a matter of 1e-22.
type fingerprint [2]uint64

// Flurries removes workload flurries: rare surges of activity with a
// repetitive nature, caused by a single user, that dominate the workload for a
// relatively short period (Tsafrir and Feitelson, "Instability in parallel job
// scheduling simulation: the role of workload flurries", 2006; Feitelson and
// Tsafrir, "Workload sanitation for performance evaluation", 2006). The papers
// find them by eye and remove ranges of one user's job numbers. This is the
// project's reading of those words as a rule:
//
// jobs are alike where user, application and size are the same (unknown is a value like any other,
// but an unknown user is nobody's). Where, from the
// submission of a job on, at least Jobs jobs alike are submitted within Window
// seconds, and they are at least the share Share of all jobs submitted in
// these seconds, all of them are a flurry.
//
// What flurries do not dominate stays, and so do the user's other jobs. A user who
// always dominates a log would be removed from it; a warning says if the filter took
// out more than a third of all jobs, which is not rare any more.
//
// It holds the jobs of Window seconds, of which at most 262,144 (230 bytes each).
// Where there are more, the window is cut short, and a warning says how often.
// A job that stands after one submitted later counts as submitted with that
// one; one of unknown submission stays.
type Flurries struct {
	Window Seconds `opt:"window" help:"a burst is looked for in so much time from a job on"`
	Jobs   int     `opt:"jobs" in:"[2,262144]" help:"it has at least so many jobs in it"`
	Share  float64 `opt:"share" in:"[0,1]" help:"and they are at least this share of all jobs in it"`
	hold   int     // jobs held at most; a window with more is cut short
}

// Name returns the filter's name.
func (Flurries) Name() string { return "flurries" }

func (Flurries) meaning() string {
	return "bursts of one user's alike jobs that dominate the workload for a while (Tsafrir and Feitelson 2006; the rule is this project's reading)"
}

// String implements Filter.
func (f Flurries) String() string { return textOf(f) }

// Apply implements Filter.
func (f Flurries) Apply(_ workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		b := burst{Flurries: f, outcome: o, kinds: map[kind]*kindState{}}
		all, latest := int64(0), math.Inf(-1)
		for j, err := range jobs {
			if err != nil {
				yield(j, err)
				return
			}
			for b.ready(&j) {
				if !b.settle(yield) {
					return
				}
			}
			if j.Submit > latest {
				latest = j.Submit
			}
			b.add(heldJob{j, latest, kind{j.User, j.Application, j.Size}})
			all++
		}
		for len(b.held) > 0 {
			if !b.settle(yield) {
				return
			}
		}
		if n := o.Removed; n > all/3 {
			o.Warnings.Add("flurries-not-rare", fmt.Sprintf("flurries: %.0f%% of the jobs are removed, although flurries are rare by definition: "+
				"this may be the log's normal load; raise jobs= or share=", 100*float64(n)/float64(all)), 0, "")
		}
	}
}

// burst is a pass of Flurries: the jobs of the last window, oldest first, and
// how many of each kind they are. A job is settled when its window is full:
// then the held jobs are just those of the window that it opens.
type burst struct {
	Flurries
	outcome  *Outcome
	held     []heldJob
	timed    int // of held, those with a known submission
	kinds    map[kind]*kindState
	flurries int
}

type heldJob struct {
	workload.Job
	at   float64 // its submission, or a later one before it
	kind kind
}

// kind is a user, an application and a size.
type kind [3]int64

func (k kind) String() string {
	text := ""
	for i, name := range []string{"user_id", "application_id", "size"} {
		if k[i] == workload.Unknown {
			text += " " + name + " unknown"
		} else {
			text += fmt.Sprintf(" %s=%d", name, k[i])
		}
	}
	return text[1:]
}

// kindState are the alike jobs of a window.
type kindState struct {
	held   int
	until  float64 // jobs before this are a flurry
	reason string
}

// ready reports whether the oldest job held can be settled before that one comes.
func (b *burst) ready(next *workload.Job) bool {
	if len(b.held) > 0 && len(b.held) >= b.hold {
		b.outcome.Warnings.Add("flurry-hold", fmt.Sprintf("flurries: windows cut short, because more than %d jobs are in them", b.hold), 0,
			fmt.Sprintf("row %d", b.held[0].Row+1))
		return true
	}
	return len(b.held) > 0 && b.held[0].at+float64(b.Window) <= next.Submit
}

func (b *burst) add(j heldJob) {
	b.held = append(b.held, j)
	if math.IsNaN(j.Submit) {
		return
	}
	if b.timed++; j.User == workload.Unknown {
		return
	}
	s := b.kinds[j.kind]
	if s == nil {
		s = &kindState{until: math.Inf(-1)}
		b.kinds[j.kind] = s
	}
	s.held++
}

// settle decides on the oldest job held, and yields it where it stays.
func (b *burst) settle(yield func(workload.Job, error) bool) bool {
	j := b.held[0]
	b.held = b.held[1:]
	if math.IsNaN(j.Submit) {
		return yield(j.Job, nil)
	}
	if j.User == workload.Unknown {
		b.timed--
		return yield(j.Job, nil)
	}
	s := b.kinds[j.kind]
	if s.held >= b.Jobs && float64(s.held) >= b.Share*float64(b.timed) {
		if j.at >= s.until {
			b.flurries++
			s.reason = fmt.Sprintf("flurry %d: %s: %d of the %d jobs in %s from %s s on", b.flurries,
				j.kind, s.held, b.timed, &b.Window, strconv.FormatFloat(j.at, 'f', -1, 64))
		}
		s.until = j.at + float64(b.Window)
	}
	b.timed--
	if s.held--; s.held == 0 {
		delete(b.kinds, j.kind)
	}
	if j.at < s.until {
		b.outcome.Remove(&j.Job, s.reason)
		return true
	}
	return yield(j.Job, nil)
}
