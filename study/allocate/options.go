package allocate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options are the options of Compute. DefaultOptions returns the paper's
// values.
type Options struct {
	// Strategies are names of Strategies.
	Strategies []string
	Rules      Rules
	Search     bool // search for the best parameters of heur
	Keep       bool // keep Result.First, for figures

	// If Log is nil, the jobs of Seeds workloads are drawn, with seeds from
	// FirstSeed on.
	Workload  Workload
	Seeds     int
	FirstSeed uint64
	// Parameter is one of Parameters, studied at each of Values; "" for none.
	Parameter string
	Values    []float64

	// Log, if not nil, provides the jobs; it is read to its end and not
	// closed. The size of the machine is then that of the header if OfHeader
	// is true, else Workload.Processors.
	Log      *workload.Log
	OfHeader bool
	Sigma    float64 // of LogOptions; NaN for none
	LogDays  bool    // LogOptions.Days

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
		Workload: PaperWorkload(), Seeds: 20, FirstSeed: 1, Sigma: math.NaN(),
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
	if err := o.ranges(); err != nil {
		return err
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

// ranges checks the values that are numbers or names.
func (o *Options) ranges() error {
	var err error
	check := func(ok bool, option string, saw any, want string) {
		if !ok && err == nil {
			err = &workload.OptionError{Option: option, Saw: fmt.Sprint(saw), Want: want}
		}
	}
	check(o.Workload.Processors <= MaxProcessors, "procs", o.Workload.Processors, fmt.Sprintf("at most %d", MaxProcessors))
	check(o.Seeds >= 1 && o.Seeds <= MaxSeeds, "seeds", o.Seeds, fmt.Sprintf("1 to %d", MaxSeeds))
	check(o.FirstSeed <= math.MaxInt64-MaxSeeds, "seed", o.FirstSeed, fmt.Sprintf("at most %d", int64(math.MaxInt64-MaxSeeds)))
	check(math.IsNaN(o.Sigma) || o.Sigma >= 0 && o.Sigma <= 1e6, "sigma", o.Sigma, "a number from 0 to 1e6")
	names := StrategyNames()
	for _, name := range o.Strategies {
		check(slices.Contains(names, name), "strategies", strconv.Quote(name), "one or more of "+strings.Join(names, ", "))
	}
	return err
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
