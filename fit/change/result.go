package change

import (
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema names the JSON form of Result and its version.
const Schema = "loadstone.fit-compare/1"

// Result is what Logs found.
type Result struct {
	Schema      string             `json:"schema"`
	Comparisons []Comparison       `json:"comparisons"` // of each attribute
	Warnings    []workload.Warning `json:"warnings,omitempty"`
}

// Comparison says what changed between two series: two logs, or two periods
// of one.
type Comparison struct {
	Attribute  fit.Attribute `json:"attribute"`
	Family     string        `json:"family"`
	A          Side          `json:"a"`
	B          Side          `json:"b"`
	Level      float64       `json:"level"`
	Replicates int           `json:"replicates"`
	Seed       uint64        `json:"seed"`
	// Changes are those of the mean and the median of the values themselves, then
	// of the law's parameters, which are missing where a side could not be fitted.
	Changes  []Change `json:"changes"`
	KS       Test     `json:"ks"`
	Warnings []string `json:"warnings"`
}

// Side is one of the two.
type Side struct {
	Label string       `json:"label"`
	Jobs  int64        `json:"jobs"`          // that could be used
	Block stats.Number `json:"block"`         // mean length of blocks, in jobs
	Why   string       `json:"why,omitempty"` // why no law could be fitted

	Kept    int           `json:"-"` // of Jobs, in the series (Series.Stride)
	LeftOut []fit.LeftOut `json:"-"`
	Report  *fit.Report   `json:"-"` // nil where no law could be fitted
	Failed  int           `json:"-"` // replicates that could not be refitted
}

// Test tests whether the two sides have one law, with a p-value that knows that
// neighbours are alike (stats.KolmogorovSmirnovBlocks).
type Test struct {
	D      stats.Number `json:"d"`
	At     stats.Number `json:"at"` // the smallest value where D is reached
	PValue stats.Number `json:"p_value"`
	Method string       `json:"method"`
	// Asymptotic is the p-value that takes jobs as independent: it is far too
	// small for real logs, and here to show by how much.
	Asymptotic stats.Number `json:"p_value_asymptotic"`
}

// Change is a number of both sides, with percentile intervals of the block
// bootstrap. Each interval is for its number alone: of 20 true ones at 0.95
// about one misses.
type Change struct {
	Name       string  `json:"name"`
	A          Bounded `json:"a"`
	B          Bounded `json:"b"`
	Difference Bounded `json:"difference"` // B less A
	Differs    bool    `json:"differs"`    // whether Difference's interval leaves out 0
}

// Bounded is a number with a confidence interval.
type Bounded struct {
	Value stats.Number `json:"value"`
	Low   stats.Number `json:"low"`
	High  stats.Number `json:"high"`
}
