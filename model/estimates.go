package model

import (
	"fmt"
	"math"
)

// Estimates is the law of the run times that the users of a class request. No
// published model has any.
type Estimates interface {
	variant[Estimates]
	// Longest returns the run time, in seconds, to which longer ones are cut;
	// +Inf if they are not.
	Longest() float64
}

// estimates are the known forms, zero.
func estimates() []Estimates {
	return []Estimates{TsafrirEstimates{}, UniformEstimates{}, LogEstimates{}}
}

// LongestRun returns the run time, in seconds, to which the estimates of the
// class cut longer ones; +Inf if they do not.
func (c Class) LongestRun() float64 {
	if c.Estimates == nil {
		return math.Inf(1)
	}
	return c.Estimates.Longest()
}

// UniformEstimates are uniform between the run time and a multiple of it.
// Sonmez and others (2009), section 5.2, with the factor 5.
type UniformEstimates struct {
	Factor float64 // f of estimates uniform on [R, f R], 1 to MaxEstimateFactor
}

// MaxEstimateFactor is the largest UniformEstimates.Factor.
const MaxEstimateFactor = 1e6

// Longest returns +Inf.
func (UniformEstimates) Longest() float64 { return math.Inf(1) }

func (UniformEstimates) kind() string { return "uniform" }

func (e UniformEstimates) visit(f *form) Estimates {
	f.number("factor", &e.Factor, 1, MaxEstimateFactor)
	return e
}

// TsafrirEstimates is the model of Tsafrir, Etsion and Feitelson (2005),
// "Modeling user runtime estimates": few, round times, the largest of them
// the most popular.
type TsafrirEstimates struct {
	// Max is the largest estimate that the machine allows: whole seconds, from
	// MinEstimateMax to MaxEstimateTime. Run times above it are cut to it: a
	// scheduler would kill such jobs there.
	Max float64
	// Distinct, optional, is the number of different estimates; 0 means a
	// number that follows from the number of jobs.
	Distinct int64
	// Given, optional, are estimates whose share of the jobs is known: at most
	// MaxGivenEstimates, of distinct times.
	Given []EstimateShare
}

// EstimateShare is an estimate and its share of the jobs.
type EstimateShare struct {
	Time  float64 // whole seconds, above 0, at most Max
	Share float64 // above 0, at most 1
}

const (
	// MinEstimateMax is the smallest TsafrirEstimates.Max: an hour.
	MinEstimateMax = 3600
	// MaxEstimateTime is the largest estimate, in seconds: 31 years.
	MaxEstimateTime = 1e9
	// MaxEstimateBins is the largest number of distinct estimates. Logs of the
	// Parallel Workloads Archive have 8 to 600, the model of 2005 at most 565.
	MaxEstimateBins = 2048
	// MaxEstimateJobs is the largest number of jobs of a distribution of
	// estimates.
	MaxEstimateJobs = 1e12
	// MaxGivenEstimates is the largest number of given estimates, without Max.
	MaxGivenEstimates = 19
)

// Longest returns Max.
func (e TsafrirEstimates) Longest() float64 { return e.Max }

func (TsafrirEstimates) kind() string { return "tsafrir" }

func (e TsafrirEstimates) visit(f *form) Estimates {
	f.value("max_s", required, &e.Max, false, "a number")
	f.whole("distinct", optional, &e.Distinct)
	objects(f, "given", optional, MaxGivenEstimates+1, &e.Given, func(_ int, g *EstimateShare, f *form) {
		f.value("time_s", required, &g.Time, false, "a number")
		f.value("share", required, &g.Share, false, "a number")
	})
	f.check(func() error { return e.check(f) })
	return e
}

func (e *TsafrirEstimates) check(f *form) error {
	whole := func(x float64) bool { return x == math.Trunc(x) }
	switch {
	case !(e.Max >= MinEstimateMax && e.Max <= MaxEstimateTime) || !whole(e.Max):
		return &FieldError{Path: f.at("max_s"), Saw: number(e.Max), Want: fmt.Sprintf("whole seconds from %d to %g", MinEstimateMax, float64(MaxEstimateTime))}
	case e.Distinct < 0 || e.Distinct > MaxEstimateBins || e.Distinct > 0 && e.Distinct < int64(len(e.Given)):
		return &FieldError{Path: f.at("distinct"), Saw: fmt.Sprint(e.Distinct), Want: fmt.Sprintf("a whole number from that of the given ones to %d, or none", MaxEstimateBins)}
	}
	seen, sum, others := map[float64]bool{}, 0.0, 0
	for i, g := range e.Given {
		at := f.at(fmt.Sprintf("given[%d]", i))
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
		return &FieldError{Path: f.at("given"), Saw: fmt.Sprintf("%d estimates", len(e.Given)), Want: fmt.Sprintf("at most %d, and one more for max_s", MaxGivenEstimates)}
	case sum > 1+1e-9:
		return &FieldError{Path: f.at("given"), Saw: "shares with sum " + number(sum), Want: "a sum of at most 1"}
	}
	return nil
}
