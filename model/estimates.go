package model

import (
	"fmt"
	"math"
)

// Estimates are the run times that the users of a class ask for, beside those
// that their jobs have. They are zero where no run times are asked for, as in
// every published model.
type Estimates struct {
	Kind EstimateKind

	// Max is the largest estimate that the machine allows, with kind Tsafrir:
	// whole seconds, from MinEstimateMax to MaxEstimateTime. Run times above
	// it are cut to it: a scheduler would kill such jobs there.
	Max float64
	// Distinct, optional, with kind Tsafrir, is the number of different
	// estimates; 0 is the model's law of the number of jobs.
	Distinct int64
	// Given, optional, with kind Tsafrir, are estimates whose share of the jobs
	// is known: at most MaxGivenEstimates, of distinct times.
	Given []EstimateShare
	// Factor is f of estimates uniform on [R, f R], with kind UniformEstimates:
	// 1 to MaxEstimateFactor.
	Factor float64
	// Log is how users of a log estimated, with kind FromLog.
	Log LogEstimates
}

// EstimateKind is a model of estimates.
type EstimateKind string

const (
	// TsafrirEstimates is the model of Tsafrir, Etsion and Feitelson (2005),
	// "Modeling user runtime estimates": few, round times, the largest of them
	// the most popular.
	TsafrirEstimates EstimateKind = "tsafrir"
	// UniformEstimates are uniform between the run time and a multiple of it.
	// Sonmez and others (2009), section 5.2, with the factor 5.
	UniformEstimates EstimateKind = "uniform"
	// FromLog has the estimates of a log, each with the run times that its
	// jobs had.
	FromLog EstimateKind = "log"
)

// EstimateShare is an estimate and its share of the jobs.
type EstimateShare struct {
	Time  float64 `json:"time_s"` // whole seconds, above 0, at most Max
	Share float64 `json:"share"`  // above 0, at most 1
}

const (
	// MinEstimateMax is the smallest Estimates.Max: an hour.
	MinEstimateMax = 3600
	// MaxEstimateTime is the largest estimate, in seconds: 31 years.
	MaxEstimateTime = 1e9
	// MaxEstimateFactor is the largest Estimates.Factor.
	MaxEstimateFactor = 1e6
	// MaxEstimateBins is the largest number of distinct estimates. Logs of the
	// Parallel Workloads Archive have 8 to 600, the model of 2005 at most 565.
	MaxEstimateBins = 2048
	// MaxEstimateJobs is the largest number of jobs of a distribution of
	// estimates.
	MaxEstimateJobs = 1e12
	// MaxGivenEstimates is the largest number of given estimates, without Max.
	MaxGivenEstimates = 19
)

// Known says whether there are estimates.
func (e Estimates) Known() bool { return e.Kind != "" }

// Longest is the run time, in seconds, to which longer ones are cut; +Inf
// where they are not. The jobs of a log, too, run longer than they asked for.
func (e Estimates) Longest() float64 {
	if e.Kind == TsafrirEstimates {
		return e.Max
	}
	return math.Inf(1)
}

func (e Estimates) validate(path string, malleable bool) error {
	if e.Known() && malleable {
		return &FieldError{Path: path, Saw: "estimates of malleable jobs", Want: "none"}
	}
	for _, o := range []struct {
		kind  EstimateKind
		field string
		given bool
	}{
		{TsafrirEstimates, "max_s", e.Max != 0},
		{TsafrirEstimates, "distinct", e.Distinct != 0},
		{TsafrirEstimates, "given", e.Given != nil},
		{UniformEstimates, "factor", e.Factor != 0},
		{FromLog, "bins", !e.Log.zero()},
	} {
		if e.Kind != o.kind && o.given {
			return &FieldError{Path: path + "." + o.field, Saw: "given", Want: fmt.Sprintf("none with kind %q", e.Kind)}
		}
	}
	switch e.Kind {
	case "":
		return nil
	case TsafrirEstimates:
		return e.validateTsafrir(path)
	case UniformEstimates:
		return within(path+".factor", e.Factor, 1, MaxEstimateFactor)
	case FromLog:
		return e.Log.validate(path)
	}
	return &FieldError{Path: path + ".kind", Saw: shorten(string(e.Kind)), Want: fmt.Sprintf("%q, %q or %q", TsafrirEstimates, UniformEstimates, FromLog)}
}

func (e Estimates) validateTsafrir(path string) error {
	whole := func(x float64) bool { return x == math.Trunc(x) }
	switch {
	case !(e.Max >= MinEstimateMax && e.Max <= MaxEstimateTime) || !whole(e.Max):
		return &FieldError{Path: path + ".max_s", Saw: number(e.Max), Want: fmt.Sprintf("whole seconds from %d to %g", MinEstimateMax, float64(MaxEstimateTime))}
	case e.Distinct < 0 || e.Distinct > MaxEstimateBins || e.Distinct > 0 && e.Distinct < int64(len(e.Given)):
		return &FieldError{Path: path + ".distinct", Saw: fmt.Sprint(e.Distinct), Want: fmt.Sprintf("a whole number from that of the given ones to %d, or none", MaxEstimateBins)}
	}
	seen, sum, others := map[float64]bool{}, 0.0, 0
	for i, g := range e.Given {
		at := fmt.Sprintf("%s.given[%d]", path, i)
		switch {
		case !(g.Time > 0 && g.Time <= e.Max) || !whole(g.Time):
			return &FieldError{Path: at + ".time_s", Saw: number(g.Time), Want: fmt.Sprintf("whole seconds above 0, at most max_s, %.10g", e.Max)}
		case seen[g.Time]:
			return &FieldError{Path: at + ".time_s", Saw: number(g.Time) + " again", Want: "distinct times"}
		case !(g.Share > 0 && g.Share <= 1):
			return &FieldError{Path: at + ".share", Saw: number(g.Share), Want: "a number above 0, at most 1"}
		}
		seen[g.Time] = true
		if sum += g.Share; g.Time != e.Max {
			others++
		}
	}
	switch {
	case others > MaxGivenEstimates:
		return &FieldError{Path: path + ".given", Saw: fmt.Sprintf("%d estimates", len(e.Given)), Want: fmt.Sprintf("at most %d, and one more for max_s", MaxGivenEstimates)}
	case sum > 1+1e-9:
		return &FieldError{Path: path + ".given", Saw: "shares with sum " + number(sum), Want: "a sum of at most 1"}
	}
	return nil
}
