package model

import (
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/dist"
)

func (a Arrivals) validate(path string) error {
	if !a.Method.known() {
		return &FieldError{Path: path + ".method", Saw: shorten(string(a.Method)), Want: wantMethod()}
	}
	if err := a.validateGaps(path); err != nil {
		return err
	}
	if err := a.validateWeek(path + ".week"); err != nil {
		return err
	}
	if a.MeanSeconds != 0 {
		if a.Method.ByShape() {
			return &FieldError{Path: path + ".mean_s", Saw: fmt.Sprintf("a mean with method %q", a.Method), Want: fmt.Sprintf("method %q or %q", SlotWeights, Stationary)}
		}
		if err := within(path+".mean_s", a.MeanSeconds, leastGap, MaxSecondsLimit); err != nil {
			return err
		}
	}
	if a.Bursts.Known() {
		if a.Method.ByShape() {
			return &FieldError{Path: path + ".bursts", Saw: fmt.Sprintf("bursts with method %q", a.Method), Want: fmt.Sprintf("method %q or %q", SlotWeights, Stationary)}
		}
		if err := a.Bursts.validate(path + ".bursts"); err != nil {
			return err
		}
	}
	if err := a.Bags.validate(path + ".bags"); err != nil {
		return err
	}
	if a.Method == Stationary {
		if a.HasCycle() {
			return &FieldError{Path: path + ".cycle", Saw: "a law", Want: fmt.Sprintf("none with method %q", Stationary)}
		}
		return nil
	}
	if a.HasDay() {
		if a.Cycle != (dist.Gamma{}) {
			return &FieldError{Path: path + ".day", Saw: "weights beside a cycle", Want: "one of them"}
		}
		if err := a.validateDay(path + ".day"); err != nil {
			return err
		}
	} else {
		if err := law(path+".cycle", a.Cycle); err != nil {
			return err
		}
		if _, ok := a.Weights(); !ok {
			return &FieldError{Path: path + ".cycle", Saw: fmt.Sprintf("a Gamma law of mean %g without mass on any slot", a.Cycle.Mean()),
				Want: fmt.Sprintf("mass on the slot numbers %d to %d", FirstSlot, LastSlot)}
		}
	}
	if a.Method.ByShape() {
		if _, err := a.Shapes(); err != nil {
			return &FieldError{Path: path + ".method", Saw: strconv.Quote(string(a.Method)), Err: err}
		}
	}
	return nil
}

// validateGaps checks the law of interarrival times.
func (a Arrivals) validateGaps(path string) error {
	if a.Seconds != nil {
		if a.Peak != (dist.Gamma{}) || a.MaxLn != 0 || a.ARAR != 0 {
			return &FieldError{Path: path + ".interarrival", Saw: "a law of seconds and one of ln", Want: "one of them"}
		}
		if a.Method.ByShape() {
			return &FieldError{Path: path + ".method", Saw: strconv.Quote(string(a.Method)), Want: fmt.Sprintf("%q or %q where the law is of seconds: there is no shape of ln", SlotWeights, Stationary)}
		}
		return positiveLaw(path, "interarrival", "max_s", a.Seconds, a.MaxSeconds)
	}
	if a.MaxSeconds != 0 {
		return &FieldError{Path: path + ".max_s", Saw: number(a.MaxSeconds), Want: "none without a law of seconds"}
	}
	if err := law(path+".peak", a.Peak); err != nil {
		return err
	}
	if err := within(path+".peak.max_ln", a.MaxLn, math.SmallestNonzeroFloat64, MaxLnLimit); err != nil {
		return err
	}
	if err := within(path+".arar", a.ARAR, 0.01, 100); err != nil {
		return err
	}
	return enough(path+".peak.max_ln", a.MaxLn, a.Law().CDF(a.MaxLn))
}
