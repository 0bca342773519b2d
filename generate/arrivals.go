package generate

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// arrivals is where the clock of one class begins.
type arrivals struct {
	stream  stream
	law     dist.Gamma // of ln of the interarrival time, in seconds
	maxLn   float64
	stretch float64              // factor of the interarrival times
	weights [model.Slots]float64 // of the half hours from midnight on, mean 1
	whole   bool                 // whole seconds
	drift   bool                 // the rounding stays in the clock
}

func newArrivals(c model.Class, weights [model.Slots]float64, stretch float64, o Options) arrivals {
	return arrivals{
		stream:  newStream(o.Seed, partArrivals, c.Name),
		law:     c.Arrivals.Law(),
		maxLn:   limitLn(c.Arrivals.MaxLn, o),
		stretch: stretch,
		weights: weights,
		whole:   !o.Exact,
		drift:   o.OriginalClock && !o.Exact,
	}
}

// clock gives the submission times of one class. Lublin and Feitelson (2003),
// section 3.3.2, the third method ("slot weights"): a slot takes up as many
// points as its weight, and a point is half an hour of interarrival time;
// progress within a slot is proportional.
type clock struct {
	arrivals
	pcg rand.PCG
	rng *rand.Rand

	slots  float64 // gone by since the log's start, a whole number
	slot   int     // the present one, from midnight
	points float64 // used of the present one

	exact float64 // s, the time that slots and points say
	now   float64 // s, the submission, by the drifting clock
}

func (a arrivals) start() *clock {
	c := &clock{arrivals: a, pcg: a.stream.whole()}
	c.rng = rand.New(&c.pcg)
	return c
}

// next returns the next submission, in seconds from the log's start.
func (c *clock) next() float64 {
	ln := c.law.Rand(c.rng)
	for ln > c.maxLn {
		ln = c.law.Rand(c.rng)
	}
	return c.advance(c.stretch * math.Exp(ln))
}

// advance lets an interarrival time pass, and returns the clock.
func (c *clock) advance(seconds float64) float64 {
	c.points += seconds / model.SlotSeconds
	if c.points > 2*model.Slots {
		// A day is 48 points, whatever the weights: leave out whole days.
		days := math.Floor(c.points/model.Slots) - 1
		c.points -= days * model.Slots
		c.slots += days * model.Slots
	}
	weight := c.weights[c.slot]
	for c.points > weight || weight == 0 {
		c.points -= weight
		c.slots++
		if c.slot++; c.slot == model.Slots {
			c.slot = 0
		}
		weight = c.weights[c.slot]
	}
	before := c.exact
	c.exact = model.SlotSeconds * (c.slots + c.points/weight)
	switch {
	case c.drift:
		c.now = math.Floor(c.now + (c.exact - before))
	case c.whole:
		c.now = math.Floor(c.exact)
	default:
		c.now = c.exact
	}
	return c.now
}
