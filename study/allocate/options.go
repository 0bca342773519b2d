package allocate

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options are the options of Compute. DefaultOptions returns the paper's
// values.
type Options struct {
	// If Log is nil, the jobs of Seeds workloads are drawn, with seeds from
	// FirstSeed on.
	Seeds     int      `opt:"seeds" in:"[1,100000]" required:"true" group:"Workload" common:"true" help:"number of workloads to draw"`
	FirstSeed uint64   `opt:"seed" help:"seed of the first workload"`
	Workload  Workload `without:"procs"`

	// Log, if not nil, provides the jobs; it is read to its end and not
	// closed. The size of the machine is then that of the header if OfHeader
	// is true, else Workload.Processors.
	Log      *workload.Log
	OfHeader bool
	Sigma    *float64 `opt:"sigma" in:"[0,1e6]" common:"true" help:"variance of parallelism that a log's rigid jobs are assumed to have"` // of LogOptions; nil for none
	LogDays  bool     `opt:"log-days" help:"a log's submissions are days of 24 hours, and the next morning follows from the schedule"`    // LogOptions.Days

	// Strategies are names of Strategies.
	Strategies []string `opt:"strategies" group:"Strategies" common:"true" help:"strategies to compare with avg" brief:"strategies to compare with avg, such as opt,bias (default: all)"`
	Rules      Rules
	Search     bool `opt:"search" help:"search heur's four parameters for what single jobs save most by"` // for the best parameters of heur
	Keep       bool // keep Result.First, for figures

	// Parameter is one of Parameters, studied at each of Values; "" for none.
	Parameter string
	Values    []float64

	// Placed, if not nil, is called with each job of each workload under each strategy.
	// An error that it returns ends the study.
	Placed func(PlacedJob) error
	// Simulated, if not nil, is called after each of Simulations, from several
	// goroutines at once, for example to show progress.
	Simulated func()
	// Expected, if not nil, is called before the simulations begin, with the
	// number of jobs and an estimate of the simulations' time in core seconds.
	Expected func(jobs, seconds float64)
}

// DefaultOptions returns the options of the paper: all strategies on 20 workloads.
func DefaultOptions() Options {
	o := Options{
		Workload: PaperWorkload(), Seeds: 20, FirstSeed: 1,
		Rules: Rules{Classes: 1, Predictor: predict.DowneyBenefactors{}.Name()},
	}
	for _, s := range Strategies() {
		o.Strategies = append(o.Strategies, s.Name)
	}
	return o
}

// Validate returns the first fault: a *workload.OptionError of a value out of its
// range, whether or not it is used, or an error of the study's parts.
func (o *Options) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	if o.FirstSeed > math.MaxInt64-MaxSeeds {
		return workload.OptionFault("seed", o.FirstSeed, "at most %d", int64(math.MaxInt64-MaxSeeds))
	}
	if o.Workload.Processors > MaxProcessors {
		return workload.OptionFault("procs", o.Workload.Processors, "at most %d", MaxProcessors)
	}
	if o.Log == nil {
		if err := o.Workload.Validate(); err != nil {
			return err
		}
	}
	study := o.study()
	if err := study.Validate(); err != nil {
		return err
	}
	for _, value := range o.Values {
		if _, _, err := Vary(o.Workload, study, o.Parameter, value); err != nil {
			return err
		}
	}
	return nil
}

// Choices are the values of options that take one of some.
func (o *Options) Choices(option string) []string {
	switch option {
	case "strategies":
		return StrategyNames()
	case "predictor":
		return Predictors()
	}
	return nil
}

// sigma is that of LogOptions.
func (o *Options) sigma() float64 {
	if o.Sigma == nil {
		return math.NaN()
	}
	return *o.Sigma
}

// study is what the options ask for.
func (o *Options) study() Study {
	s := Study{
		Machine:   Machine{Processors: o.Workload.Processors, Day: HalfDay, Night: HalfDay, Open: o.Log != nil && !o.LogDays},
		Rules:     o.Rules,
		Keep:      o.Keep || o.Placed != nil,
		Simulated: o.Simulated,
	}
	for _, x := range Strategies() {
		if slices.Contains(o.Strategies, x.Name) {
			s.Strategies = append(s.Strategies, x)
		}
	}
	return s
}

// values are those of the parameter, NaN alone without one.
func (o *Options) values() []float64 {
	if o.Parameter == "" {
		return []float64{math.NaN()}
	}
	return o.Values
}

// setting is what is studied at a value of the parameter.
func (o *Options) setting(s Study, value float64) (Workload, Study, error) {
	if o.Parameter == "" {
		return o.Workload, s, nil
	}
	return Vary(o.Workload, s, o.Parameter, value)
}

// Simulations returns the number of times that Options.Simulated is called.
func (o *Options) Simulations() int {
	workloads := 1
	if o.Log == nil {
		workloads = len(o.values()) * o.Seeds
	}
	return SimulationsPerStrategy * len(o.study().Strategies) * workloads
}
