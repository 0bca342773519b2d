package runtime

import (
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options are the constants of the rules. The zero value gives the defaults,
// which are those of Sonmez and others (2009) for their rules.
type Options struct {
	// Alpha is the weight that es gives the newest run time, in [0, 1]; nil
	// stands for 0.5. At 0 the first run time of a class is the prediction
	// for ever.
	Alpha *float64
	// Window is how many of the last run times sm takes the median of, from 1;
	// 0 stands for 5.
	Window int
	// Neighbours is how many like jobs knn takes the mean of, from 1 to 100;
	// 0 stands for 5.
	Neighbours int
	// Quantile and Confidence say which share of run times the bound of
	// quantile is to cover, and how surely: both above 0 and below 1, with a
	// bound from at most 1000 jobs; 0 stands for 0.95.
	Quantile, Confidence float64
	// Optimise is the score that kernel's point is the best for; "" stands for
	// stats.ByAccuracy.
	Optimise stats.Objective
	// Rules are those among which a predictor's name is looked up, beside kernel; nil
	// stands for Rules().
	Rules []Rule
}

// rules are those of the options.
func (o Options) rules() []Rule {
	if o.Rules == nil {
		return Rules()
	}
	return o.Rules
}

// maxWindow bounds the memory that a class can take.
const maxWindow = 1000

// settings are options with the defaults filled in; they compare.
type settings struct {
	alpha                float64
	window, neighbours   int
	quantile, confidence float64
	optimise             stats.Objective
}

func (o Options) settings() settings {
	s := settings{0.5, o.Window, o.Neighbours, o.Quantile, o.Confidence, o.Optimise}
	if o.Alpha != nil {
		s.alpha = *o.Alpha
	}
	if s.window == 0 {
		s.window = 5
	}
	if s.neighbours == 0 {
		s.neighbours = 5
	}
	if s.quantile == 0 {
		s.quantile = 0.95
	}
	if s.confidence == 0 {
		s.confidence = 0.95
	}
	if s.optimise == "" {
		s.optimise = stats.ByAccuracy
	}
	return s
}

// Filled returns the options with the defaults in place of what is left out.
func (o Options) Filled() Options {
	s := o.settings()
	return Options{&s.alpha, s.window, s.neighbours, s.quantile, s.confidence, s.optimise, o.Rules}
}

// Validate returns a *workload.OptionError for the first option out of its
// range.
func (o Options) Validate() error {
	s := o.settings()
	switch {
	case math.IsNaN(s.alpha) || s.alpha < 0 || s.alpha > 1:
		return workload.OptionFault("alpha", s.alpha, "0 to 1")
	case s.window < 1 || s.window > maxWindow:
		return workload.OptionFault("window", s.window, "1 to %d", maxWindow)
	case s.neighbours < 1 || s.neighbours > knnHistory:
		return workload.OptionFault("neighbours", s.neighbours, "1 to %d", knnHistory)
	case !(s.quantile > 0 && s.quantile < 1):
		return workload.OptionFault("quantile", s.quantile, "a number between 0 and 1")
	case !(s.confidence > 0 && s.confidence < 1):
		return workload.OptionFault("confidence", s.confidence, "a number between 0 and 1")
	}
	if !s.optimise.Valid() {
		return workload.OptionFault("optimise", s.optimise, "one of %s", strings.Join(stats.ObjectiveNames(), ", "))
	}
	names := map[string]bool{KernelName: true}
	for i, r := range o.Rules {
		if r == nil || r.Name() == "" || names[r.Name()] {
			return workload.OptionFault("rules", fmt.Sprintf("number %d is nil, or its name is empty or taken", i+1), "rules, each with a different name")
		}
		names[r.Name()] = true
	}
	_, err := newQuantile(s.quantile, s.confidence)
	return err
}
