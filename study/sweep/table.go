package sweep

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/study"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Table holds the results of all runs of a study.
type Table struct {
	plan   *Plan
	values [][]float64 // by run and measure; NaN if unknown

	// Warnings contains, for each rule, the number of runs with a warning.
	Warnings []WarningCount
}

// WarningCount is the number of runs with a warning of a rule.
type WarningCount struct {
	Rule string `json:"rule"`
	Text string `json:"text"` // of the first run
	Runs int    `json:"runs"`
	Run  int    `json:"first_run"`
	last int    // last run that was counted
}

// Row is one measure of one run. Difference is Value minus the value of the reference run
// on the same jobs: that of the first policy of the study on its first machine, with the same
// estimates if it uses any. It is NaN for runs of that policy on that machine. Means and
// intervals are over the seeds, and the same in the rows of all seeds.
type Row struct {
	Study string `json:"study" help:"name of the study"`
	Run   int    `json:"run" help:"number of the run"`
	Parameters
	Measure string  `json:"measure" help:"what is measured, with its unit"`
	Value   float64 `json:"value" help:"the measure"`

	Seeds int `json:"seeds" help:"seeds with a value of the same parameters"`
	study.Interval
	Difference float64        `json:"difference" help:"value less that of the first policy on the same jobs"`
	Over       study.Interval `json:"differences" csv:"difference" row:"prefix" help:" difference"`
}

// Tabulate reads the results of all runs. A run without a result is an error.
func (p *Plan) Tabulate(ctx context.Context, s *Store) (*Table, error) {
	t := &Table{plan: p, values: make([][]float64, p.Runs())}
	missing, first := 0, 0
	for k := range t.values {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r, err := s.Load(k + 1)
		switch {
		case err != nil:
			return nil, err
		case r == nil:
			if missing++; missing == 1 {
				first = k + 1
			}
			continue
		}
		for _, v := range r.Measures {
			t.values[k] = append(t.values[k], float64(v.Value))
		}
		for _, w := range r.Warnings {
			t.warn(w, k+1)
		}
	}
	if missing > 0 {
		return nil, fmt.Errorf("%s: %d of %d runs are not done, the first of them run %d", s.Folder, missing, p.Runs(), first)
	}
	return t, nil
}

func (t *Table) warn(w workload.Warning, run int) {
	i := slices.IndexFunc(t.Warnings, func(c WarningCount) bool { return c.Rule == w.Rule })
	if i < 0 {
		i = len(t.Warnings)
		t.Warnings = append(t.Warnings, WarningCount{Rule: w.Rule, Text: w.Text, Run: run})
	}
	if c := &t.Warnings[i]; c.last != run {
		c.Runs, c.last = c.Runs+1, run
	}
}

// reference returns the run on the same jobs with which the k-th run is compared: that of the
// first policy on the first machine with the same feedback and, if there is one, the same
// estimates, else the first estimates. ok is false for runs of that policy on that machine.
func (p *Plan) reference(k int) (run int, ok bool) {
	mine := p.points[k%len(p.points)]
	first := p.points[0]
	if mine.Policy == first.Policy && mine.Processors == first.Processors {
		return 0, false
	}
	best := -1
	for i, x := range p.points {
		if x.Policy == first.Policy && x.Processors == first.Processors && x.Feedback == mine.Feedback && (best < 0 || x.Estimates == mine.Estimates) {
			best = i
		}
	}
	return p.workload(k)*len(p.points) + best, true
}

// difference returns the value of a measure in the k-th run minus that in its reference; NaN
// without a reference.
func (t *Table) difference(k, measure int) float64 {
	if ref, ok := t.plan.reference(k); ok {
		return t.values[k][measure] - t.values[ref][measure]
	}
	return math.NaN()
}

// over returns the intervals of a measure and of its difference over the runs of all seeds with
// the parameters of the g-th run.
func (t *Table) over(g, measure int) (value, difference study.Interval) {
	var values, differences []float64
	for k := g; k < len(t.values); k += t.plan.Group() {
		values, differences = append(values, t.values[k][measure]), append(differences, t.difference(k, measure))
	}
	return study.IntervalOf(values).Clip(measures[measure].Range), study.IntervalOf(differences)
}

// Rows calls save with each row, ordered by run and measure, until save returns an error,
// and returns that error.
func (t *Table) Rows(save func(Row) error) error {
	rows := make([][]Row, t.plan.Group()) // of the first seed; those of other seeds differ in few fields
	for k, values := range t.values {
		run, group := t.plan.at(k), &rows[k%len(rows)]
		if *group == nil {
			for i, m := range measures {
				r := Row{Study: t.plan.Study.Name, Measure: m.Name}
				r.Interval, r.Over = t.over(k, i)
				r.Seeds = r.Interval.Seeds
				*group = append(*group, r)
			}
		}
		for i, r := range *group {
			r.Run, r.Parameters, r.Value, r.Difference = run.Number, run.Parameters, values[i], t.difference(k, i)
			if err := save(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// SummarySchema is the name and version of the JSON format of Summary.
const SummarySchema = "loadstone.sweep-summary/1"

// Summary summarises a study over its seeds.
type Summary struct {
	Schema   string         `json:"schema"`
	Study    string         `json:"study"`
	Runs     int            `json:"runs"`
	Level    float64        `json:"level"` // of the intervals
	Groups   []Group        `json:"groups"`
	Warnings []WarningCount `json:"warnings,omitempty"`
}

// Group summarises a measure over the runs that differ only in their seed.
type Group struct {
	Parameters         // without a seed
	Measure    Measure `json:"-"`
	Name       string  `json:"measure" show:"measure"`
	Seeds      int     `json:"seeds" show:"seeds"` // number of seeds with a value
	study.Interval
	Difference *study.Interval `json:"difference,omitempty" row:"prefix" show:"diff."` // from the first policy on the first machine, on the same jobs; nil for that policy and machine
}

// Main reports whether the measure is shown in tables for people.
func (g Group) Main() bool { return g.Measure.Main }

// Summary returns the results over the seeds, in the order of the runs.
func (t *Table) Summary() *Summary {
	p := t.plan
	s := &Summary{Schema: SummarySchema, Study: p.Study.Name, Runs: p.Runs(), Level: study.Level, Warnings: t.Warnings}
	for g := range p.Group() {
		parameters := p.at(g).Parameters
		parameters.Seed = workload.Integer(workload.Unknown)
		_, differs := p.reference(g)
		for i, m := range measures {
			value, difference := t.over(g, i)
			x := Group{Parameters: parameters, Measure: m, Name: m.Name, Seeds: value.Seeds, Interval: value}
			if differs {
				x.Difference = &difference
			}
			s.Groups = append(s.Groups, x)
		}
	}
	return s
}
