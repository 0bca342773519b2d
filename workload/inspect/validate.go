package inspect

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ValidateOptions are how a log is checked; the zero value checks everything
// and keeps no places.
type ValidateOptions struct {
	Rules      []string // names, or patterns as in path.Match; none is all
	First      int      // how many places are kept of each rule; memory grows with it
	Processors int64    // of the machine; 0 is what the header says
}

// Place is where a rule is broken.
type Place struct {
	Row   int64  // from 0; -1 in the header
	Line  int64  // from 1; 0 where it is not known, or the format has none
	Job   int64  // its id, workload.Unknown where it has none
	Field string // column or keyword
	Saw   string
	Want  string
}

// Finding is a rule that is broken: how often, and where first.
type Finding struct {
	Rule   // with the severity that it has in this log
	Count  int64
	Places []Place // in the order of the log; the header's have none before them
	Note   string  // what the count does not tell; empty mostly
}

// NotChecked is a rule that could not be checked, and why. Missing is the
// keyword of the header that it takes, if that is the reason.
type NotChecked struct{ Rule, Why, Missing string }

// Busy is how far more processors were busy than the machine has. Its jobs are
// those whose wait and run time are known, at the sizes allocated, else
// requested; what others used is not known, so that all of it is a lower bound.
type Busy struct {
	Placed  int64   // jobs whose start and end are known
	Moments int64   // instants at which a job starts or ends, too many busy after it
	Periods int64   // from such an instant to the next that is none
	Seconds float64 // s, of all periods together
	Jobs    int64   // that ran in one of the periods
	Peak    int64   // processors busy at the most
	PeakAt  float64 // s, when first; NaN where no job is placed
}

// Validation is what was found in a log.
type Validation struct {
	Jobs       int64 // records read
	Processors int64 // the machine's, 0 where that is not known
	Findings   []Finding
	NotChecked []NotChecked
	Busy       Busy // zero where machine-over-full was not checked
}

// Count returns how much was found of that severity, over all rules.
func (v *Validation) Count(s Severity) (n int64) {
	for _, f := range v.Findings {
		if f.Severity == s {
			n += f.Count
		}
	}
	return n
}

// Validate reads a log once and checks it against every rule chosen. batches
// are the log's own, or a stream that passes them on one by one. Memory is
// bounded, however long the log is: by First, by 64 MiB for job ids that do
// not ascend, and by the jobs under way at a time; where a bound is met the
// finding's note says so. An error is the reader's.
func Validate(log *workload.Log, batches workload.BatchSeq, o ValidateOptions) (Validation, error) {
	if err := CheckRules(o.Rules); err != nil {
		return Validation{}, err
	}
	return newValidator(log, o).run(batches)
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

// validator checks the jobs as they come.
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
}

func newValidator(log *workload.Log, o ValidateOptions) *validator {
	v := &validator{
		o: o, log: log, rules: rules, submit: math.Inf(-1),
		ids: newIDSet(maxBlocks), preceding: precedingJobs{limit: maxPending},
	}
	for r := range v.rules {
		v.found[r].on = v.rules[r].Name != "" && chosen(o.Rules, v.rules[r].Name)
	}
	v.readHeader()
	if v.found[ruleMachineOverFull].on { // which asks for a machine of known size
		v.busy = newBusySweep(v)
	}
	return v
}

// hit counts one and says whether its place is to be noted.
func (v *validator) hit(rule int) bool {
	f := &v.found[rule]
	f.count++
	return f.on && len(f.places) < v.o.First
}

// at notes the place of a job.
func (v *validator) at(rule int, j *workload.Job, saw, want string) {
	v.note(rule, Place{Row: j.Row, Line: v.log.Line(j.Row), Job: j.ID, Field: v.rules[rule].Field, Saw: saw, Want: want})
}

func (v *validator) note(rule int, p Place) {
	v.found[rule].places = append(v.found[rule].places, p)
}

// cannot leaves a rule out.
func (v *validator) cannot(rule int, why string) {
	if v.found[rule].on {
		v.found[rule].on = false
		v.skip = append(v.skip, NotChecked{Rule: v.rules[rule].Name, Why: why})
	}
}

// validation ends the checks: what takes the whole log is found now.
func (v *validator) validation() Validation {
	out := Validation{Jobs: v.rows, Processors: v.limits.processors}
	v.endPreceding()
	v.endHeader()
	v.endIDs()
	if v.busy != nil {
		out.Busy = v.busy.end()
	}
	for r := range v.rules {
		if f := &v.found[r]; f.on && f.count > 0 {
			out.Findings = append(out.Findings, Finding{v.rules[r], f.count, f.places, f.note})
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
	out.NotChecked = v.skip
	return out
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
		f := Finding{Rule: Rule{Name: name, Severity: Oddity, Counts: "lines", Words: w.Text}, Count: w.Count}
		if v.o.First > 0 && w.Line > 0 {
			// Of these only the first place is kept.
			f.Places = []Place{{Row: -1, Line: w.Line, Job: workload.Unknown, Saw: w.Saw}}
		}
		fs = append(fs, f)
	}
	return fs
}
