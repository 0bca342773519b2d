package forecast

import (
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
)

// turnarounds finds the size of the least turnaround by each predictor that
// expects a wait.
func (a *asked) turnarounds() {
	if a.q.Run == nil {
		return
	}
	within := func(n int64) float64 {
		run := a.q.Run(n)
		if a.q.Time > 0 && run > a.q.Time {
			return math.NaN() // it would be killed
		}
		return run
	}
	a.warnNotChosen(within)
	for _, p := range a.q.Predictors {
		waits := map[int64]float64{}
		expects := false
		for _, x := range a.out.Predictions {
			if x.Predictor == p {
				waits[x.Processors] = float64(x.Expected)
				expects = expects || !math.IsNaN(float64(x.Expected))
			}
		}
		if !expects {
			continue
		}
		wait := func(n int64) float64 {
			if w, ok := waits[n]; ok {
				return w
			}
			return math.NaN()
		}
		choices, best, err := predict.LeastTurnaround(a.q.Sizes, wait, within)
		if err != nil && !errors.Is(err, predict.ErrNoChoice) {
			a.warn("no-turnaround", "%s: %v", p, err)
			continue
		}
		t := Turnaround{Predictor: p}
		for _, c := range choices {
			t.Sizes = append(t.Sizes, SizeTurnaround{c.Size, stats.Number(c.Wait), stats.Number(c.Run), stats.Number(c.Turnaround)})
		}
		if best >= 0 {
			t.Least = &t.Sizes[best].Processors
		}
		a.out.Turnarounds = append(a.out.Turnarounds, t)
	}
}

// warnNotChosen warns of sizes that cannot be chosen for their run times.
func (a *asked) warnNotChosen(within predict.RunBySize) {
	var late, unknown []int64
	for _, n := range a.q.Sizes {
		switch {
		case math.IsNaN(a.q.Run(n)):
			unknown = append(unknown, n)
		case math.IsNaN(within(n)):
			late = append(late, n)
		}
	}
	switch {
	case len(late) > 0 && len(late)+len(unknown) == len(a.q.Sizes):
		a.warn("all-too-long", "the request runs longer than the %g s that it asks for on every size: none is chosen", a.q.Time)
	case len(late) > 0:
		a.warn("too-long", "on %s processors the request runs longer than the %g s that it asks for: not chosen", sizeList(late), a.q.Time)
	}
	if len(unknown) > 0 {
		a.warn("no-run-time", "the run time on %s processors is not known: not chosen", sizeList(unknown))
	}
}
