package fit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Methods returns the methods by which Fit can fit a family, the default first;
// nil for an unknown family.
func Methods(family string) []string {
	switch {
	case !slices.Contains(Families(), family):
		return nil
	case family == "multi-stage-uniform-log":
		return []string{MethodLeastSquares, MethodMaximumLikelihood}
	case family == "uniform-log" || family == "two-stage-uniform":
		return []string{MethodLeastSquares}
	case family == "gamma" || family == "log-normal" || family == "exponential" || family == "uniform":
		return []string{MethodMaximumLikelihood, MethodMoments}
	}
	return []string{MethodMaximumLikelihood}
}

// method is the method that o asks for, or the family's own.
func (o Options) method(f family) string {
	if known := Methods(f.name); o.Method == "" && known != nil {
		return known[0]
	}
	return o.Method
}

// validateMethod says whether the family can be fitted by the method, and
// whether what else is asked for goes with it.
func (o Options) validateMethod(f family) error {
	if known := Methods(f.name); o.Method != "" && !slices.Contains(known, o.Method) {
		return workload.OptionFault("method", o.Method, "%s, for %s", cmp.Or(strings.Join(known, " or "), "none"), f.name)
	}
	if o.Method == MethodMoments && (o.Rounding != NoRounding || o.Censored || o.Max > 0) {
		return workload.OptionFault("method", o.Method, "no `rounding`, `censored` or `max` with it")
	}
	return nil
}
