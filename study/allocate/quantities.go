package allocate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// possible are the ends of what a quantity can be.
type possible [2]float64

var (
	anyNumber = possible{math.Inf(-1), math.Inf(1)}
	fromZero  = possible{0, math.Inf(1)}
	aShare    = possible{0, 1}
	perCent   = possible{0, 100}
	aChange   = possible{-100, math.Inf(1)} // in per cent, of what is above 0
	aCC       = possible{-1, 1}
	ofOpt     = possible{math.Inf(-1), 100} // alone no job can save more
)

// cut cuts an interval's ends to what can be: Student's knows nothing of it, and
// is wide where there are few seeds.
func (p possible) cut(v Interval) Interval {
	v.Low, v.High = min(v.Mean, max(v.Low, stats.Number(p[0]))), max(v.Mean, min(v.High, stats.Number(p[1])))
	return v
}

// quantity is a number of a strategy, of an outcome.
type quantity struct {
	name string   // in Result
	can  possible // be
	of   func(o *Outcome, r *Row) float64
}

// intervals are the quantities of the i-th strategy over outcomes.
func intervals(all []quantity, outcomes []*Outcome, i int) map[string]Interval {
	by := make(map[string]Interval, len(all))
	for _, q := range all {
		by[q.name] = q.can.cut(Over(outcomes, func(o *Outcome) float64 { return q.of(o, &o.Rows[i]) }))
	}
	return by
}

func sharePct(n, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return 100 * float64(n) / float64(of)
}

// ofBest is what the strategy saves of what opt does.
func ofBest(o *Outcome, r *Row) float64 {
	for i := range o.Rows {
		if s := o.Rows[i].Strategy; s.Foresight == Perfect && s.Name == "opt" {
			return 100 * r.Application.SavedPerJob / o.Rows[i].Application.SavedPerJob
		}
	}
	return math.NaN()
}

// applicationQuantities are those of the paper's table 1 and of section 5.
var applicationQuantities = []quantity{
	{"spoiled_pct", perCent, func(o *Outcome, r *Row) float64 { return sharePct(r.Application.Spoiled, o.Jobs) }},
	{"docile_pct", perCent, func(o *Outcome, r *Row) float64 { return sharePct(r.Application.Docile, o.Jobs) }},
	{"rebels_pct", perCent, func(o *Outcome, r *Row) float64 { return sharePct(r.Application.Rebels, o.Jobs) }},
	{"rebels", fromZero, func(_ *Outcome, r *Row) float64 { return float64(r.Application.Rebels) }},
	{"saved_per_job_s", anyNumber, func(_ *Outcome, r *Row) float64 { return r.Application.SavedPerJob }},
	{"saved_of_opt_pct", ofOpt, ofBest},
	{"saved_per_rebel_s", anyNumber, func(_ *Outcome, r *Row) float64 { return r.Application.SavedPerRebel }},
	{"saved_median_s", anyNumber, func(_ *Outcome, r *Row) float64 { return r.Application.SavedMedian }},
	{"losers_pct", perCent, func(_ *Outcome, r *Row) float64 { return sharePct(r.Application.Losers, r.Application.Rebels) }},
	{"lost_per_loser_s", fromZero, func(_ *Outcome, r *Row) float64 { return r.Application.LostPerLoser }},
	{"predictions", fromZero, func(_ *Outcome, r *Row) float64 { return float64(r.Application.Bias.Predictions) }},
	{"correlation_log", aCC, func(_ *Outcome, r *Row) float64 { return r.Application.Bias.Correlation }},
	{"bias_slope", anyNumber, func(_ *Outcome, r *Row) float64 { return r.Application.Bias.Slope }},
	{"bias_intercept", anyNumber, func(_ *Outcome, r *Row) float64 { return r.Application.Bias.Intercept }},
}

// systemQuantities are those of the paper's table 2 and of section 6.
var systemQuantities = []quantity{
	{"turnaround_mean_s", fromZero, func(_ *Outcome, r *Row) float64 { return r.System.Turnaround }},
	{"turnaround_change_pct", aChange, func(_ *Outcome, r *Row) float64 { return 100 * r.System.TurnaroundChange }},
	{"wait_mean_s", fromZero, func(_ *Outcome, r *Row) float64 { return r.System.Wait }},
	{"utilisation", aShare, func(_ *Outcome, r *Row) float64 { return r.System.Utilisation }},
	{"utilisation_change_pct", aChange, func(_ *Outcome, r *Row) float64 { return 100 * r.System.UtilisationChange }},
	{"utilisation_whole", aShare, func(_ *Outcome, r *Row) float64 { return r.System.UtilisationWhole }},
	{"last_end_s", fromZero, func(_ *Outcome, r *Row) float64 { return r.System.End }},
	{"spoiled_pct", perCent, func(o *Outcome, r *Row) float64 { return sharePct(r.System.Spoiled, o.Jobs) }},
	{"docile_pct", perCent, func(o *Outcome, r *Row) float64 { return sharePct(r.System.Docile, o.Jobs) }},
	{"rebels_pct", perCent, func(o *Outcome, r *Row) float64 { return sharePct(r.System.Rebels, o.Jobs) }},
	{"sooner_pct", perCent, func(_ *Outcome, r *Row) float64 { return 100 * r.System.Sooner }},
	{"later_pct", perCent, func(_ *Outcome, r *Row) float64 { return 100 * r.System.Later }},
	{"predictions", fromZero, func(_ *Outcome, r *Row) float64 { return float64(r.System.Bias.Predictions) }},
	{"correlation_log", aCC, func(_ *Outcome, r *Row) float64 { return r.System.Bias.Correlation }},
	{"bias_slope", anyNumber, func(_ *Outcome, r *Row) float64 { return r.System.Bias.Slope }},
	{"bias_intercept", anyNumber, func(_ *Outcome, r *Row) float64 { return r.System.Bias.Intercept }},
}
