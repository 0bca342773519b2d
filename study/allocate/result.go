package allocate

import (
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ResultSchema names the JSON form of Result and its version.
const ResultSchema = "loadstone.allocate/1"

// Result is the result of Compute: what strategies saved and cost, at one or
// several settings.
type Result struct {
	Schema     string             `json:"schema"`
	Log        *workload.Summary  `json:"log"`      // nil if the jobs are drawn
	Workload   *Drawn             `json:"workload"` // nil if they come from a log
	Machine    Machine            `json:"machine"`
	Rules      RulesNamed         `json:"rules"`
	Parameter  string             `json:"swept_parameter,omitempty"`
	Settings   []Setting          `json:"settings"`
	Heuristics []Trial            `json:"heuristics,omitempty"` // of a search, the best first
	Warnings   []workload.Warning `json:"warnings,omitempty"`

	First *Studied `json:"-"` // the first workload, if Options.Keep is set
}

// Studied is one workload and its outcome, with Study.Keep.
type Studied struct {
	Jobs    []Job
	Outcome Outcome
}

// Drawn describes the workloads from which the jobs were drawn.
type Drawn struct {
	Model     string `json:"model"`
	Seeds     int    `json:"seeds"`
	FirstSeed uint64 `json:"first_seed"`
	Workload
}

// RulesNamed are the Rules of a study by their names.
type RulesNamed struct {
	Classes   int    `json:"classes"`
	Predictor string `json:"predictor"`
}

// Setting is the result at one value of the swept parameter.
type Setting struct {
	Value      *stats.Number    `json:"swept_value,omitempty"` // nil without a parameter
	Jobs       Interval         `json:"jobs"`
	AVG        Interval         `json:"avg_turnaround_mean_s"`
	TMin       Interval         `json:"lifetimes_t_min_s"`
	TMax       Interval         `json:"lifetimes_t_max_s"`
	Strategies []StrategyResult `json:"strategies"`
}

// StrategyResult contains the results of a strategy: quantities in the
// application's view and in the system's.
type StrategyResult struct {
	Strategy
	Application ApplicationResult[Interval] `json:"application"`
	System      SystemResult[Interval]      `json:"system"`
}
