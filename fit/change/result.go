package change

import (
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema names the JSON form of Result and its version.
const Schema = "loadstone.fit-compare/1"

// Result is the result of Logs.
type Result struct {
	Schema      string             `json:"schema"`
	Comparisons []Comparison       `json:"comparisons"` // of each attribute
	Warnings    []workload.Warning `json:"warnings,omitempty"`
}

// Comparison is what changed between two series: two logs, or two periods of
// one.
type Comparison struct {
	Attribute  fit.Attribute `json:"attribute"`
	Family     string        `json:"family"`
	A          Side          `json:"a"`
	B          Side          `json:"b"`
	Level      float64       `json:"level"`
	Replicates int           `json:"replicates"`
	Seed       uint64        `json:"seed"`
	// Changes are those of the mean and the median of the values, then of the
	// law's parameters, which are missing if a side could not be fitted.
	Changes  []Change `json:"changes"`
	KS       Test     `json:"ks"`
	Warnings []string `json:"warnings"`
}

// Side is one of the two sides of a Comparison.
type Side struct {
	Label string       `json:"label"`
	Jobs  int64        `json:"jobs"`          // that could be used
	Block stats.Number `json:"block"`         // mean length of blocks, in jobs
	Why   string       `json:"why,omitempty"` // why no law could be fitted

	Kept    int           `json:"-"` // of Jobs, in the series (Series.Stride)
	LeftOut []fit.LeftOut `json:"-"`
	Report  *fit.Report   `json:"-"` // nil if no law could be fitted
	Failed  int           `json:"-"` // replicates that could not be refitted
}

// Test tests whether the two sides have one law, with a p-value that accounts
// for the dependence of neighbouring jobs (stats.KolmogorovSmirnovBlocks).
type Test struct {
	D      stats.Number `json:"d"`
	At     stats.Number `json:"at"` // the smallest value where D is reached
	PValue stats.Number `json:"p_value"`
	Method string       `json:"method"`
	// Asymptotic is the p-value under the assumption of independent jobs. It
	// is far too small for real logs, and is given to show by how much.
	Asymptotic stats.Number `json:"p_value_asymptotic"`
}

// Change is a quantity of both sides, with percentile intervals of the block
// bootstrap. Each interval is for one quantity alone: at level 0.95, about one
// in 20 does not contain the true value.
type Change struct {
	Name       string  `json:"name"`
	A          Bounded `json:"a"`
	B          Bounded `json:"b"`
	Difference Bounded `json:"difference"` // B less A
	Differs    bool    `json:"differs"`    // whether the interval of Difference excludes 0
}

// Bounded is a number with a confidence interval.
type Bounded struct {
	Value stats.Number `json:"value"`
	Low   stats.Number `json:"low"`
	High  stats.Number `json:"high"`
}
