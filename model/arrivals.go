package model

import (
	"fmt"
	"strconv"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Arrivals is the law of the times between submissions, in seconds, and of
// the daily cycle. Lublin and Feitelson (2003), section 3.3.
type Arrivals struct {
	Method Method
	Gaps   Gaps
	// MeanSeconds, optional, is the mean interarrival time over whole days, in
	// seconds: all interarrival times of the law are multiplied by one factor
	// to reach it. A law of ln seconds alone does not preserve the rate of
	// arrivals.
	MeanSeconds float64
	Cycle       Cycle // nil where Method is Stationary
	// Week, optional, is the rate of arrivals on Sunday, Monday, ...,
	// Saturday, with mean 1. The paper's arrivals have no weekly cycle.
	Week *[Weekdays]float64
	Bags *Bags // optional
}

// Weekdays are the days of a week, numbered from Sunday as package time does.
const Weekdays = 7

// Law returns the law of ln of the interarrival times before the cycle shapes
// them; the zero value for SecondsGaps.
func (a Arrivals) Law() dist.Gamma {
	gaps, _ := a.Gaps.(LnGaps)
	return gaps.Law()
}

func (a *Arrivals) visit(f *form) {
	f.text("method", required, (*string)(&a.Method))
	f.check(func() error {
		if !a.Method.known() {
			return &FieldError{Path: f.at("method"), Saw: shorten(string(a.Method)), Want: wantMethod()}
		}
		return nil
	})
	keep(f, &a.Gaps, visitGaps(f, a.Gaps, a.Method))
	f.above("mean_s", &a.MeanSeconds)
	f.check(func() error {
		if a.MeanSeconds == 0 {
			return nil
		}
		if a.Method.ByShape() {
			return &FieldError{Path: f.at("mean_s"), Saw: fmt.Sprintf("a mean with method %q", a.Method), Want: fmt.Sprintf("method %q or %q", SlotWeights, Stationary)}
		}
		return within(f.at("mean_s"), a.MeanSeconds, leastGap, MaxSecondsLimit)
	})
	keep(f, &a.Cycle, visitCycle(f, a.Cycle, a.Method))
	f.check(func() error {
		if a.Method.ByShape() {
			if _, err := a.Shapes(); err != nil {
				return &FieldError{Path: f.at("method"), Saw: strconv.Quote(string(a.Method)), Err: err}
			}
		}
		return nil
	})
	if f.given("week", a.Week != nil) {
		if f.task == read {
			a.Week = new([Weekdays]float64)
		}
		row(f, "week", a.Week[:], "from Sunday to Saturday")
		f.check(func() error { return meanOne(f.at("week"), a.Week[:]) })
	}
	optionalPart(f, "bags", &a.Bags, (*Bags).visit)
}
