package cli

import (
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// allocateQuantity is a number of a strategy, of an outcome.
type allocateQuantity struct {
	name     string // in JSON and CSV
	head     string // in tables for people; empty leaves it out there
	scale    float64
	decimals int
	of       func(o *allocate.Outcome, r *allocate.Row) float64
}

func sharePct(n, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return 100 * float64(n) / float64(of)
}

// ofBest is what the strategy saves of what opt does.
func ofBest(o *allocate.Outcome, r *allocate.Row) float64 {
	for i := range o.Rows {
		if s := o.Rows[i].Strategy; s.Foresight == allocate.Perfect && s.Name == "opt" {
			return 100 * r.Application.SavedPerJob / o.Rows[i].Application.SavedPerJob
		}
	}
	return math.NaN()
}

// applicationQuantities are those of the paper's table 1 and of section 5.
var applicationQuantities = []allocateQuantity{
	{"spoiled_pct", "spoiled %", 1, 1, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.Application.Spoiled, o.Jobs) }},
	{"docile_pct", "docile %", 1, 1, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.Application.Docile, o.Jobs) }},
	{"rebels_pct", "rebels %", 1, 1, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.Application.Rebels, o.Jobs) }},
	{"rebels", "", 1, 0, func(_ *allocate.Outcome, r *allocate.Row) float64 { return float64(r.Application.Rebels) }},
	{"saved_per_job_s", "saved/job min", 60, 2, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.SavedPerJob }},
	{"saved_of_opt_pct", "of opt %", 1, 1, ofBest},
	{"saved_per_rebel_s", "saved/rebel h", 3600, 2, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.SavedPerRebel }},
	{"saved_median_s", "median min", 60, 1, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.SavedMedian }},
	{"losers_pct", "losers % of rebels", 1, 1, func(_ *allocate.Outcome, r *allocate.Row) float64 {
		return sharePct(r.Application.Losers, r.Application.Rebels)
	}},
	{"lost_per_loser_s", "lost/loser min", 60, 1, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.LostPerLoser }},
	{"predictions", "", 1, 0, func(_ *allocate.Outcome, r *allocate.Row) float64 { return float64(r.Application.Bias.Predictions) }},
	{"correlation_log", "CC", 1, 2, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.Bias.Correlation }},
	{"bias_slope", "slope", 1, 2, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.Bias.Slope }},
	{"bias_intercept", "intercept", 1, 2, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.Bias.Intercept }},
}

// systemQuantities are those of the paper's table 2 and of section 6.
var systemQuantities = []allocateQuantity{
	{"turnaround_mean_s", "turnaround s", 1, 0, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Turnaround }},
	{"turnaround_change_pct", "to avg %", 0.01, 1, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.TurnaroundChange }},
	{"wait_mean_s", "wait s", 1, 0, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Wait }},
	{"utilisation", "utilisation", 1, 3, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Utilisation }},
	{"utilisation_change_pct", "to avg %", 0.01, 1, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.UtilisationChange }},
	{"utilisation_whole", "", 1, 3, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.UtilisationWhole }},
	{"last_end_s", "", 1, 0, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.End }},
	{"spoiled_pct", "spoiled %", 1, 1, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.System.Spoiled, o.Jobs) }},
	{"docile_pct", "docile %", 1, 1, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.System.Docile, o.Jobs) }},
	{"rebels_pct", "rebels %", 1, 1, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.System.Rebels, o.Jobs) }},
	{"sooner_pct", "sooner %", 0.01, 1, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Sooner }},
	{"later_pct", "later %", 0.01, 1, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Later }},
	{"predictions", "", 1, 0, func(_ *allocate.Outcome, r *allocate.Row) float64 { return float64(r.System.Bias.Predictions) }},
	{"correlation_log", "", 1, 2, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Bias.Correlation }},
	{"bias_slope", "", 1, 2, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Bias.Slope }},
	{"bias_intercept", "", 1, 2, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Bias.Intercept }},
}

// over is the interval of a quantity of the i-th strategy; shares and changes
// are in per cent.
func (s allocateSetting) over(q allocateQuantity, i int) allocate.Interval {
	scale := 1.0
	if q.scale < 1 {
		scale = 1 / q.scale
	}
	return allocate.Over(s.outcomes, func(o *allocate.Outcome) float64 { return scale * q.of(o, &o.Rows[i]) })
}

// people writes an interval as its mean and half its width.
func (q allocateQuantity) people(v allocate.Interval) string {
	by := max(1, q.scale)
	text := unsigned(fixed(v.Mean/by, q.decimals))
	if half := fixed((v.High-v.Mean)/by, q.decimals); half != "-" && text != "-" {
		text += " ±" + half
	}
	return text
}

// unsigned is a number without the sign of what is rounded to zero.
func unsigned(text string) string {
	if strings.Trim(text, "-0.") == "" && text != "-" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}
