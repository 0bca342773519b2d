package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// workloadMap is the map of three or more workloads.
type workloadMap struct {
	inputs    []compared
	summaries []score.Workload
	variables []string
	values    [][]float64 // by workload and variable, before any transform
	plot      stats.CoPlot
	options   compareLogsOptions
	leftOut   []notComparedJSON // variables
	apart     string            // see fallenTogether
}

type mapJSON struct {
	Transform   string            `json:"transform"`
	Seed        uint64            `json:"seed"`
	Alienation  stats.Number      `json:"coefficient_of_alienation"`
	Apart       *string           `json:"beside_which_all_fall_together"`
	Variables   []mapVariableJSON `json:"variables"`
	Workloads   []mapWorkloadJSON `json:"workloads"`
	Distances   [][]stats.Number  `json:"distances"`
	NotCompared []notComparedJSON `json:"not_compared"`
}

type mapVariableJSON struct {
	Name        string       `json:"name"`
	Mean        stats.Number `json:"mean"` // after the transform
	StdDev      stats.Number `json:"standard_deviation"`
	X           stats.Number `json:"arrow_x"`
	Y           stats.Number `json:"arrow_y"`
	Correlation stats.Number `json:"correlation"`
}

type mapWorkloadJSON struct {
	Name       string         `json:"name"`
	Values     []stats.Number `json:"values"`     // by variable, before the transform
	Normalised []stats.Number `json:"normalised"` // after it
	X          stats.Number   `json:"x"`
	Y          stats.Number   `json:"y"`
}

// newWorkloadMap makes the map of the variables that are known of all
// workloads, and vary.
func newWorkloadMap(a *app, o compareLogsOptions, all []compared) (*workloadMap, error) {
	m := &workloadMap{inputs: all, options: o, leftOut: []notComparedJSON{}}
	known := make([]map[string]float64, len(all))
	for i, c := range all {
		known[i] = map[string]float64{}
		for _, v := range c.profile.Variables() {
			known[i][v.Name] = v.Value
		}
		m.summaries = append(m.summaries, score.Compare(c.profile, c.profile).A)
	}
	asked := o.variables
	if len(asked) == 0 {
		asked = score.MapVariables()
	}
	m.values = make([][]float64, len(all))
	transformed := make([][]float64, len(all))
	for _, name := range asked {
		why, lowest, highest := "", math.Inf(1), math.Inf(-1)
		var column []float64
		for i, c := range all {
			v := known[i][name]
			if o.transform == lnVariables && !math.IsNaN(v) {
				if v <= 0 && why == "" {
					why = fmt.Sprintf("it is %s in %s and has no logarithm", present.Sig(v), c.name)
				}
				v = math.Log(v)
			}
			if math.IsNaN(v) && why == "" {
				why = "not known of " + c.name
			}
			column = append(column, v)
			lowest, highest = min(lowest, v), max(highest, v)
		}
		if why == "" && highest-lowest <= 1e-9*max(math.Abs(highest), math.Abs(lowest)) {
			why = fmt.Sprintf("it is %s in all", present.Sig(known[0][name]))
		}
		if why != "" {
			m.leftOut = append(m.leftOut, notComparedJSON{name, why})
			a.warn("variable %s is left out: %s", name, why)
			continue
		}
		m.variables = append(m.variables, name)
		for i := range all {
			m.values[i] = append(m.values[i], known[i][name])
			transformed[i] = append(transformed[i], column[i])
		}
	}
	if len(m.variables) == 0 {
		return nil, fmt.Errorf("no variable is left to compare by: %s: %s", m.leftOut[0].What, m.leftOut[0].Why)
	}
	var err error
	if m.plot, err = stats.NewCoPlot(transformed, o.seed); err != nil {
		return nil, err
	}
	if m.apart = m.fallenTogether(); m.apart != "" {
		a.warn("%s is so far from the others that they fall together on the map: leave it out, or use --transform %s", m.apart, lnVariables)
	}
	return m, nil
}

