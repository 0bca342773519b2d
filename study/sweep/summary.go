package sweep

import (
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

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
	Interval
	Difference *Interval `json:"difference,omitempty" row:"prefix" show:"diff."` // from the first policy on the first machine, on the same jobs; nil of itself
}

// Main says whether people read the measure.
func (g Group) Main() bool { return g.Measure.Main }

// Summary returns the results over the seeds, in the order of the runs.
func (t *Table) Summary() *Summary {
	p := t.plan
	s := &Summary{Schema: SummarySchema, Study: p.Study.Name, Runs: p.Runs(), Level: IntervalLevel, Warnings: t.Warnings}
	for g := range p.Group() {
		parameters := p.at(g).Parameters
		parameters.Seed = workload.Integer(workload.Unknown)
		_, differs := p.reference(g)
		for i, m := range p.measures(g) {
			x := Group{Parameters: parameters, Measure: m, Name: m.Name, Interval: t.over(g, func(k int) float64 { return t.values[k][i] })}
			x.Low, x.High = max(x.Low, stats.Number(m.Range.Least)), min(x.High, stats.Number(m.Range.Most)) // Student's t knows no bounds
			if differs {
				d := t.over(g, func(k int) float64 { return t.difference(k, i) })
				x.Difference = &d
			}
			s.Groups = append(s.Groups, x)
		}
	}
	return s
}

// ListSchema is the name and version of the JSON format of List.
const ListSchema = "loadstone.sweep-runs/1"

// List is the list of a study's runs in order.
type List struct {
	Schema   string     `json:"schema"`
	Study    string     `json:"study"`
	Identity string     `json:"identity"`
	Inputs   []Checksum `json:"inputs"`
	Runs     []Run      `json:"runs"`
}

// List returns the runs of the numbers from and to, and those between them, in order.
func (p *Plan) List(from, to int) *List {
	l := &List{Schema: ListSchema, Study: p.Study.Name, Identity: p.Identity, Inputs: p.Inputs}
	for k := from; k <= to; k++ {
		l.Runs = append(l.Runs, p.at(k-1))
	}
	return l
}
