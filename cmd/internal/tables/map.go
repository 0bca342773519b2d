package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/score"
)

// mapResult is the map of three or more workloads; CSV has a row for each.
func mapResult(js *score.Compared) present.Result {
	var names []string
	for _, v := range js.Map.Variables {
		names = append(names, v.Name)
	}
	csv := present.Table{Head: append([]string{"name", "kind", "jobs", "x", "y"}, names...)}
	for i, w := range js.Map.Workloads {
		row := []string{w.Name, js.Workloads[i].Kind, fmt.Sprint(js.Workloads[i].Jobs), present.Full(w.X), present.Full(w.Y)}
		for _, v := range w.Values {
			row = append(row, present.Full(v))
		}
		csv.Add(row...)
	}
	return present.Result{JSON: js, CSV: csv, Text: func(w *present.Screen) { printMap(w, js) }}
}

func printMap(w *present.Screen, js *score.Compared) {
	m := js.Map
	// Short heads: the variables are numbered below.
	values := present.Table{Head: []string{"", "kind", "jobs"}}
	variables := present.Table{Head: []string{"variable", "", "arrow x", "y", "correlation"}}
	for j, v := range m.Variables {
		number := fmt.Sprintf("(%d)", j+1)
		values.Head = append(values.Head, number)
		variables.Add(number, v.Name, present.Fixed(v.X, 3), present.Fixed(v.Y, 3), present.Fixed(v.Correlation, 3))
	}
	values.Head = append(values.Head, "x", "y")
	distances := present.Table{Head: []string{"distance"}}
	for i, x := range m.Workloads {
		row := []string{x.Name, js.Workloads[i].Kind, fmt.Sprint(js.Workloads[i].Jobs)}
		for _, v := range x.Values {
			row = append(row, present.Sig(v))
		}
		values.Add(append(row, present.Fixed(x.X, 3), present.Fixed(x.Y, 3))...)
		distances.Head = append(distances.Head, fmt.Sprintf("[%d]", i+1))
		row = []string{fmt.Sprintf("[%d] %s", i+1, x.Name)}
		for _, d := range m.Distances[i] {
			row = append(row, present.Fixed(d, 2))
		}
		distances.Add(row...)
	}
	for _, t := range []present.Table{values, variables, distances} {
		w.Table(t)
		w.Printf("\n")
	}
	verdict := "good"
	switch {
	case len(m.Workloads) <= fewWorkloads:
		verdict = fmt.Sprintf("with %d workloads nearly any order fits on a map", len(m.Workloads))
	case m.Alienation >= goodAlienation:
		verdict = "poor: not below 0.15"
	}
	w.Printf("coefficient of alienation %s (%s)\n", present.Fixed(m.Alienation, 4), verdict)
	var weak []string
	for _, v := range m.Variables {
		if v.Correlation < weakArrow {
			weak = append(weak, v.Name)
		}
	}
	if len(weak) > 0 {
		w.Printf("not shown by the map, with correlations below %g: %s\n", weakArrow, strings.Join(slices.Compact(weak), ", "))
	}
}

const (
	// goodAlienation is what Talby, Feitelson and Raveh (1999) take as good.
	goodAlienation = 0.15
	// fewWorkloads have no more distances than a map has places to choose, or one
	// more: 2n-3 places, without its turn and its scale, for n(n-1)/2 distances.
	fewWorkloads = 4
	// weakArrow is the correlation below which a variable is not shown.
	weakArrow = 0.7
)
