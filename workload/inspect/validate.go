package inspect

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/ids"
)

// ValidateOptions are the options of Validate. The zero value checks every rule and keeps
// no places.
type ValidateOptions struct {
	// Rules are names of rules, or patterns as in path.Match; empty means all rules.
	Rules []string `opt:"rules" some:"true" common:"true" help:"check only these <rules>, or all but those after a '!': names, or patterns such as 'header-*', by commas"`
	// First is the number of places to keep for each rule.
	First int `opt:"first" in:"[0,)" usual:"3" common:"true" help:"number of cases to show for each rule"`
	// Processors is the number of processors of the machine; 0 means the header's value.
	Processors int64 `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`
}

// ValidationSchema is the name and version of the JSON format of Validation.
const ValidationSchema = "loadstone.validate/1"

// Validation is the result of Validate.
type Validation struct {
	Schema     string       `json:"schema"`
	Log        ValidatedLog `json:"log"`
	Faults     int64        `json:"faults"`   // over all rules
	Oddities   int64        `json:"oddities"` // over all rules
	Findings   []Finding    `json:"findings"` // faults first
	NotChecked []NotChecked `json:"not_checked"`
	Busy       *Busy        `json:"over_full"` // nil if the rule machine-over-full was not checked or no job has a known start and end
}

// ValidatedLog identifies the log that was checked.
type ValidatedLog struct {
	Name       string           `json:"name"`
	Format     string           `json:"format"`
	Jobs       int64            `json:"jobs"`       // records read
	Processors workload.Integer `json:"processors"` // of the machine
}

// Finding is a broken rule, with the number of times that it is broken and the first places.
type Finding struct {
	Rule     string   `json:"rule" show:"rule"`
	Severity Severity `json:"severity" show:"severity"` // in this log
	Field    string   `json:"field,omitempty"`          // column, or keyword of the header
	Words    string   `json:"text"`                     // the rule in words
	Count    int64    `json:"count"`
	Counts   string   `json:"counts"`            // what is counted: "jobs", "moments", "headers", "lines", "columns"
	Note     string   `json:"note,omitempty"`    // limits of the count, if any
	Places   []Place  `json:"places" row:"each"` // those in the header first, then in the order of the log
	Filter   string   `json:"-"`                 // filter of reshape.Clean that removes such jobs; "" if there is none
}

// Place is one place where a rule is broken.
type Place struct {
	Line  workload.Integer `json:"line"` // from 1; Unknown where the format has none
	Row   workload.Integer `json:"row"`  // from 1; Unknown in the header
	Job   workload.Integer `json:"job_id"`
	Field string           `json:"field,omitempty"` // column or keyword
	Saw   string           `json:"saw"`
	Want  string           `json:"want,omitempty"`
}

// NotChecked is a rule that could not be checked, with the reason. Missing is the header keyword
// that the rule needs, if the reason is its absence.
type NotChecked struct {
	Rule    string `json:"rule"`
	Why     string `json:"why"`
	Missing string `json:"-"`
}

// Busy describes the times when more processors were busy than the machine has. It counts the jobs
// with known wait and run time, with the number of processors allocated or, if unknown, requested.
// Other jobs are ignored, so all values are lower bounds.
type Busy struct {
	Placed  int64        `json:"placed_jobs"`     // jobs with a known start and end
	Moments int64        `json:"moments"`         // starts and ends of jobs after which too many processors are busy
	Seconds stats.Number `json:"time_s"`          // time with too many busy processors
	Peak    int64        `json:"peak_processors"` // most processors busy at a time
	PeakAt  stats.Number `json:"peak_at_s"`       // s, when the peak was first reached
	PeakPct stats.Number `json:"peak_pct"`        // the peak in per cent of the machine's processors
}

// Validate returns a *workload.OptionError for the first invalid option.
func (o *ValidateOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	return checkRules(o.Rules)
}

