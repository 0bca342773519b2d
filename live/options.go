package live

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/workload"
)

// PlanName is the name of the predictor that simulates schedules.
const PlanName = standing.Drawn

// Options are the options of a Service. DefaultOptions sets all required ones.
type Options struct {
	Predictors []string              `opt:"predictors" usual:"bmbp,qbets,combined" group:"Answers" help:"predictors of bounds"` // names of Bounds
	Quantiles  []float64             // ascending, in (0, 1)
	Confidence float64               `opt:"confidence" in:"(0,1)" required:"true" usual:"0.95" help:"confidence of a bound from past waits"`
	Bounds     []predict.BoundMethod // methods to choose from; nil means predict.BoundMethods()

	// Draws is the largest number of simulated schedules; 0 means none.
	Draws int
	// Journal stores events and answers; nil means that nothing is stored. The
	// caller closes it after Run.
	Journal *journal.Journal
	// Observe, if not nil, is called by Run after each poll, including failed
	// ones, and at the end.
	Observe func(Status)
}

// DefaultOptions returns options that ask bmbp, qbets and combined for bounds
// of 50, 80 and 95 % of the waits.
func DefaultOptions() Options {
	o := Options{Quantiles: []float64{0.5, 0.8, 0.95}, Draws: predict.DefaultDraws}
	opt.Usual(&o)
	return o
}

// Choices returns the allowed values of an option, or nil if the option is not an enumeration.
func (o *Options) Choices(option string) (names []string) {
	if option != "predictors" {
		return nil
	}
	names = []string{}
	methods := o.Bounds
	if methods == nil {
		methods = predict.BoundMethods()
	}
	for _, m := range methods {
		if !m.Point {
			names = append(names, m.Name)
		}
	}
	return names
}

// Validate returns a *workload.OptionError for the first invalid option.
func (o *Options) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	if len(o.Predictors) == 0 {
		return workload.OptionFault("predictors", "none", "at least one")
	}
	return checkQuantiles(o.Quantiles)
}

// checkQuantiles returns a *workload.OptionError unless all is a non-empty, ascending list of
// numbers in (0, 1).
func checkQuantiles(all []float64) error {
	last := 0.0
	for _, q := range all {
		if !(q > last && q < 1) {
			return workload.OptionFault("quantiles", q, "ascending numbers between 0 and 1")
		}
		last = q
	}
	if last == 0 {
		return workload.OptionFault("quantiles", "none", "at least one")
	}
	return nil
}

// names returns the predictors whose bounds are scored: Predictors, then PlanName if schedules
// are simulated.
func (o *Options) names() []string {
	if o.Draws == 0 {
		return o.Predictors
	}
	return append(slices.Clip(o.Predictors), PlanName)
}

// slots returns a slot for each of the predictors and each quantile, in their order.
func (o *Options) slots(predictors ...string) (all []slot) {
	for _, name := range predictors {
		for _, q := range o.Quantiles {
			all = append(all, slot{name, q})
		}
	}
	return all
}
