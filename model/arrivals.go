package model

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/dist"
)

func (a *Arrivals) visit(f *form) {
	f.text("method", required, (*string)(&a.Method))
	f.check(func() error {
		if !a.Method.known() {
			return &FieldError{Path: f.at("method"), Saw: shorten(string(a.Method)), Want: wantMethod()}
		}
		return nil
	})
	a.visitGaps(f)
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
	a.visitCycle(f)
	if row(f, "week", optional, a.HasWeek(), a.Week[:], "from Sunday to Saturday") {
		someWeight(f, "week", a.Week[:])
	}
	optionalVariant(f, "bursts", "kind", &a.Bursts, bursts()...)
	f.check(func() error {
		if a.Bursts != nil && a.Method.ByShape() {
			return &FieldError{Path: f.at("bursts"), Saw: fmt.Sprintf("bursts with method %q", a.Method), Want: fmt.Sprintf("method %q or %q", SlotWeights, Stationary)}
		}
		return nil
	})
	optionalPart(f, "bags", &a.Bags, (*Bags).visit)
}

// visitGaps goes over the law of interarrival times.
func (a *Arrivals) visitGaps(f *form) {
	if f.has("interarrival") || a.Seconds != nil {
		f.positive("interarrival", required, &a.Seconds)
		f.above("max_s", &a.MaxSeconds)
		f.check(func() error {
			if a.Method.ByShape() {
				return &FieldError{Path: f.at("method"), Saw: strconv.Quote(string(a.Method)), Want: fmt.Sprintf("%q or %q where the law is of seconds: there is no shape of ln", SlotWeights, Stationary)}
			}
			return cut(f.at("max_s"), a.Seconds, a.MaxSeconds)
		})
		return
	}
	lawOfLn(f, "peak", &a.Peak, &a.MaxLn, MaxLnLimit)
	f.number("arar", &a.ARAR, 0.01, 100)
	f.check(func() error { return enough(f.at("peak.max_ln"), a.MaxLn, a.Law().CDF(a.MaxLn)) })
}

// visitCycle goes over the daily cycle.
func (a *Arrivals) visitCycle(f *form) {
	switch {
	case f.given("day", a.HasDay()):
		row(f, "day", required, true, a.Day[:], "from midnight on")
		someWeight(f, "day", a.Day[:])
		f.given("cycle", false)
	case f.given("cycle", a.Cycle != dist.Gamma{} || a.Method != Stationary) || a.Method != Stationary:
		lawOf(f, "cycle", &a.Cycle)
		f.check(func() error {
			if _, ok := CycleWeights(a.Cycle); !ok {
				return &FieldError{Path: f.at("cycle"), Saw: fmt.Sprintf("a Gamma law of mean %g without mass on any slot", a.Cycle.Mean()),
					Want: fmt.Sprintf("mass on the slot numbers %d to %d", FirstSlot, LastSlot)}
			}
			return nil
		})
	}
	f.check(func() error {
		if a.Method == Stationary && a.HasCycle() {
			return &FieldError{Path: f.at("cycle"), Saw: "a law", Want: fmt.Sprintf("none with method %q", Stationary)}
		}
		if a.Method.ByShape() {
			if _, err := a.Shapes(); err != nil {
				return &FieldError{Path: f.at("method"), Saw: strconv.Quote(string(a.Method)), Err: err}
			}
		}
		return nil
	})
}

// someWeight checks weights, which are not all 0: that stands for none.
func someWeight(f *form, name string, weights []float64) {
	if f.task == read && !slices.ContainsFunc(weights, func(w float64) bool { return w != 0 }) {
		f.reject(name, "nothing but zeros", "weights with mean 1")
	}
	f.check(func() error { return meanOne(f.at(name), weights) })
}
