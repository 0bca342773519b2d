package model

import (
	"fmt"
	"math"
)

// Weekdays are the days of a week, numbered from Sunday as package time does.
const Weekdays = 7

// HasWeek says whether there is a weekly cycle.
func (a Arrivals) HasWeek() bool { return a.Week != [Weekdays]float64{} }

// validateWeek checks the weekly cycle, if there is one.
func (a Arrivals) validateWeek(path string) error {
	if !a.HasWeek() {
		return nil
	}
	sum := 0.0
	for i, w := range a.Week {
		if err := within(fmt.Sprintf("%s[%d]", path, i), w, 0, Weekdays); err != nil {
			return err
		}
		sum += w
	}
	if math.Abs(sum-Weekdays) > 1e-6 {
		return &FieldError{Path: path, Saw: fmt.Sprintf("weights with mean %s", number(sum/Weekdays)), Want: "weights with mean 1"}
	}
	return nil
}
