package score

import (
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CompareSchema names the JSON form of Compared and its version.
const CompareSchema = "loadstone.compare/1"

// Compared is the result of CompareAll: a Comparison of two workloads or a Map
// of three or more.
type Compared struct {
	Schema     string             `json:"schema"`
	Workloads  []Workload         `json:"workloads"`
	Comparison *Comparison        `json:"comparison,omitempty"`
	Map        *WorkloadMap       `json:"map,omitempty"`
	Verdict    *Verdict           `json:"verdict,omitempty"` // the second as a twin of the first
	Warnings   []workload.Warning `json:"warnings,omitempty"`
}

// MapOptions are the options of a WorkloadMap.
type MapOptions struct {
	Variables []string // of VariableNames; empty means MapVariables
	Ln        bool     // the map is of the logarithms of the variables
}

// WorkloadMap is the co-plot of three or more workloads (Talby, Feitelson and
// Raveh 1999): workloads near each other are alike.
type WorkloadMap struct {
	Transform   string           `json:"transform"`                 // none or ln
	Alienation  stats.Number     `json:"coefficient_of_alienation"` // 0 is perfect
	Variables   []MapVariable    `json:"variables"`
	Workloads   []MapWorkload    `json:"workloads"`
	Distances   [][]stats.Number `json:"distances"`    // between two workloads: sum of absolute differences of normalised variables
	NotCompared []NotCompared    `json:"not_compared"` // variables that some workload lacks, or that do not vary
}

// MapVariable is a variable of a map, and its arrow.
type MapVariable struct {
	Name        string       `json:"name"`
	Mean        stats.Number `json:"mean"` // after the transform
	StdDev      stats.Number `json:"standard_deviation"`
	X           stats.Number `json:"arrow_x"`
	Y           stats.Number `json:"arrow_y"`
	Correlation stats.Number `json:"correlation"`
}

// MapWorkload is a workload on a map.
type MapWorkload struct {
	Name       string         `json:"name"`
	Values     []stats.Number `json:"values"`     // by variable, before the transform
	Normalised []stats.Number `json:"normalised"` // after it
	X          stats.Number   `json:"x"`
	Y          stats.Number   `json:"y"`
}

// CompareAll compares two profiles, or makes the map of three or more. A map
// needs at least one variable that is known for all workloads and differs
// between them; it is an error if there is none.
func CompareAll(all []*Profile, o MapOptions) (*Compared, error) {
	out := &Compared{Schema: CompareSchema}
	if len(all) == 2 {
		c := Compare(all[0], all[1])
		out.Comparison, out.Workloads = &c, []Workload{c.A, c.B}
		return out, nil
	}
	for _, p := range all {
		p.order.Finish()
		out.Workloads = append(out.Workloads, p.workload())
	}
	if err := out.mapOf(all, o); err != nil {
		return nil, err
	}
	return out, nil
}

// mapOf makes the map of the variables that are known of all workloads, and
// vary.
func (c *Compared) mapOf(all []*Profile, o MapOptions) error {
	m := &WorkloadMap{Transform: "none", NotCompared: []NotCompared{}}
	if o.Ln {
		m.Transform = "ln"
	}
	c.Map = m
	known := make([]map[string]float64, len(all))
	for i, p := range all {
		known[i] = map[string]float64{}
		for _, v := range p.Variables() {
			known[i][v.Name] = v.Value
		}
		m.Workloads = append(m.Workloads, MapWorkload{Name: c.Workloads[i].Name})
	}
	asked := o.Variables
	if len(asked) == 0 {
		asked = MapVariables()
	}
	transformed := make([][]float64, len(all))
	for _, name := range asked {
		column, why := c.variable(name, known, o.Ln)
		if why != "" {
			m.NotCompared = append(m.NotCompared, NotCompared{name, why})
			c.warn("variable-left-out", "variable "+name+" is left out: "+why)
			continue
		}
		m.Variables = append(m.Variables, MapVariable{Name: name})
		for i := range all {
			m.Workloads[i].Values = append(m.Workloads[i].Values, stats.Number(known[i][name]))
			transformed[i] = append(transformed[i], column[i])
		}
	}
	if len(m.Variables) == 0 {
		return fmt.Errorf("no variable is left to compare by: %s: %s", m.NotCompared[0].What, m.NotCompared[0].Why)
	}
	plot, err := stats.NewCoPlot(transformed)
	if err != nil {
		return err
	}
	m.fill(plot)
	return nil
}

func (c *Compared) warn(rule, text string) {
	c.Warnings = append(c.Warnings, workload.Warning{Rule: rule, Text: text, Count: 1})
}

// variable returns a variable of all workloads after the transform, or why the
// map is without it.
func (c *Compared) variable(name string, known []map[string]float64, ln bool) (column []float64, why string) {
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i, w := range c.Workloads {
		v := known[i][name]
		if ln && !math.IsNaN(v) {
			if v <= 0 && why == "" {
				why = fmt.Sprintf("it is %s in %s and has no logarithm", short(v), w.Name)
			}
			v = math.Log(v)
		}
		if math.IsNaN(v) && why == "" {
			why = "not known of " + w.Name
		}
		column = append(column, v)
		lowest, highest = min(lowest, v), max(highest, v)
	}
	if why == "" && highest-lowest <= 1e-9*max(math.Abs(highest), math.Abs(lowest)) {
		why = fmt.Sprintf("it is %s in all", short(known[0][name]))
	}
	return column, why
}

// fill enters the co-plot.
func (m *WorkloadMap) fill(plot stats.CoPlot) {
	m.Alienation = stats.Number(plot.Map.Alienation)
	for j := range m.Variables {
		v, arrow := &m.Variables[j], plot.Arrows[j]
		v.Mean, v.StdDev = stats.Number(plot.Means[j]), stats.Number(plot.StdDevs[j])
		v.X, v.Y, v.Correlation = stats.Number(arrow.X), stats.Number(arrow.Y), stats.Number(arrow.Correlation)
	}
	for i := range m.Workloads {
		w, point := &m.Workloads[i], plot.Map.Points[i]
		w.Normalised, w.X, w.Y = numbers(plot.Normalised[i]), stats.Number(point.X), stats.Number(point.Y)
		m.Distances = append(m.Distances, numbers(plot.Dissimilarities[i]))
	}
}

func numbers(all []float64) []stats.Number {
	out := make([]stats.Number, len(all))
	for i, x := range all {
		out[i] = stats.Number(x)
	}
	return out
}
