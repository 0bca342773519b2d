package allocate

import (
	"math"
	"reflect"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study"
)

// Application contains the savings of single jobs by a strategy on AVG's schedule: Downey
// (1997), section 5 and table 1. The quantities are numbers for one workload, or intervals over
// several; the tag in gives their range. Undefined quantities are NaN.
//
// A spoiled job gets all the processors that it can use. Of the other jobs, docile ones run at
// once on the free processors and rebels hold out for more. Losers are rebels that end later
// than if they had been docile. SavedPerJob is the mean over all jobs, the paper's measure.
//
// Correlation, slope and intercept relate the logarithms of predicted and actual waits, over all
// decisions (section 5.4). For a job that did not hold out, the wait is that for the number of
// processors for which it came closest to holding out.
type Application[N any] struct {
	Spoiled       N `json:"spoiled_pct" show:"spoiled %,%.1f" in:"[0,100]"`
	Docile        N `json:"docile_pct" show:"docile %,%.1f" narrow:"7" in:"[0,100]"`
	RebelsPct     N `json:"rebels_pct" show:"rebels %,%.1f" in:"[0,100]"`
	Rebels        N `json:"rebels" in:"[0,)"`
	SavedPerJob   N `json:"saved_per_job_s" show:"saved/job min,%.2f/60"`
	SavedOfOpt    N `json:"saved_of_opt_pct" show:"of opt %,%.1f" in:"(,100]"` // at most 100: no job that chooses alone can save more than with opt
	SavedPerRebel N `json:"saved_per_rebel_s" show:"saved/rebel h,%.2f/3600"`
	SavedMedian   N `json:"saved_median_s" show:"median min,%.1f/60" narrow:"6"`
	Losers        N `json:"losers_pct" show:"losers % of rebels,%.1f" narrow:"5" in:"[0,100]"`
	LostPerLoser  N `json:"lost_per_loser_s" show:"lost/loser min,%.1f/60" narrow:"4" in:"[0,)"`
	Predictions   N `json:"predictions" in:"[0,)"`
	Correlation   N `json:"correlation_log" show:"correlation,%.2f" narrow:"3" in:"[-1,1]"`
	Slope         N `json:"bias_slope" show:"slope,%.2f" narrow:"2"`
	Intercept     N `json:"bias_intercept" show:"intercept,%.2f" narrow:"1"`
}

// System contains the scores of a whole schedule: Downey (1997), section 6 and table 2.
// Changes are relative to AVG's schedule of the same jobs.
//
// Utilisation is the average efficiency of the processors, S(n)/n or 0 if idle, over the time
// in which the machine is open: from the beginning of each day to its end or to the start of
// its last job, whichever is later. With Machine.Open, that is the whole schedule.
type System[N any] struct {
	Turnaround        N `json:"turnaround_mean_s" show:"turnaround s,%.0f" in:"[0,)"`
	TurnaroundChange  N `json:"turnaround_change_pct" show:"to avg %,%.1f" in:"[-100,)"`
	Wait              N `json:"wait_mean_s" show:"wait s,%.0f" in:"[0,)"`
	Utilisation       N `json:"utilisation" show:"utilisation,%.3f" in:"[0,1]"`
	UtilisationChange N `json:"utilisation_change_pct" show:"to avg %,%.1f" narrow:"9" in:"[-100,)"`
	Spoiled           N `json:"spoiled_pct" show:"spoiled %,%.1f" narrow:"8" in:"[0,100]"`
	Docile            N `json:"docile_pct" show:"docile %,%.1f" narrow:"7" in:"[0,100]"`
	Rebels            N `json:"rebels_pct" show:"rebels %,%.1f" narrow:"10" in:"[0,100]"`
	Sooner            N `json:"sooner_pct" show:"sooner %,%.1f" narrow:"2" in:"[0,100]"` // share of jobs whose turnaround is at least a second shorter than under AVG; Later: longer
	Later             N `json:"later_pct" show:"later %,%.1f" narrow:"1" in:"[0,100]"`
}

func percent(n, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return 100 * float64(n) / float64(of)
}

// kinds counts the jobs of a schedule by Placement.kind.
func kinds(placed []Placement) map[string]int {
	all := map[string]int{}
	for i := range placed {
		all[placed[i].kind()]++
	}
	return all
}

