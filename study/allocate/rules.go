package allocate

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
)

// Rules are options of predictions, for all strategies of a study that predict.
// The zero value is the paper's.
type Rules struct {
	// Classes is the number of equally likely classes of sequential time into
	// which users sort their jobs; 1 (or 0) is the paper's, without such
	// information. Each class has its own law of lifetimes (section 7.1's
	// future work).
	Classes int
	// Predictor predicts the waits: one of Predictors, or empty for
	// downey-benefactors, the paper's. The others are a hundred times slower.
	Predictor string `opt:"predictor" help:"predictor of waits; all but downey-benefactors take a hundred times as long"`
}

// Predictors returns the names that Rules.Predictor can have.
func Predictors() []string {
	var names []string
	for _, p := range predict.Downey(nil) {
		names = append(names, p.Name())
	}
	return names
}

// MaxClasses is the largest Rules.Classes.
const MaxClasses = 64

// Validate returns an error for the first rule that is unknown.
func (r Rules) Validate() error {
	if r.Predictor != "" && !slices.Contains(Predictors(), r.Predictor) {
		return fmt.Errorf("predictor %q, want one of %v", r.Predictor, Predictors())
	}
	if r.Classes < 0 || r.Classes > MaxClasses {
		return fmt.Errorf("%d classes of sequential times, want 1 to %d", r.Classes, MaxClasses)
	}
	return nil
}

// waits are predictions of one moment.
type waits interface {
	reset(v *view, l *lifetimes)
	// wait predicts the seconds until so many more processors are free.
	wait(needed int) float64
	// alone splits the numbers of processors in two ranges, up to it and beyond
	// it, within each of which wait does not fall; -1 where that is not known.
	alone() int
}

func (r Rules) waits(l *lifetimes) waits {
	if r.Predictor == "" || r.Predictor == (predict.DowneyBenefactors{}).Name() {
		return new(outlook)
	}
	for _, p := range predict.Downey(l) {
		if p.Name() == r.Predictor {
			return &general{predictor: p, requests: l.requests()}
		}
	}
	panic("allocate: no predictor " + r.Predictor)
}
