package cli

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// possible are the ends of what a quantity can be, as JSON has it.
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

// allocateQuantity is a number of a strategy, of an outcome.
type allocateQuantity struct {
	name     string // in JSON and CSV
	head     string // in tables for people; empty leaves it out there
	scale    float64
	decimals int
	can      possible // be
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
	{"spoiled_pct", "spoiled %", 1, 1, perCent, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.Application.Spoiled, o.Jobs) }},
	{"docile_pct", "docile %", 1, 1, perCent, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.Application.Docile, o.Jobs) }},
	{"rebels_pct", "rebels %", 1, 1, perCent, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.Application.Rebels, o.Jobs) }},
	{"rebels", "", 1, 0, fromZero, func(_ *allocate.Outcome, r *allocate.Row) float64 { return float64(r.Application.Rebels) }},
	{"saved_per_job_s", "saved/job min", 60, 2, anyNumber, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.SavedPerJob }},
	{"saved_of_opt_pct", "of opt %", 1, 1, ofOpt, ofBest},
	{"saved_per_rebel_s", "saved/rebel h", 3600, 2, anyNumber, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.SavedPerRebel }},
	{"saved_median_s", "median min", 60, 1, anyNumber, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.SavedMedian }},
	{"losers_pct", "losers % of rebels", 1, 1, perCent, func(_ *allocate.Outcome, r *allocate.Row) float64 {
		return sharePct(r.Application.Losers, r.Application.Rebels)
	}},
	{"lost_per_loser_s", "lost/loser min", 60, 1, fromZero, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.LostPerLoser }},
	{"predictions", "", 1, 0, fromZero, func(_ *allocate.Outcome, r *allocate.Row) float64 { return float64(r.Application.Bias.Predictions) }},
	{"correlation_log", "CC", 1, 2, aCC, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.Bias.Correlation }},
	{"bias_slope", "slope", 1, 2, anyNumber, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.Bias.Slope }},
	{"bias_intercept", "intercept", 1, 2, anyNumber, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.Application.Bias.Intercept }},
}

// systemQuantities are those of the paper's table 2 and of section 6.
var systemQuantities = []allocateQuantity{
	{"turnaround_mean_s", "turnaround s", 1, 0, fromZero, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Turnaround }},
	{"turnaround_change_pct", "to avg %", 0.01, 1, aChange, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.TurnaroundChange }},
	{"wait_mean_s", "wait s", 1, 0, fromZero, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Wait }},
	{"utilisation", "utilisation", 1, 3, aShare, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Utilisation }},
	{"utilisation_change_pct", "to avg %", 0.01, 1, aChange, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.UtilisationChange }},
	{"utilisation_whole", "", 1, 3, aShare, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.UtilisationWhole }},
	{"last_end_s", "", 1, 0, fromZero, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.End }},
	{"spoiled_pct", "spoiled %", 1, 1, perCent, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.System.Spoiled, o.Jobs) }},
	{"docile_pct", "docile %", 1, 1, perCent, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.System.Docile, o.Jobs) }},
	{"rebels_pct", "rebels %", 1, 1, perCent, func(o *allocate.Outcome, r *allocate.Row) float64 { return sharePct(r.System.Rebels, o.Jobs) }},
	{"sooner_pct", "sooner %", 0.01, 1, perCent, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Sooner }},
	{"later_pct", "later %", 0.01, 1, perCent, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Later }},
	{"predictions", "", 1, 0, fromZero, func(_ *allocate.Outcome, r *allocate.Row) float64 { return float64(r.System.Bias.Predictions) }},
	{"correlation_log", "", 1, 2, aCC, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Bias.Correlation }},
	{"bias_slope", "", 1, 2, anyNumber, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Bias.Slope }},
	{"bias_intercept", "", 1, 2, anyNumber, func(_ *allocate.Outcome, r *allocate.Row) float64 { return r.System.Bias.Intercept }},
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

// within cuts an interval's ends to what can be: Student's knows nothing of it,
// and is wide where there are few seeds.
func (q allocateQuantity) within(v allocate.Interval) allocate.Interval { return q.can.cut(v) }

func (p possible) cut(v allocate.Interval) allocate.Interval {
	v.Low, v.High = min(v.Mean, max(v.Low, stats.Number(p[0]))), max(v.Mean, min(v.High, stats.Number(p[1])))
	return v
}

// people writes an interval as its mean and half its width, or with its ends
// where they were cut.
func (q allocateQuantity) people(v allocate.Interval) string {
	number := func(x stats.Number) string { return present.Fixed(float64(x)/max(1, q.scale), q.decimals) }
	text := number(v.Mean)
	if text == "-" || math.IsNaN(float64(v.Low)) {
		return text
	}
	cut := q.within(v)
	if low, high := number(cut.Low), number(cut.High); low != number(v.Low) || high != number(v.High) {
		return fmt.Sprintf("%s (%s to %s)", text, low, high)
	}
	return text + " ±" + number(v.High-v.Mean)
}
