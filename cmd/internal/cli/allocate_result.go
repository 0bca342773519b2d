package cli

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/workload"
)

func (r *allocateRun) result() result {
	o := &r.o
	js := &allocate.Result{
		Schema: allocate.ResultSchema, Parameter: o.parameter, Machine: r.study.Machine, Heuristics: r.trials, Warnings: r.odd,
		Rules: allocate.RulesNamed{
			Lifetimes: o.lifetimes, Classes: max(1, o.rules.Classes), Predictor: o.rules.Predictor,
			Sizes: o.sizes, AtEnds: o.rules.AtEnds, Correct: o.correction,
		},
	}
	if o.input != "" {
		js.Log = &workload.Summary{Name: o.input, Jobs: r.settings[0].outcomes[0].Jobs}
	} else {
		js.Workload = &allocate.Drawn{Model: "downey1997", Seeds: o.seeds, FirstSeed: o.seed, Workload: o.workload}
	}
	csv := present.Table{Head: []string{"swept_parameter", "swept_value", "strategy", "side", "quantity", "mean", "low", "high"}}
	for _, s := range r.settings {
		one := s.result()
		js.Settings = append(js.Settings, one)
		value := present.Full(s.value)
		for i := range one.Strategies {
			x := &one.Strategies[i]
			for _, side := range []struct {
				name string
				all  []allocateQuantity
				by   map[string]allocate.Interval
			}{{"application", applicationQuantities, x.Application}, {"system", systemQuantities, x.System}} {
				for _, q := range side.all {
					v := side.by[q.name]
					csv.Add(o.parameter, value, x.Name, side.name, q.name, present.Full(v.Mean), present.Full(v.Low), present.Full(v.High))
				}
			}
		}
	}
	return result{json: js, csv: csv, text: r.print}
}

func (s allocateSetting) result() allocate.Setting {
	over := func(q func(*allocate.Outcome) float64) allocate.Interval {
		return fromZero.cut(allocate.Over(s.outcomes, q))
	}
	out := allocate.Setting{
		Jobs: over(func(o *allocate.Outcome) float64 { return float64(o.Jobs) }),
		AVG:  over(func(o *allocate.Outcome) float64 { return o.Base.Turnaround }),
		TMin: over(func(o *allocate.Outcome) float64 { return o.Lifetimes.TMin }),
		TMax: over(func(o *allocate.Outcome) float64 { return o.Lifetimes.TMax }),
	}
	if !math.IsNaN(s.value) {
		v := stats.Number(s.value)
		out.Value = &v
	}
	for i := range s.outcomes[0].Rows {
		row := allocate.StrategyResult{
			Strategy: s.outcomes[0].Rows[i].Strategy, Application: map[string]allocate.Interval{}, System: map[string]allocate.Interval{},
		}
		for _, q := range applicationQuantities {
			row.Application[q.name] = q.within(s.over(q, i))
		}
		for _, q := range systemQuantities {
			row.System[q.name] = q.within(s.over(q, i))
		}
		out.Strategies = append(out.Strategies, row)
	}
	return out
}

// trialRows is how many of a search's points the table for people shows.
const trialRows = 5

// print writes the result for people.
func (r *allocateRun) print(w io.Writer) error {
	if _, err := fmt.Fprintln(w, r.describe()); err != nil {
		return err
	}
	for _, side := range []struct {
		title string
		all   []allocateQuantity
		base  bool // whether avg belongs in it
	}{
		{"What single jobs save on avg's schedule, each as if it alone chose", applicationQuantities, false},
		{"What comes of it if all jobs choose", systemQuantities, true},
	} {
		t := r.sideTable(side.all, side.base)
		if len(t.Rows) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s:\n", side.title); err != nil {
			return err
		}
		if err := t.WriteTable(w); err != nil {
			return err
		}
	}
	if len(r.trials) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(w, "\nheur's parameters, the best %d of %d:\n", min(trialRows, len(r.trials)), len(r.trials)); err != nil {
		return err
	}
	t := present.Table{Head: []string{"sequential s", "parallelism", "fraction", "k", "saved/job min", "losers % of rebels"}}
	for _, x := range r.trials[:min(trialRows, len(r.trials))] {
		h := x.Heuristic
		t.Add(present.Sig(h.LThresh), present.Sig(h.AThresh), present.Sig(h.F), present.Sig(h.K), present.Fixed(x.SavedPerJob/60, 2), present.Fixed(100*x.LoserShare, 1))
	}
	return t.WriteTable(w)
}

// sideTable has a row for each setting and strategy.
func (r *allocateRun) sideTable(all []allocateQuantity, base bool) present.Table {
	head := []string{r.o.parameter, "strategy"}
	for _, q := range all {
		if q.head != "" {
			head = append(head, q.head)
		}
	}
	t := present.Table{Head: head}
	for _, s := range r.settings {
		for i := range s.outcomes[0].Rows {
			x := s.outcomes[0].Rows[i].Strategy
			if !base && x.Foresight == allocate.None && x.MinShare == 0 {
				continue
			}
			row := []string{strconv.FormatFloat(s.value, 'g', -1, 64), x.Name}
			for _, q := range all {
				if q.head != "" {
					row = append(row, q.people(s.over(q, i)))
				}
			}
			t.Add(row...)
		}
	}
	if r.o.parameter == "" {
		t.Head = t.Head[1:]
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][1:]
		}
	}
	for _, rare := range []string{"CC", "slope", "intercept", "of opt %"} {
		t = t.Without(rare, "-")
	}
	return t
}

// describe says what was studied.
func (r *allocateRun) describe() string {
	if r.o.input != "" {
		jobs := r.settings[0].outcomes[0].Jobs
		return fmt.Sprintf("%s, %d %s on %d processors", filepath.Base(r.o.input), jobs, present.Plural(jobs, "job", "jobs"), r.study.Machine.Processors)
	}
	return r.drawnAs(r.o.values, fmt.Sprintf("%d %s from %d", r.o.seeds, present.Plural(r.o.seeds, "seed", "seeds"), r.o.seed))
}

// sampled says whose jobs the pictures show.
func (r *allocateRun) sampled() string {
	if r.o.input != "" {
		return fmt.Sprintf("%s on %d processors", filepath.Base(r.o.input), r.study.Machine.Processors)
	}
	return r.drawnAs(r.o.values[:min(1, len(r.o.values))], fmt.Sprintf("seed %d", r.o.seed))
}

// drawnAs says what was drawn; values are the sweep's.
func (r *allocateRun) drawnAs(values []float64, seeds string) string {
	of := func(parameter, otherwise string) string {
		if r.o.parameter != parameter {
			return otherwise
		}
		return strings.Join(inFull(values), ", ")
	}
	w := &r.o.workload
	text := fmt.Sprintf("downey1997, %d %s at load %s on %s processors, %s", w.Days, present.Plural(w.Days, "day", "days"),
		of("load", inFull([]float64{w.Load})[0]), of("procs", strconv.Itoa(w.Processors)), seeds)
	if p := r.o.parameter; p != "" && p != "load" && p != "procs" {
		text += fmt.Sprintf(", %s %s", p, strings.Join(inFull(values), ", "))
	}
	return text
}

// inFull are numbers with all their digits.
func inFull(values []float64) []string {
	var texts []string
	for _, v := range values {
		texts = append(texts, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return texts
}
