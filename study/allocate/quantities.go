package allocate

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/stats"
)

// ApplicationResult are the quantities of the paper's table 1 and of section 5: numbers of an
// outcome, or their intervals over several. The tag in says what a quantity can be.
type ApplicationResult[N any] struct {
	Spoiled       N `json:"spoiled_pct" show:"spoiled %,%.1f" in:"[0,100]"`
	Docile        N `json:"docile_pct" show:"docile %,%.1f" narrow:"7" in:"[0,100]"`
	RebelsPct     N `json:"rebels_pct" show:"rebels %,%.1f" in:"[0,100]"`
	Rebels        N `json:"rebels" in:"[0,)"`
	SavedPerJob   N `json:"saved_per_job_s" show:"saved/job min,%.2f/60"`
	SavedOfOpt    N `json:"saved_of_opt_pct" show:"of opt %,%.1f" in:"(,100]"` // alone no job can save more
	SavedPerRebel N `json:"saved_per_rebel_s" show:"saved/rebel h,%.2f/3600"`
	SavedMedian   N `json:"saved_median_s" show:"median min,%.1f/60" narrow:"6"`
	Losers        N `json:"losers_pct" show:"losers % of rebels,%.1f" narrow:"5" in:"[0,100]"`
	LostPerLoser  N `json:"lost_per_loser_s" show:"lost/loser min,%.1f/60" narrow:"4" in:"[0,)"`
	Predictions   N `json:"predictions" in:"[0,)"`
	Correlation   N `json:"correlation_log" show:"correlation,%.2f" narrow:"3" in:"[-1,1]"`
	Slope         N `json:"bias_slope" show:"slope,%.2f" narrow:"2"`
	Intercept     N `json:"bias_intercept" show:"intercept,%.2f" narrow:"1"`
}

// SystemResult are those of the paper's table 2 and of section 6.
type SystemResult[N any] struct {
	Turnaround        N `json:"turnaround_mean_s" show:"turnaround s,%.0f" in:"[0,)"`
	TurnaroundChange  N `json:"turnaround_change_pct" show:"to avg %,%.1f" in:"[-100,)"`
	Wait              N `json:"wait_mean_s" show:"wait s,%.0f" in:"[0,)"`
	Utilisation       N `json:"utilisation" show:"utilisation,%.3f" in:"[0,1]"`
	UtilisationChange N `json:"utilisation_change_pct" show:"to avg %,%.1f" narrow:"9" in:"[-100,)"`
	UtilisationWhole  N `json:"utilisation_whole" in:"[0,1]"`
	End               N `json:"last_end_s" in:"[0,)"`
	Spoiled           N `json:"spoiled_pct" show:"spoiled %,%.1f" narrow:"8" in:"[0,100]"`
	Docile            N `json:"docile_pct" show:"docile %,%.1f" narrow:"7" in:"[0,100]"`
	Rebels            N `json:"rebels_pct" show:"rebels %,%.1f" narrow:"10" in:"[0,100]"`
	Sooner            N `json:"sooner_pct" show:"sooner %,%.1f" narrow:"2" in:"[0,100]"`
	Later             N `json:"later_pct" show:"later %,%.1f" narrow:"1" in:"[0,100]"`
	Predictions       N `json:"predictions" in:"[0,)"`
	Correlation       N `json:"correlation_log" in:"[-1,1]"`
	Slope             N `json:"bias_slope"`
	Intercept         N `json:"bias_intercept"`
}

func applicationOf(o *Outcome, r *Row) ApplicationResult[float64] {
	a := &r.Application
	return ApplicationResult[float64]{
		sharePct(a.Spoiled, o.Jobs), sharePct(a.Docile, o.Jobs), sharePct(a.Rebels, o.Jobs), float64(a.Rebels),
		a.SavedPerJob, ofBest(o, r), a.SavedPerRebel, a.SavedMedian, sharePct(a.Losers, a.Rebels), a.LostPerLoser,
		float64(a.Bias.Predictions), a.Bias.Correlation, a.Bias.Slope, a.Bias.Intercept,
	}
}

func systemOf(o *Outcome, r *Row) SystemResult[float64] {
	s := &r.System
	return SystemResult[float64]{
		s.Turnaround, 100 * s.TurnaroundChange, s.Wait, s.Utilisation, 100 * s.UtilisationChange, s.UtilisationWhole, s.End,
		sharePct(s.Spoiled, o.Jobs), sharePct(s.Docile, o.Jobs), sharePct(s.Rebels, o.Jobs), 100 * s.Sooner, 100 * s.Later,
		float64(s.Bias.Predictions), s.Bias.Correlation, s.Bias.Slope, s.Bias.Intercept,
	}
}

// intervals are the quantities of the i-th strategy over outcomes.
func intervals[Numbers, Intervals any](outcomes []*Outcome, i int, of func(*Outcome, *Row) Numbers) (all Intervals) {
	for k, f := range field.Of[Numbers]() {
		v := Over(outcomes, func(o *Outcome) float64 { return reflect.ValueOf(of(o, &o.Rows[i])).Field(k).Float() })
		if can, ok := f.Range(); ok {
			v = v.cut(can)
		}
		reflect.ValueOf(&all).Elem().Field(k).Set(reflect.ValueOf(v))
	}
	return all
}

// cut cuts an interval's ends to what can be: Student's knows nothing of it, and
// is wide where there are few seeds.
func (v Interval) cut(can field.Range) Interval {
	v.Low, v.High = min(v.Mean, max(v.Low, stats.Number(can.Least))), max(v.Mean, min(v.High, stats.Number(can.Most)))
	return v
}

// Show writes the mean and half the interval's width, or its ends where one was cut to what can
// be. The verb is the decimals and, where it is not that of the values, the unit: "%.1f/60".
func (v Interval) Show(verb string) string {
	format, unit, _ := strings.Cut(verb, "/")
	divisor, _ := strconv.ParseFloat(cmp.Or(unit, "1"), 64)
	number := func(x stats.Number) string {
		text := fmt.Sprintf(format, float64(x)/divisor)
		if strings.Trim(text, "-0.") == "" { // no minus before a rounded zero
			return strings.TrimPrefix(text, "-")
		}
		return text
	}
	text := number(v.Mean)
	switch low, high := number(v.Low), number(v.High); {
	case math.IsNaN(float64(v.Mean)):
		return "-"
	case math.IsNaN(float64(v.Low)):
		return text
	case low != number(v.Mean-v.Half) || high != number(v.Mean+v.Half):
		return text + " (" + low + " to " + high + ")"
	}
	return text + " ±" + number(v.Half)
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
