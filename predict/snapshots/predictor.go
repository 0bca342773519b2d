package snapshots

import (
	"math"
	"slices"
)

// Predictor predicts the waits of a snapshot from earlier ones.
type Predictor interface {
	// Name returns the name in options and results.
	Name() string
	// Learn trains on all rows of the earlier snapshots for the next one, at
	// now. It may use the wait of a row only if Row.Known is true at now.
	Learn(past []Row, now float64) error
	// Predict puts the prediction for each row of that snapshot into out. It must not use
	// their waits.
	Predict(rows []Row, out []Prediction)
}

// Prediction is the prediction of a wait, as log10 of seconds.
type Prediction struct {
	Log   float64 // NaN for none
	Bound float64 // upper bound of the wait, NaN for none
}

// known returns the logarithms of the waits that are known at a time.
func known(past []Row, now float64) (logs []float64) {
	for i := range past {
		if r := &past[i]; r.Known(now) {
			logs = append(logs, Log(r.Wait))
		}
	}
	return logs
}

// level sorts logs and returns their mean and their quantile, the smallest that has
// the share at or below it; NaN where there are none.
func level(logs []float64, share float64) Prediction {
	if len(logs) == 0 {
		return Prediction{math.NaN(), math.NaN()}
	}
	slices.Sort(logs)
	at := int(math.Ceil(share*float64(len(logs)))) - 1
	return Prediction{mean(logs), logs[max(at, 0)]}
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, x := range x {
		sum += x
	}
	return sum / float64(len(x))
}
