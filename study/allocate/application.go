package allocate

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Application is what a strategy saves single jobs, on AVG's schedule. Downey (1997),
// section 5 and table 1. Shares are of all jobs unless stated otherwise; a mean of
// nothing is NaN.
type Application struct {
	// A spoiled job gets all the processors that it can use. Of the others, the
	// docile run at once on what is free and the rebels hold out.
	Spoiled, Docile, Rebels int
	// SavedPerJob is the time saved by all rebels over the number of jobs, the
	// paper's measure, in seconds; and over the number of rebels, with the median.
	SavedPerJob, SavedPerRebel, SavedMedian float64
	// Losers are the rebels that end later than docile ones would, and
	// LostPerLoser is by how much, in seconds.
	Losers       int
	LostPerLoser float64

	Bias Bias
}

// Bias is the quality of predictions, in logarithms (section 5.4): the
// correlation of predicted and actual times, and the least-squares line of ln
// actual on ln predicted. It is over all decisions; for a job that did not hold
// out, it uses the number of processors for which the job came closest to
// holding out.
type Bias struct {
	Predictions                   int
	Correlation, Slope, Intercept float64
}

// application compares jobs that chose alone with what AVG did to them.
func application(base, alone []Placement) Application {
	nan := math.NaN()
	a := Application{SavedPerRebel: nan, SavedMedian: nan, LostPerLoser: nan, Bias: Bias{0, nan, nan, nan}}
	var saved []float64
	var sum, lost float64
	for i := range base {
		p := &alone[i]
		switch p.Kind() {
		case "spoiled":
			a.Spoiled++
			continue
		case "docile":
			a.Docile++
			continue
		}
		a.Rebels++
		s := p.Saved(&base[i])
		saved = append(saved, s)
		sum += s
		if s < 0 {
			a.Losers++
			lost -= s
		}
	}
	a.SavedPerJob = sum / float64(len(base))
	if a.Rebels > 0 {
		a.SavedPerRebel = sum / float64(a.Rebels)
		slices.Sort(saved)
		a.SavedMedian = stats.Quantile(saved, 0.5)
	}
	if a.Losers > 0 {
		a.LostPerLoser = lost / float64(a.Losers)
	}
	return a
}

func biasOf(notes []Forecast) Bias {
	var c stats.Correlation
	for i := range notes {
		if f := &notes[i]; f.Actual > 0 && !math.IsInf(f.Predicted, 0) {
			c.Add(math.Log(f.Predicted), math.Log(f.Actual))
		}
	}
	return Bias{c.N(), c.R(), c.Slope(), c.Intercept()}
}
