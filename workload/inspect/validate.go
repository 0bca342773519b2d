package inspect

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ValidateOptions are the options of Validate. The zero value checks every rule and keeps
// no places.
type ValidateOptions struct {
	// Rules are names of rules, or patterns as in path.Match; empty means all rules.
	Rules []string `opt:"rules" some:"true" common:"true" help:"check only these <rules>, or all but those after a '!': names, or patterns such as 'header-*', by commas"`
	// First is the number of places to keep for each rule.
	First int `opt:"first" in:"[0,)" usual:"3" common:"true" help:"number of cases to show for each rule"`
	// Processors are the machine's; 0 takes the header's value.
	Processors int64 `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`
}

// ValidationSchema is the name and version of the JSON format of Validation.
const ValidationSchema = "loadstone.validate/1"

// Validation is what Validate found in a log.
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

// Finding is a broken rule: how often it is broken, and the first places.
type Finding struct {
	Rule     string   `json:"rule" show:"rule"`
	Severity Severity `json:"severity" show:"severity"` // in this log
	Field    string   `json:"field,omitempty"`
	Words    string   `json:"text"`
	Count    int64    `json:"count"`
	Counts   string   `json:"counts"`            // unit of Count, as Rule.Counts
	Note     string   `json:"note,omitempty"`    // limits of the count, if any
	Places   []Place  `json:"places" row:"each"` // first those in the header, then in the order of the log
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

// NotChecked is a rule that could not be checked, and why. Missing is the header keyword
// that the rule needs, if that is the reason.
type NotChecked struct {
	Rule    string `json:"rule"`
	Why     string `json:"why"`
	Missing string `json:"-"`
}

// Busy describes when more processors were busy than the machine has. It counts the jobs
// with known wait and run time, at the number of processors allocated or, if unknown,
// requested. Other jobs are ignored, so all values are lower bounds.
type Busy struct {
	Placed  int64        `json:"placed_jobs"`     // jobs with a known start and end
	Moments int64        `json:"moments"`         // starts and ends of jobs after which too many processors are busy
	Periods int64        `json:"periods"`         // maximal intervals with too many busy processors
	Seconds stats.Number `json:"time_s"`          // total length of the periods
	Jobs    int64        `json:"jobs"`            // that ran during one of the periods
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

// Validate reads a log once and checks it against the chosen rules. Memory is bounded: by
// o.First, by 64 MiB for job ids that are not in ascending order, and by the number of jobs
// waiting or running at a time. If a bound is reached, the note of the finding says so.
//
// An invalid option is a *workload.OptionError; other errors are those of the log's reader
// or of ctx. The log is read to its end but not closed.
func Validate(ctx context.Context, log *workload.Log, o ValidateOptions) (Validation, error) {
	if err := o.Validate(); err != nil {
		return Validation{}, err
	}
	return newValidator(log, o).run(workload.Until(ctx, log.Batches()))
}

func (v *validator) run(batches workload.BatchSeq) (Validation, error) {
	for rec, err := range batches {
		if err != nil {
			return Validation{}, err
		}
		view := workload.NewView(rec)
		for i := range view.Len() {
			j := view.Job(i, v.rows)
			v.job(&j)
			v.rows++
		}
	}
	return v.validation(), nil
}

// found is what breaks one rule.
type found struct {
	on     bool // the rule is checked
	count  int64
	places []Place
	note   string
}

// validator checks the jobs of a log.
type validator struct {
	o      ValidateOptions
	log    *workload.Log
	rules  [numRules]Rule // with this log's severities
	found  [numRules]found
	skip   []NotChecked
	limits limits
	rows   int64

	submit     float64 // of the job above whose submission is known
	jobs       int64   // records that are not mere parts of a job
	ids        idSet
	preceding  precedingJobs
	queues     distinct
	partitions distinct
	busy       *busySweep
	starts     *workload.StartsWatch
}

func newValidator(log *workload.Log, o ValidateOptions) *validator {
	v := &validator{
		o: o, log: log, rules: rules, submit: math.Inf(-1),
		ids: newIDSet(maxBlocks), preceding: precedingJobs{limit: maxPending},
	}
	for r := range v.rules {
		v.found[r].on = v.rules[r].Name != "" && chosen(o.Rules, v.rules[r].Name)
	}
	if !orderedFormats[log.Format] {
		v.rules[ruleSubmitOrder].Severity = Oddity
	}
	v.readHeader()
	if v.found[ruleSubmissionsAreStarts].on {
		v.starts = workload.NewStartsWatch(v.limits.processors)
	}
	if v.found[ruleMachineOverFull].on { // which asks for a machine of known size
		v.busy = newBusySweep(v)
	}
	return v
}

// hit counts a violation of a rule and reports whether its place should be noted.
func (v *validator) hit(rule int) bool {
	f := &v.found[rule]
	f.count++
	return f.on && len(f.places) < v.o.First
}

// at notes the place of a job.
func (v *validator) at(rule int, j *workload.Job, saw, want string) {
	v.note(rule, j.Row, v.log.Line(j.Row), j.ID, v.rules[rule].Field, saw, want)
}

// inHeader is the row of a place in the header.
const inHeader = -1

// note notes a place: its row from 0, its line from 1 or 0 for none.
func (v *validator) note(rule int, row, line, job int64, field, saw, want string) {
	v.found[rule].places = append(v.found[rule].places,
		Place{workload.Positive(line), workload.Positive(row + 1), workload.Integer(job), field, saw, want})
}

// cannot records that a rule is not checked, and why.
func (v *validator) cannot(rule int, why string) {
	if v.found[rule].on {
		v.found[rule].on = false
		v.skip = append(v.skip, NotChecked{Rule: v.rules[rule].Name, Why: why})
	}
}

// validation ends the checks with those that need the whole log.
func (v *validator) validation() Validation {
	out := Validation{
		Schema: ValidationSchema, Findings: []Finding{}, NotChecked: []NotChecked{},
		Log: ValidatedLog{v.log.Name, v.log.Format, v.rows, workload.Positive(v.limits.processors)},
	}
	v.endPreceding()
	v.endHeader()
	v.endIDs()
	if v.starts != nil {
		v.found[ruleSubmissionsAreStarts].count = v.starts.Fitting()
	}
	if v.busy != nil {
		if busy := v.busy.end(); busy.Placed > 0 {
			out.Busy = &busy
		}
	}
	for r := range v.rules {
		if f := &v.found[r]; f.on && f.count > 0 {
			out.Findings = append(out.Findings, newFinding(v.rules[r], f.count, f.note, f.places))
		}
	}
	out.Findings = append(out.Findings, v.readerFindings()...)
	slices.SortStableFunc(out.Findings, func(a, b Finding) int {
		switch {
		case a.Severity == b.Severity:
			return 0
		case a.Severity == Fault:
			return -1
		}
		return 1
	})
	for _, f := range out.Findings {
		if f.Severity == Fault {
			out.Faults += f.Count
		} else {
			out.Oddities += f.Count
		}
	}
	out.NotChecked = append(out.NotChecked, v.skip...)
	return out
}

func newFinding(r Rule, count int64, note string, places []Place) Finding {
	return Finding{r.Name, r.Severity, r.Field, r.Words, count, r.Counts, note, append([]Place{}, places...)}
}

// readerFindings are what the reader counted and no rule here does.
func (v *validator) readerFindings() []Finding {
	var fs []Finding
	for _, w := range v.log.Warnings() {
		name := readerPrefix + w.Rule
		known := slices.ContainsFunc(rules[:], func(r Rule) bool { return r.Name == w.Rule })
		if known || !chosen(v.o.Rules, name) {
			continue
		}
		var places []Place
		if v.o.First > 0 && w.Line > 0 {
			// Of these only the first place is kept.
			places = []Place{{Line: workload.Integer(w.Line), Row: workload.Integer(workload.Unknown), Job: workload.Integer(workload.Unknown), Saw: w.Saw}}
		}
		counts := "lines"
		if strings.HasPrefix(w.Text, "columns ") {
			counts = "columns"
		}
		fs = append(fs, newFinding(Rule{Name: name, Severity: Oddity, Counts: counts, Words: w.Text}, w.Count, "", places))
	}
	return fs
}

// Cleaning is the filter of reshape.Clean that removes the jobs that break a rule.
type Cleaning struct{ Rule, Filter string }

// cleaning are the filters of rules.
var cleaning = map[string]string{
	"submit-unknown":         "submit=unknown",
	"run-unknown":            "run=unknown",
	"size-unknown":           "size=unknown",
	"job-duplicate":          "duplicates(by=id)",
	"status-part":            "partials",
	"status-range":           "status!=0..5,unknown",
	"failed-at-start":        "status=0 and run=0",
	"ran-without-processors": "proc=0 and (run>0 or status=1)",
}

// Cleanings are the filters that remove the jobs of findings, where there is one.
func (v Validation) Cleanings() (all []Cleaning) {
	for _, f := range v.Findings {
		filter := cleaning[f.Rule]
		switch {
		case f.Rule == "allocated-over-machine" && v.Log.Processors.Known():
			filter = fmt.Sprintf("proc>%d", v.Log.Processors)
		case strings.HasPrefix(f.Rule, "negative-"):
			filter = f.Field + "<0"
		}
		if filter != "" {
			all = append(all, Cleaning{f.Rule, filter})
		}
	}
	return all
}
