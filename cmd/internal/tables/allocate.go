package tables

import (
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/study/allocate"
)

func Allocation(r *allocate.Result) present.Result {
	csv := present.Table{Head: []string{"swept_parameter", "swept_value", "strategy", "side", "quantity", "mean", "low", "high"}}
	for _, s := range r.Settings {
		value := ""
		if s.Value != nil {
			value = present.Full(*s.Value)
		}
		for i := range s.Strategies {
			x := &s.Strategies[i]
			for _, side := range allocateSides {
				by := side.of(x)
				for _, c := range side.columns {
					v := by[c.name]
					csv.Add(r.Parameter, value, x.Name, side.name, c.name, present.Full(v.Mean), present.Full(v.Low), present.Full(v.High))
				}
			}
		}
	}
	return present.Result{JSON: r, CSV: csv, Text: func(w *present.Screen) { printAllocation(w, r) }}
}

// allocateSide is one of the two views of the study.
type allocateSide struct {
	name, title string
	columns     []allocateColumn
	base        bool // whether avg belongs in it
	of          func(*allocate.StrategyResult) map[string]allocate.Interval
}

var allocateSides = []allocateSide{
	{"application", "What single jobs save on avg's schedule, each as if it alone chose", applicationColumns, false,
		func(s *allocate.StrategyResult) map[string]allocate.Interval { return s.Application }},
	{"system", "The schedules if all jobs choose", systemColumns, true,
		func(s *allocate.StrategyResult) map[string]allocate.Interval { return s.System }},
}

// trialRows is how many of a search's points the table for people shows.
const trialRows = 5

// printAllocation writes the result for people.
func printAllocation(w *present.Screen, r *allocate.Result) {
	w.Printf("%s\n", present.Allocation(r))
	for _, side := range allocateSides {
		t := side.table(r)
		if len(t.Rows) == 0 {
			continue
		}
		w.Printf("\n%s:\n", side.title)
		w.Table(t)
	}
	if len(r.Heuristics) == 0 {
		return
	}
	w.Printf("\nheur's parameters, the best %d of %d:\n", min(trialRows, len(r.Heuristics)), len(r.Heuristics))
	t := present.Table{Head: []string{"sequential s", "parallelism", "fraction", "k", "saved/job min", "losers % of rebels"}}
	for _, x := range r.Heuristics[:min(trialRows, len(r.Heuristics))] {
		h := x.Heuristic
		t.Add(present.Sig(h.LThresh), present.Sig(h.AThresh), present.Sig(h.F), present.Sig(h.K), present.Fixed(x.SavedPerJob/60, 2), present.Fixed(100*x.LoserShare, 1))
	}
	w.Table(t)
}

// table has a row for each setting and strategy.
func (side allocateSide) table(r *allocate.Result) present.Table {
	head := []string{r.Parameter, "strategy"}
	for _, c := range side.columns {
		if c.head != "" {
			head = append(head, c.head)
		}
	}
	t := present.Table{Head: head}
	for _, s := range r.Settings {
		for i := range s.Strategies {
			x := &s.Strategies[i]
			if !side.base && x.Foresight == allocate.None && x.MinShare == 0 {
				continue
			}
			row := []string{"", x.Name}
			if s.Value != nil {
				row[0] = strconv.FormatFloat(float64(*s.Value), 'g', -1, 64)
			}
			for _, c := range side.columns {
				if c.head != "" {
					row = append(row, c.people(side.of(x)[c.name]))
				}
			}
			t.Add(row...)
		}
	}
	if r.Parameter == "" {
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
