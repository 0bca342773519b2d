package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// StretchJobs is the smallest number of jobs, in a stretch of time or a class,
// for which a coverage is reported. One job in 50 is 2 percentage points.
const StretchJobs = 50

// WeakBelow is how far, as a share, the coverage of a stretch of time must be
// below the requested quantile for the stretch to count as weak.
const WeakBelow = 0.10

// ForecastStretch scores the bounds of one predictor over a stretch of time: a
// week or, if it has fewer than StretchJobs jobs with a bound, several weeks in
// a row.
type ForecastStretch struct {
	From, To float64 // s, the first and the last submission
	Jobs     int
	Covered  float64 // share of the waits that do not exceed the bound
}

// ForecastStretches returns the stretches of a predictor's bounds at the
// quantile, in order of time. The last one includes a remainder with fewer
// jobs.
func ForecastStretches(jobs []ForecastJob, said []Forecast, quantile float64) []ForecastStretch {
	var bounded []int
	for i := range jobs {
		if finite(said[i].Bound) {
			bounded = append(bounded, i)
		}
	}
	slices.SortStableFunc(bounded, func(a, b int) int { return cmp.Compare(jobs[a].Submit, jobs[b].Submit) })
	week := func(i int) float64 {
		return math.Floor((jobs[bounded[i]].Submit - jobs[bounded[0]].Submit) / (7 * daySeconds))
	}
	var all []ForecastStretch
	for from, n := 0, len(bounded); n-from >= StretchJobs; {
		to := from + StretchJobs
		for to < n && (week(to) == week(to-1) || n-to < StretchJobs) {
			to++
		}
		var held share
		for _, i := range bounded[from:to] {
			held.add(jobs[i].Actual <= said[i].Bound)
		}
		all = append(all, ForecastStretch{jobs[bounded[from]].Submit, jobs[bounded[to-1]].Submit, to - from, held.of()})
		from = to
	}
	return all
}

// worstWeeks enters the stretches.
func (s *ForecastScore) worstWeeks(all []ForecastStretch, quantile float64) {
	s.WorstWeeks, s.Weeks = stats.Number(math.NaN()), len(all)
	for _, w := range all {
		if w.Covered < quantile-WeakBelow {
			s.WeakWeeks++
		}
		if !(float64(s.WorstWeeks) <= w.Covered) {
			s.WorstWeeks = stats.Number(w.Covered)
		}
	}
}

// worstClass finds the class with the least coverage, of those equal the first by
// name.
func (s *ForecastScore) worstClass(classes map[string]*share) {
	s.WorstClass = stats.Number(math.NaN())
	for name, c := range classes {
		worst := float64(s.WorstClass)
		if c.jobs < StretchJobs || c.of() > worst || c.of() == worst && name > s.WorstClassName {
			continue
		}
		s.WorstClass, s.WorstClassName = stats.Number(c.of()), name
	}
}

// share counts how many of some bounds held.
type share struct{ jobs, held int }

func (s *share) add(held bool) {
	s.jobs++
	if held {
		s.held++
	}
}

func (s *share) of() float64 { return ratio(s.held, s.jobs) }