// fallenTogether names the workload beside which all others are one place on
// the map though they differ: the order of distances asks for no more where all
// of its own are the largest. It is "" where there is none.
func (m *workloadMap) fallenTogether() string {
	points, unlike := m.plot.Map.Points, m.plot.Dissimilarities
	for i, p := range points {
		var near, nearUnlike float64
		far, farUnlike := math.Inf(1), math.Inf(1)
		for k, q := range points {
			if k == i {
				continue
			}
			far, farUnlike = min(far, math.Hypot(p.X-q.X, p.Y-q.Y)), min(farUnlike, unlike[i][k])
			for l, r := range points[:k] {
				if l != i {
					near, nearUnlike = max(near, math.Hypot(q.X-r.X, q.Y-r.Y)), max(nearUnlike, unlike[k][l])
				}
			}
		}
		if near < 0.05*far && nearUnlike > 0.1*farUnlike {
			return m.inputs[i].name
		}
	}
	return ""
}

func numbersOf(all []float64) []stats.Number {
	out := make([]stats.Number, len(all))
	for i, x := range all {
		out[i] = stats.Number(x)
	}
	return out
}

func (m *workloadMap) result() result {
	js := comparedJSON{Schema: comparedSchema, Map: &mapJSON{
		Transform: m.options.transform, Seed: m.options.seed, Alienation: stats.Number(m.plot.Map.Alienation), NotCompared: m.leftOut,
	}}
	if m.apart != "" {
		js.Map.Apart = &m.apart
	}
	for i, c := range m.inputs {
		js.Workloads = append(js.Workloads, workloadOfJSON(c, m.summaries[i], m.options.seed))
		p := m.plot.Map.Points[i]
		js.Map.Workloads = append(js.Map.Workloads, mapWorkloadJSON{c.name, numbersOf(m.values[i]), numbersOf(m.plot.Normalised[i]), stats.Number(p.X), stats.Number(p.Y)})
		js.Map.Distances = append(js.Map.Distances, numbersOf(m.plot.Dissimilarities[i]))
	}
	for j, name := range m.variables {
		w := m.plot.Arrows[j]
		js.Map.Variables = append(js.Map.Variables, mapVariableJSON{name, stats.Number(m.plot.Means[j]), stats.Number(m.plot.StdDevs[j]), stats.Number(w.X), stats.Number(w.Y), stats.Number(w.Correlation)})
	}
	csv := present.Table{Head: append([]string{"name", "kind", "jobs", "x", "y"}, m.variables...)}
	for i, w := range js.Map.Workloads {
		row := []string{w.Name, js.Workloads[i].Kind, fmt.Sprint(js.Workloads[i].Jobs), present.Full(w.X), present.Full(w.Y)}
		for _, v := range w.Values {
			row = append(row, present.Full(v))
		}
		csv.Add(row...)
	}
	return result{json: js, csv: csv, text: func(w io.Writer) error { return printMap(w, js) }}
}

func printMap(w io.Writer, js comparedJSON) error {
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
		if err := t.WriteTable(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	verdict := "good"
	switch {
	case m.Apart != nil:
		verdict = "says nothing: all but " + *m.Apart + " fall together"
	case len(m.Workloads) <= fewWorkloads:
		verdict = fmt.Sprintf("of %d workloads nearly any order has a map", len(m.Workloads))
	case m.Alienation >= goodAlienation:
		verdict = "poor: not below 0.15"
	}
	_, err := fmt.Fprintf(w, "coefficient of alienation %s (%s)\n", present.Fixed(m.Alienation, 4), verdict)
	var weak []string
	for _, v := range m.Variables {
		if v.Correlation < weakArrow {
			weak = append(weak, v.Name)
		}
	}
	if len(weak) > 0 && err == nil {
		_, err = fmt.Fprintf(w, "not shown by the map, with correlations below %g: %s\n", weakArrow, strings.Join(slices.Compact(weak), ", "))
	}
	return err
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