// Validate reads a log once and checks it against the chosen rules. Memory is bounded by o.First,
// by 64 MiB for job ids that are not in ascending order, and by the number of jobs waiting or
// running at a time. If a bound is reached, the note of the finding states it.
//
// An invalid option is a *workload.OptionError; other errors are those of the log's reader or of
// ctx. The log is read to its end but not closed.
func Validate(ctx context.Context, log *workload.Log, o ValidateOptions) (Validation, error) {
	if err := o.Validate(); err != nil {
		return Validation{}, err
	}
	return newValidator(log, o).run(workload.Until(ctx, log.Batches()))
}

// validator checks the jobs of a log.
type validator struct {
	o          ValidateOptions
	log        *workload.Log
	checks     []*check
	byName     map[string]*check
	skip       []NotChecked
	processors int64 // of the machine; 0 if unknown
	double     bool  // Preemption: Double, where a job has a record and each of its parts another

	row    row
	jobs   int64 // number of records that stand for a whole job
	ids    ids.Set
	lost   int64 // number of ids that could not be checked because the set is full
	busy   *busySweep
	starts *workload.StartsWatch
}

func newValidator(log *workload.Log, o ValidateOptions) *validator {
	v := &validator{o: o, log: log, checks: rules(), byName: map[string]*check{}, row: row{previous: math.Inf(-1)}, ids: ids.New()}
	for _, c := range v.checks {
		v.byName[c.Rule] = c
		c.on = chosen(o.Rules, c.Rule)
	}
	if !slices.Contains(orderedFormats, log.Format) {
		v.byName["submit-order"].Severity = Oddity
	}
	v.readHeader()
	if v.byName[workload.StartsRule].on {
		v.starts = workload.NewStartsWatch(v.processors)
	}
	if v.byName["machine-over-full"].on { // on only if the size of the machine is known
		v.busy = newBusySweep(v)
	}
	return v
}

func (v *validator) run(batches workload.BatchSeq) (Validation, error) {
	rows := int64(0)
	for b, err := range batches {
		if err != nil {
			return Validation{}, err
		}
		checks := slices.DeleteFunc(slices.Clone(v.checks), func(c *check) bool { return !c.on || c.broken == nil || c.holds(b) })
		for i := range b.Rows {
			v.row.Job = b.Job(i, rows)
			v.job(checks)
			rows++
		}
	}
	return v.validation(rows), nil
}

// holds reports whether the columns alone show that no job of a batch breaks the rule. A column
// without values breaks only the rules about unknown values.
func (c *check) holds(b *workload.Batch) bool {
	switch {
	case c.comparison == "unknown":
		return b.Known(c.column) == b.Rows
	case c.Rule == "size-unknown": // it depends on two columns
		return false
	case strings.HasPrefix(c.Rule, "negative-"):
		return !slices.ContainsFunc(b.Ints[c.column], func(n int64) bool { return n < 0 && n != workload.Unknown }) &&
			!slices.ContainsFunc(b.Floats[c.column], func(x float64) bool { return x < 0 })
	}
	return b.Known(c.column) == 0
}

// job checks one job.
func (v *validator) job(checks []*check) {
	r := &v.row
	for _, c := range checks {
		if c.broken(r) {
			v.hit(c)
		}
	}
	if !math.IsNaN(r.Submit) {
		r.previous = r.Submit
	}
	v.identity(&r.Job)
	if v.starts != nil {
		v.starts.AddJob(&r.Job)
	}
	if v.busy != nil {
		v.busy.add(&r.Job)
	}
}

// identity checks a job's number and that of its preceding job.
func (v *validator) identity(j *workload.Job) {
	// A job has either a record of its own, in addition to its parts, or a last part.
	if !j.IsPart() || j.Status != workload.StatusPartial && !v.double {
		v.jobs++
	}
	duplicate, preceding := v.byName["job-duplicate"], v.byName["preceding-not-above"]
	if !duplicate.on && !preceding.on {
		return
	}
	if j.Preceding != workload.Unknown {
		if seen, isSure := v.ids.Has(j.Preceding); isSure && !seen {
			v.hit(preceding)
		}
	}
	if j.ID == workload.Unknown {
		return
	}
	switch seen, isSure := v.ids.Add(j.ID); {
	case j.IsPart():
	case seen:
		v.hit(duplicate)
	case !isSure:
		v.lost++
	}
}

