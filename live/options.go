package live

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/workload"
)

// PlanName names the answers of simulated schedules, as those of standing.Drawn.
const PlanName = standing.Drawn

// Options are the options of a Service. DefaultOptions sets all that are
// required.
type Options struct {
	Predictors []string              `opt:"predictors" usual:"bmbp,qbets,combined" group:"Answers" help:"predictors of bounds"` // names of Bounds
	Quantiles  []float64             // ascending, in (0, 1)
	Confidence float64               `opt:"confidence" in:"(0,1)" required:"true" usual:"0.95" help:"confidence of a bound from past waits"`
	Bounds     []predict.BoundMethod // those that Predictors can name; nil means predict.BoundMethods()

	// Draws is the largest number of simulated schedules; 0 simulates none.
	Draws int
	// Journal stores events and answers; nil stores nothing. The caller closes
	// it after Run.
	Journal *journal.Journal
	// Observe, if not nil, is called by Run after each poll, including failed
	// ones, and when nothing follows.
	Observe func(Status)
}

// DefaultOptions returns options that ask bmbp, qbets and combined for bounds
// of 50, 80 and 95 % of the waits.
func DefaultOptions() Options {
	o := Options{Quantiles: []float64{0.5, 0.8, 0.95}, Draws: predict.DefaultDraws}
	opt.Usual(&o)
	return o
}

// Choices are the values of options that take one of some.
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

// Validate returns a *workload.OptionError for the first option that cannot be used.
func (o *Options) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	if len(o.Predictors) == 0 {
		return workload.OptionFault("predictors", "none", "at least one")
	}
	return checkQuantiles(o.Quantiles)
}

// checkQuantiles returns the fault of a list of quantiles.
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

// names are the predictors of answers: those of Predictors, and the simulated schedules.
func (o *Options) names() []string {
	if o.Draws == 0 {
		return o.Predictors
	}
	return append(slices.Clip(o.Predictors), PlanName)
}

// slots are the bounds of predictors, in their order.
func (o *Options) slots(predictors ...string) (all []slot) {
	for _, name := range predictors {
		for _, q := range o.Quantiles {
			all = append(all, slot{name, q})
		}
	}
	return all
}
