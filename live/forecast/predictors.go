package forecast

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
)

// NoTime is the reason why a predictor that needs the requested time has no prediction.
const NoTime = "the request has no requested time"

// predict asks one predictor about all sizes.
func (a *asked) predict(name string) error {
	switch name {
	case "simulated":
		return a.simulated(name)
	case "estimates":
		return a.scheduled(name, predict.PredictedLength(predict.Estimates{}), "without an estimate")
	}
	if fromPastWaits(name) {
		return a.byPastWaits(name)
	}
	if a.lifetimes == nil {
		a.missAll(name, fmt.Sprintf("no distribution of run times: %v", a.noLaw))
		return nil
	}
	switch name {
	case "downey-a-exact":
		a.exact(name)
	case "downey-b-queue":
		a.fluid(name)
	case "drawn":
		return a.drawn(name)
	}
	return nil
}

// row adds an answer.
func (a *asked) row(size int64, predictor string, expected float64, bounds []predict.Bound, observations int) {
	p := Prediction{Processors: size, Predictor: predictor, Expected: stats.Number(expected), Bounds: []Bound{}, Observations: observations}
	for _, b := range bounds {
		nan := stats.Number(math.NaN())
		p.Bounds = append(p.Bounds, Bound{
			Quantile: b.Quantile, Seconds: stats.Number(b.Seconds), Achieved: stats.Number(b.Achieved), Group: b.Group,
			Coverage: nan, Loss: nan, SimilarCoverage: nan, SimilarLoss: nan,
		})
		p.Group = b.Group
	}
	a.out.Predictions = append(a.out.Predictions, p)
}

// miss notes that there is no answer for a size.
func (a *asked) miss(predictor string, size int64, why string) {
	i := slices.IndexFunc(a.out.LeftOut, func(m LeftOut) bool { return m.Predictor == predictor && m.Why == why })
	if i < 0 {
		a.out.LeftOut = append(a.out.LeftOut, LeftOut{Predictor: predictor, Why: why})
		i = len(a.out.LeftOut) - 1
	}
	a.out.LeftOut[i].Processors = append(a.out.LeftOut[i].Processors, size)
}

// missAll notes that there is no answer for any size.
func (a *asked) missAll(predictor, why string) {
	for _, n := range a.q.Sizes {
		a.miss(predictor, n, why)
	}
}
