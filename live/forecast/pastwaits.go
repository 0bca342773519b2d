package forecast

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// byPastWaits bounds the wait from past waits, and records in the samples the bounds that
// their jobs would have had.
func (a *asked) byPastWaits(name string) error {
	predictors, err := a.pastPredictors(name)
	if err != nil {
		return err
	}
	if a.past.waits == 0 {
		a.missAll(name, "the history has no waits")
		return nil
	}
	for w, err := range predict.BoundsSoFar(a.past.soFar, predictors) {
		if err != nil {
			return err
		}
		for k := range predictors {
			for _, s := range a.samples {
				s.Bound(name, k, w.Request.Row, w.Bounds[k].Seconds)
			}
		}
	}
	for i := range a.requests {
		r := &a.requests[i]
		var bounds []predict.Bound
		some := false
		for _, p := range predictors {
			b, ok := p.Predict(*r)
			bounds, some = append(bounds, b), some || ok
		}
		if !some {
			if name == "qbets" && !(r.Time > 0) {
				a.miss(name, r.Size, "it groups past waits by requested time, and "+NoTime)
				continue
			}
			least := stats.MinimumHistory(slices.Min(a.q.Quantiles), a.q.Confidence)
			n, waits := bounds[0].Observations, "waits"
			if n == 1 {
				waits = "wait"
			}
			a.miss(name, r.Size, fmt.Sprintf("%d past %s in group %q: too few for a bound, which needs at least %d", n, waits, bounds[0].Group, least))
			continue
		}
		predict.Ascend(bounds)
		a.row(r.Size, name, math.NaN(), bounds, bounds[0].Observations)
	}
	return nil
}

// sizeRanges are the groups of past waits unless others were asked for.
const sizeRanges = "size:4:16:64"

// fromPastWaits says whether a predictor learns from past waits.
func fromPastWaits(name string) bool {
	return name == "bmbp" || name == "qbets" || name == predict.ConformalBound
}

// pastPredictors makes the predictor of that name for each quantile.
func (a *asked) pastPredictors(name string) ([]predict.BoundPredictor, error) {
	if name == predict.ConformalBound { // one for all, which learns of groups itself
		return predict.NewBounds([]string{name}, a.q.Quantiles, a.q.Confidence, predict.BoundOptions{
			Fallback: func(q, _ float64) (predict.BoundPredictor, error) { return a.pastWaits("bmbp", q) },
		})
	}
	var all []predict.BoundPredictor
	for _, level := range a.q.Quantiles {
		p, err := a.pastWaits(name, level)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// pastWaits makes the predictor of that name for one quantile, of groups that back
// off from the finest to all jobs where there are too few waits.
func (a *asked) pastWaits(name string, level float64) (predict.BoundPredictor, error) {
	var levels []predict.BoundPredictor
	for _, columns := range a.pastGroups(name) {
		o := predict.BoundOptions{}
		var err error
		if o.Groups, err = workload.ClassesOf(columns, pastColumns); err != nil {
			return nil, err
		}
		p, err := predict.NewBound(name, level, a.q.Confidence, o)
		if err != nil {
			return nil, err
		}
		levels = append(levels, p)
	}
	return predict.NewBackoff(levels...), nil
}

// pastGroups returns the columns of the groups, the finest first: those asked for, then
// those without the last column, and so on down to all jobs, for groups that have too few
// waits. Without columns the groups are the site's ranges of processors, or the site for
// QBETS, which finds ranges itself; in a history of one site there are none.
func (a *asked) pastGroups(name string) [][]string {
	columns := a.q.Groups
	if len(columns) == 0 {
		if a.past.sites() {
			columns = append(columns, "site")
		}
		if name == "bmbp" {
			columns = append(columns, sizeRanges)
		}
	}
	return append(coarser(columns), []string{"all"})
}

// coarser returns the columns, and then those without the last, one by one.
func coarser(columns []string) [][]string {
	var all [][]string
	for n := len(columns); n > 0; n-- {
		all = append(all, columns[:n])
	}
	return all
}
