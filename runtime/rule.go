package runtime

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// rule predicts from one class's history. It keeps nothing itself: what it
// knows of a class is a few numbers in a slab that all rules of all classes
// share (see histories), because a replay of a long log is bound by memory
// accesses.
type rule interface {
	// width is how many numbers it keeps of a class.
	width() int
	// observe enters the next run time. state has width numbers, zero at
	// first; n is how many run times came before.
	observe(state []float64, n int, run float64)
	// predict gives the prediction after n run times, n at least 1.
	predict(state []float64, n int) workload.Prediction
}

// PredictorNames lists the predictors that New knows.
func PredictorNames() []string { return []string{"es", "rm", "sm", "last", "last2"} }

// newRule gives the rule with that name.
func newRule(name string, o Options) (rule, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	switch name {
	case "es":
		return es{alpha: o.Alpha}, nil
	case "rm":
		return rm{}, nil
	case "sm":
		return newSM(o.Window), nil
	case "last":
		return last{}, nil
	case "last2":
		return last2{}, nil
	}
	return nil, fmt.Errorf("job runtime: unknown predictor %q, want one of %s", name, strings.Join(PredictorNames(), ", "))
}