// hit counts the current job, which breaks a rule.
func (v *validator) hit(c *check) {
	c.Count++
	if !v.keeps(c) {
		return
	}
	text := func(form string, value func(*row) float64) string {
		if strings.Contains(form, "%s") {
			return strings.ReplaceAll(form, "%s", plain(value(&v.row)))
		}
		return form
	}
	j := &v.row.Job
	c.Places = append(c.Places, placeOf(j.Row, v.log.Line(j.Row), j.ID, c.Field, text(c.saw, c.value), text(c.want, c.bound)))
}

// keeps reports whether the next place of a rule is one of the first to be kept.
func (v *validator) keeps(c *check) bool { return c.on && len(c.Places) < v.o.First }

// placeOf returns a place. row is counted from 0, with -1 for the header; line from 1, with 0 for
// none.
func placeOf(row, line, job int64, field, saw, want string) Place {
	return Place{workload.Positive(line), workload.Positive(row + 1), workload.Integer(job), field, saw, want}
}

// cannot records that a rule is not checked, and why. missing is the keyword that the header lacks,
// if that is the reason.
func (v *validator) cannot(c *check, why, missing string) {
	if c.on {
		c.on = false
		v.skip = append(v.skip, NotChecked{c.Rule, why, missing})
	}
}

// validation completes the checks that need the whole log and returns the result.
func (v *validator) validation(rows int64) Validation {
	out := Validation{
		Schema: ValidationSchema, Findings: []Finding{},
		Log: ValidatedLog{v.log.Name, v.log.Format, rows, workload.Positive(v.processors)},
	}
	v.endHeader(rows)
	if c := v.byName["job-duplicate"]; v.lost > 0 {
		c.Note = fmt.Sprintf("%d ids not checked: they do not ascend, and there are too many to remember", v.lost)
		if c.Count == 0 {
			v.cannot(c, c.Note, "")
		}
	}
	if v.starts != nil {
		v.byName[workload.StartsRule].Count = v.starts.Fitting()
	}
	if v.busy != nil {
		if busy := v.busy.end(); busy.Placed > 0 {
			out.Busy = &busy
		}
	}
	for _, c := range v.checks {
		if c.on && c.Count > 0 {
			out.Findings = append(out.Findings, c.Finding)
		}
	}
	for _, w := range v.log.Warnings() { // warnings of the reader that no rule here covers
		f := Finding{Rule: readerPrefix + w.Rule, Severity: Oddity, Words: w.Text, Count: w.Count, Counts: "lines", Places: []Place{}}
		if v.byName[w.Rule] != nil || !chosen(v.o.Rules, f.Rule) {
			continue
		}
		if v.o.First > 0 && w.Line > 0 { // only the first place is known
			f.Places = append(f.Places, placeOf(-1, w.Line, workload.Unknown, "", w.Saw, ""))
		}
		if strings.HasPrefix(w.Text, "columns ") {
			f.Counts = "columns"
		}
		out.Findings = append(out.Findings, f)
	}
	slices.SortStableFunc(out.Findings, func(a, b Finding) int { return cmp.Compare(a.Severity, b.Severity) }) // faults first
	for _, f := range out.Findings {
		if f.Severity == Fault {
			out.Faults += f.Count
		} else {
			out.Oddities += f.Count
		}
	}
	out.NotChecked = append([]NotChecked{}, v.skip...)
	return out
}

// plain formats a number in full, or with an exponent from 1e20 on.
func plain(x float64) string {
	format := byte('f')
	if math.Abs(x) >= 1e20 {
		format = 'e'
	}
	return strconv.FormatFloat(x, format, -1, 64)
}
