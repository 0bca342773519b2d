// Package study provides intervals over seeds for studies, each of which runs many simulations.
// Begin in the package of the study:
//
//   - study/sweep runs a study that a file describes: simulations for every combination of
//     logs, models, loads, seeds and policies, on one machine or many. Begin with
//     sweep.ReadPlan.
//   - study/allocate repeats Downey's study of how many processors a malleable job should
//     wait for, with predictions of its wait. Begin with allocate.Compute.
//   - study/grid repeats the study by Sonmez and others of brokers that send jobs to the
//     clusters of a grid by predicted run times and waits. Begin with grid.Compute.
//   - study/capacity finds the smallest machine on which the waits of users meet a target,
//     with an interval. Begin with capacity.Compute.
//
// All but study/allocate simulate with package sched; package evaluate has benchmarks of one
// log. Simulations run concurrently with internal/par, and files that describe a study or a
// grid are read by internal/strict.
package study

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Level is the level of confidence intervals.
const Level = 0.95

// Interval is a mean over seeds with its confidence interval by Student's t. Mean is NaN
// without a value; Low, High and Half are NaN with fewer than two values.
type Interval struct {
	Mean  stats.Number `json:"mean" show:"mean" help:"mean* over the seeds"`
	Low   stats.Number `json:"low" show:"low" help:"lower end of the 95 % interval of the mean*"`
	High  stats.Number `json:"high" show:"high" help:"upper end of it"`
	Half  stats.Number `json:"-"` // half the width of the interval before Clip
	Seeds int          `json:"-"` // number of seeds with a value
}

// IntervalOf returns the interval of the values of seeds. It ignores NaN.
func IntervalOf(values []float64) Interval {
	var m stats.Moments
	for _, x := range values {
		if !math.IsNaN(x) {
			m.Add(x)
		}
	}
	nan := stats.Number(math.NaN())
	v := Interval{stats.Number(m.Mean()), nan, nan, nan, m.N()}
	if n := float64(m.N()); n > 1 {
		t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1 + Level) / 2)
		v.Half = stats.Number(t * math.Sqrt(m.Variance()/n))
		v.Low, v.High = v.Mean-v.Half, v.Mean+v.Half
	}
	return v
}

// Clip returns the interval with its ends clipped to the possible range, which an interval by
// Student's t can exceed, in particular with few seeds.
func (v Interval) Clip(can field.Range) Interval {
	v.Low, v.High = min(v.Mean, max(v.Low, stats.Number(can.Least))), max(v.Mean, min(v.High, stats.Number(can.Most)))
	return v
}

// Show formats the mean and half the interval's width, or its ends if one was clipped; "-"
// without a value. verb is a format of fmt, optionally followed by a slash and a divisor for
// another unit: "%.1f/60".
func (v Interval) Show(verb string) string {
	format, unit, _ := strings.Cut(verb, "/")
	divisor, _ := strconv.ParseFloat(cmp.Or(unit, "1"), 64)
	number := func(x stats.Number) string {
		text := fmt.Sprintf(format, float64(x)/divisor)
		if strings.Trim(text, "-0.") == "" { // no minus before a rounded zero
			return strings.TrimPrefix(text, "-")
		}
		return text
	}
	text := number(v.Mean)
	switch low, high := number(v.Low), number(v.High); {
	case math.IsNaN(float64(v.Mean)):
		return "-"
	case math.IsNaN(float64(v.Low)):
		return text
	case low != number(v.Mean-v.Half) || high != number(v.Mean+v.Half):
		return text + " (" + low + " to " + high + ")"
	}
	return text + " ±" + number(v.Half)
}
