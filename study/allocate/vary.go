package allocate

import (
	"fmt"
	"math"
	"slices"
)

// Parameters returns what Vary can set: the workload's load and laws, the machine's
// size and nights (in hours), the classes of users' information, and the
// strategies' risk aversion and share of the saving.
func Parameters() []string {
	return []string{"load", "procs", "max-parallelism", "max-sigma", "max-sequential", "night", "classes", "risk", "heur-k"}
}

// Vary returns the workload and the study with one of Parameters set. Risk is
// set in strategies with risk aversion, heur-k in those with a heuristic, and
// classes if a strategy predicts. It is an error if the result is not valid, or
// no strategy has the parameter.
func Vary(w Workload, s Study, parameter string, value float64) (Workload, Study, error) {
	whole := func(most float64) (int, error) {
		if value != math.Trunc(value) || !(value >= 1 && value <= most) {
			return 0, fmt.Errorf("%s: saw %g, want a whole number from 1 to %.0f", parameter, value, most)
		}
		return int(value), nil
	}
	s.Strategies = slices.Clone(s.Strategies)
	set := true
	var err error
	switch parameter {
	case "load":
		w.Load = value
	case "procs":
		w.Processors, err = whole(MaxProcessors)
		s.Machine.Processors = w.Processors
	case "max-parallelism":
		w.MaxParallelism = value
	case "max-sigma":
		w.MaxSigma = value
	case "max-sequential":
		w.MaxSequential = value
	case "night":
		s.Machine.Night = value * 3600
	case "classes":
		s.Rules.Classes, err = whole(MaxClasses)
		set = slices.ContainsFunc(s.Strategies, func(x Strategy) bool { return x.predicts() })
	case "risk", "heur-k":
		set = false
		for i := range s.Strategies {
			x := &s.Strategies[i]
			switch {
			case parameter == "risk" && x.RiskAversion > 0:
				x.RiskAversion, set = value, true
			case parameter == "heur-k" && x.Foresight == Tuned:
				x.Heuristic.K, set = value, true
			}
		}
	default:
		return w, s, fmt.Errorf("no parameter %q to vary, want one of %v", parameter, Parameters())
	}
	switch {
	case err != nil:
		return w, s, err
	case !set:
		return w, s, fmt.Errorf("%s varies, but no strategy has it", parameter)
	}
	if err := w.Validate(); err != nil {
		return w, s, err
	}
	return w, s, s.Validate()
}