// application compares the placements of jobs that chose alone with those under AVG.
func application(base, alone []Placement) Application[float64] {
	var saved []float64 // for each rebel
	losers, sum, lost := 0, 0.0, 0.0
	for i := range base {
		if p := &alone[i]; p.rebel() {
			s := p.saved(&base[i])
			saved = append(saved, s)
			sum += s
			if s < 0 {
				losers++
				lost -= s
			}
		}
	}
	nan, n, rebels, count := math.NaN(), len(base), len(saved), kinds(alone)
	a := Application[float64]{
		Spoiled: percent(count["spoiled"], n), Docile: percent(count["docile"], n), RebelsPct: percent(rebels, n), Rebels: float64(rebels),
		SavedPerJob: sum / float64(n), SavedOfOpt: nan, SavedPerRebel: nan, SavedMedian: nan, Losers: percent(losers, rebels), LostPerLoser: nan,
		Correlation: nan, Slope: nan, Intercept: nan,
	}
	if rebels > 0 {
		a.SavedPerRebel = sum / float64(rebels)
		slices.Sort(saved)
		a.SavedMedian = stats.Quantile(saved, 0.5)
	}
	if losers > 0 {
		a.LostPerLoser = lost / float64(losers)
	}
	return a
}

// judge fills in the scores of the predictions.
func judge(a *Application[float64], forecasts []Forecast) {
	var c stats.Correlation
	for i := range forecasts {
		if f := &forecasts[i]; f.Actual > 0 && !math.IsInf(f.Predicted, 0) {
			c.Add(math.Log(f.Predicted), math.Log(f.Actual))
		}
	}
	a.Predictions, a.Correlation, a.Slope, a.Intercept = float64(c.N()), c.R(), c.Slope(), c.Intercept()
}

// compareWithOpt fills in SavedOfOpt, the savings relative to those of opt, if opt is among the
// strategies.
func compareWithOpt(rows []Row) {
	opt := slices.IndexFunc(rows, func(r Row) bool { return r.Strategy.Name == "opt" })
	for i := range rows {
		if opt >= 0 {
			rows[i].application.SavedOfOpt = 100 * rows[i].application.SavedPerJob / rows[opt].application.SavedPerJob
		}
	}
}

func meanTurnaround(placed []Placement) float64 {
	var m stats.Moments
	for i := range placed {
		m.Add(placed[i].turnaround())
	}
	return m.Mean()
}

// system returns the scores of a schedule, compared with base, AVG's schedule of the same jobs.
func (m Machine) system(jobs []Job, placed, base []Placement) System[float64] {
	var wait stats.Moments
	sooner, later := 0, 0
	for i := range placed {
		p := &placed[i]
		wait.Add(p.Start - p.Submit)
		switch saved := p.saved(&base[i]); {
		case saved >= 1:
			sooner++
		case saved <= -1:
			later++
		}
	}
	n, count := len(placed), kinds(placed)
	turnaround, utilisation := meanTurnaround(placed), m.utilisation(jobs, placed)
	return System[float64]{
		Turnaround: turnaround, TurnaroundChange: 100 * (turnaround/meanTurnaround(base) - 1), Wait: wait.Mean(),
		Utilisation: utilisation, UtilisationChange: 100 * (utilisation/m.utilisation(jobs, base) - 1),
		Spoiled: percent(count["spoiled"], n), Docile: percent(count["docile"], n), Rebels: percent(count["rebel"], n),
		Sooner: percent(sooner, n), Later: percent(later, n),
	}
}

// hours is the time in which the machine is open on one day.
type hours struct{ from, to float64 }

// open returns the hours of the machine on the days that have jobs.
func (m Machine) open(jobs []Job, placed []Placement) []hours {
	var all []hours
	for i := range jobs {
		p := &placed[i]
		if i == 0 || jobs[i].Day > jobs[i-1].Day {
			dawn := p.Submit - jobs[i].Offset
			all = append(all, hours{dawn, dawn + m.Day})
		}
		last := &all[len(all)-1]
		last.to = max(last.to, p.Start)
		if m.Open {
			last.to = max(last.to, p.end())
		}
	}
	return all
}

func (m Machine) utilisation(jobs []Job, placed []Placement) float64 {
	days := m.open(jobs, placed)
	span, work := 0.0, 0.0
	for _, d := range days {
		span += d.to - d.from
	}
	first := 0 // day of the job's submission
	for i := range placed {
		p := &placed[i]
		// Work is done at a constant rate: L seconds of it during the run time R.
		rate := jobs[i].Sequential / p.Run
		for first+1 < len(days) && days[first+1].from <= p.Submit {
			first++
		}
		for k := first; k < len(days) && days[k].from < p.end(); k++ {
			if t := min(days[k].to, p.end()) - max(days[k].from, p.Start); t > 0 {
				work += float64(rate * t)
			}
		}
	}
	return work / (float64(m.Processors) * span)
}

// intervals fills in the intervals of the quantities of several workloads, field by field.
func intervals[Intervals, Numbers any](all *Intervals, of []Numbers) {
	for k, f := range field.Of[Numbers]() {
		var values []float64
		for _, numbers := range of {
			values = append(values, reflect.ValueOf(numbers).Field(k).Float())
		}
		v := study.IntervalOf(values)
		if can, ok := f.Range(); ok {
			v = v.Clip(can)
		}
		reflect.ValueOf(all).Elem().Field(k).Set(reflect.ValueOf(v))
	}
}
