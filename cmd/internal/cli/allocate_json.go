package cli

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/workload"
)

type allocateJSON struct {
	Schema     string                `json:"schema"`
	Log        *workload.Summary     `json:"log"`
	Workload   *allocateWorkloadJSON `json:"workload"`
	Machine    allocateMachineJSON   `json:"machine"`
	Rules      allocateRulesJSON     `json:"rules"`
	Parameter  string                `json:"swept_parameter,omitempty"`
	Settings   []allocateSettingJSON `json:"settings"`
	Heuristics []allocateTrialJSON   `json:"heuristics,omitempty"`
}

type allocateWorkloadJSON struct {
	Model          string       `json:"model"`
	Seeds          int          `json:"seeds"`
	FirstSeed      uint64       `json:"first_seed"`
	Days           int          `json:"days"`
	Load           stats.Number `json:"load"`
	MaxSequential  stats.Number `json:"max_sequential_time_s"`
	MaxParallelism stats.Number `json:"max_average_parallelism"`
	MaxSigma       stats.Number `json:"max_sigma"`
}

type allocateMachineJSON struct {
	Processors int          `json:"processors"`
	Rounding   string       `json:"rounding"`
	Day        stats.Number `json:"day_s"`
	Night      stats.Number `json:"least_night_s"`
	Open       bool         `json:"submissions_fixed"`
}

type allocateRulesJSON struct {
	Lifetimes string `json:"lifetimes"`
	Classes   int    `json:"classes"`
	Predictor string `json:"predictor"`
	Sizes     string `json:"sizes"`
	AtEnds    bool   `json:"reconsider_at_ends"`
	Correct   string `json:"correction"`
}

type allocateSettingJSON struct {
	Value      *stats.Number          `json:"swept_value,omitempty"`
	Jobs       seedsJSON              `json:"jobs"`
	AVG        seedsJSON              `json:"avg_turnaround_mean_s"`
	TMin       seedsJSON              `json:"lifetimes_t_min_s"`
	TMax       seedsJSON              `json:"lifetimes_t_max_s"`
	Strategies []allocateStrategyJSON `json:"strategies"`
}

type allocateStrategyJSON struct {
	Name         string               `json:"strategy"`
	Foresight    string               `json:"foresight"`
	MinShare     stats.Number         `json:"min_share"`
	LockIn       bool                 `json:"lock_in"`
	Risk         stats.Number         `json:"risk_aversion"`
	Internalised bool                 `json:"internalised"`
	Heuristic    *heuristicJSON       `json:"heuristic,omitempty"`
	Application  map[string]seedsJSON `json:"application"`
	System       map[string]seedsJSON `json:"system"`
}

type heuristicJSON struct {
	LThresh stats.Number `json:"sequential_time_s"`
	AThresh stats.Number `json:"average_parallelism"`
	F       stats.Number `json:"fraction"`
	K       stats.Number `json:"k"`
}

type allocateTrialJSON struct {
	heuristicJSON
	Saved  stats.Number `json:"saved_per_job_s"`
	Losers stats.Number `json:"losers_pct"`
}

// seedsJSON is a mean over the seeds; low and high are null of one seed, and
// cut to what is possible.
type seedsJSON struct {
	Mean stats.Number `json:"mean"`
	Low  stats.Number `json:"low"`
	High stats.Number `json:"high"`
}

func seedsOf(v allocate.Interval) seedsJSON {
	return seedsJSON{stats.Number(v.Mean), stats.Number(v.Low), stats.Number(v.High)}
}

func heuristicOf(h allocate.Heuristic) heuristicJSON {
	return heuristicJSON{stats.Number(h.LThresh), stats.Number(h.AThresh), stats.Number(h.F), stats.Number(h.K)}
}

func (s allocateSetting) json() allocateSettingJSON {
	over := func(q func(*allocate.Outcome) float64) seedsJSON {
		return seedsOf(fromZero.cut(allocate.Over(s.outcomes, q)))
	}
	js := allocateSettingJSON{
		Jobs: over(func(o *allocate.Outcome) float64 { return float64(o.Jobs) }),
		AVG:  over(func(o *allocate.Outcome) float64 { return o.Base.Turnaround }),
		TMin: over(func(o *allocate.Outcome) float64 { return o.Lifetimes.TMin }),
		TMax: over(func(o *allocate.Outcome) float64 { return o.Lifetimes.TMax }),
	}
	if !math.IsNaN(s.value) {
		v := stats.Number(s.value)
		js.Value = &v
	}
	for i := range s.outcomes[0].Rows {
		x := s.outcomes[0].Rows[i].Strategy
		row := allocateStrategyJSON{
			Name: x.Name, Foresight: string(x.Foresight), MinShare: stats.Number(x.MinShare), LockIn: x.LockIn, Risk: stats.Number(x.RiskAversion),
			Internalised: x.Internalised, Application: map[string]seedsJSON{}, System: map[string]seedsJSON{},
		}
		if x.Foresight == allocate.Tuned {
			h := heuristicOf(x.Heuristic)
			row.Heuristic = &h
		}
		for _, q := range applicationQuantities {
			row.Application[q.name] = seedsOf(q.within(s.over(q, i)))
		}
		for _, q := range systemQuantities {
			row.System[q.name] = seedsOf(q.within(s.over(q, i)))
		}
		js.Strategies = append(js.Strategies, row)
	}
	return js
}
