package survey

import (
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ChangesSchema names the JSON form of ChangesResult and its version.
const ChangesSchema = "loadstone.fit-compare/1"

// ChangesResult is what Changes found.
type ChangesResult struct {
	Schema      string             `json:"schema"`
	Comparisons []Comparison       `json:"comparisons"` // of each attribute
	Warnings    []workload.Warning `json:"warnings,omitempty"`
}

// Comparison is one attribute on the two sides: fit.Comparison with all its numbers
// in one list.
type Comparison struct {
	Attribute  fit.Attribute  `json:"attribute"`
	Family     string         `json:"family"`
	A          ComparisonSide `json:"a"`
	B          ComparisonSide `json:"b"`
	Level      float64        `json:"level"`
	Replicates int            `json:"replicates"`
	Seed       uint64         `json:"seed"`
	Changes    []fit.Change   `json:"changes"`
	KS         ComparisonTest `json:"ks"`
	Warnings   []string       `json:"warnings"`
}

// ComparisonSide is one of the two.
type ComparisonSide struct {
	Label string       `json:"label"`
	Jobs  int64        `json:"jobs"`
	Block stats.Number `json:"block"`         // mean length of blocks, in jobs
	Why   string       `json:"why,omitempty"` // why no law could be fitted
}

// ComparisonTest tests whether the two sides have one law.
type ComparisonTest struct {
	D          stats.Number `json:"d"`
	At         stats.Number `json:"at"`
	PValue     stats.Number `json:"p_value"`
	Method     string       `json:"method"`
	Asymptotic stats.Number `json:"p_value_asymptotic"` // if jobs were independent
}

// add adds the comparison of an attribute.
func (r *ChangesResult) add(c fit.Comparison) {
	side := func(s fit.ComparedSide) ComparisonSide {
		return ComparisonSide{s.Label, s.Jobs, stats.Number(s.Block.Mean), s.Why}
	}
	r.Comparisons = append(r.Comparisons, Comparison{
		Attribute: c.Attribute, Family: c.Family, A: side(c.A), B: side(c.B),
		Level: c.Level, Replicates: c.Replicates, Seed: c.Seed,
		Changes: append(append([]fit.Change{}, c.Quantities...), c.Parameters...),
		KS: ComparisonTest{
			D: stats.Number(c.KS.D), At: stats.Number(c.KS.At), PValue: stats.Number(c.KS.PValue), Method: c.KS.Method, Asymptotic: stats.Number(c.Asymptotic),
		},
		Warnings: append([]string{}, c.Warnings...),
	})
	for _, text := range c.Warnings {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "comparison", Text: text, Count: 1, About: string(c.Attribute)})
	}
}
