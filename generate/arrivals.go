package generate

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// arrivals is where the clock of one class begins.
type arrivals struct {
	stream   stream
	gaps     gaps
	stretch  float64      // factor of the interarrival times
	calendar calendar     // of a day, or of a week where there is a weekly cycle
	weights  []float64    // of the calendar's half hours, mean 1
	shapes   []dist.Gamma // of ln of the interarrival time, by its first half hour; nil with slot weights
	whole    bool         // whole seconds
	drift    bool         // the rounding stays in the clock
	bags     *model.Bags
	bagging  stream
}

// newArrivals prepares the arrivals of a class whose model is valid.
func newArrivals(c model.Class, stretch float64, o Options) (arrivals, error) {
	a := arrivals{
		stream:  newStream(o.Seed, partArrivals, c.Name),
		gaps:    newGaps(c.Arrivals, o),
		stretch: stretch * c.Arrivals.Pace() * c.Arrivals.Bags.Mean(),
		whole:   !o.Exact,
		drift:   o.OriginalClock && !o.Exact,
		bags:    c.Arrivals.Bags,
		bagging: newStream(o.Seed, partBags, c.Name),
	}
	// The weights exist: Validate has seen to it.
	day, _ := c.Arrivals.Weights()
	a.weights = weekly(day, c.Arrivals)
	a.calendar = calendar{o.Start, len(a.weights)}
	if !c.Arrivals.Method.ByShape() {
		return a, nil
	}
	shapes, err := c.Arrivals.Shapes()
	if err != nil {
		return a, err
	}
	law := c.Arrivals.Law()
	for i := range a.weights {
		// A day's weight shifts ln of the interarrival time as the first
		// method shifts it for a half hour's.
		g := dist.Gamma{Shape: shapes[i%model.Slots], Scale: law.Scale}
		if w := c.Arrivals.Week; w != nil {
			g.Shape -= math.Log(w[i/model.Slots]) / law.Scale
		}
		if !(g.Shape > 0) || math.IsInf(g.Shape, 1) || g.CDF(a.gaps.maxLn) < 0.001 {
			return a, optionError("method", string(c.Arrivals.Method)+", but with the weekly cycle of class "+c.Name+" the shape of some day is 0 or less",
				string(model.SlotWeights)+", or a model without a weekly cycle")
		}
		a.shapes = append(a.shapes, g)
	}
	return a, nil
}

// weekly returns the weights of a day's half hours, or of a week's from
// Sunday on where there is a weekly cycle.
func weekly(day [model.Slots]float64, a model.Arrivals) []float64 {
	if a.Week == nil {
		return slices.Clone(day[:])
	}
	var week []float64
	for _, w := range a.Week {
		for _, slot := range day {
			week = append(week, slot*w)
		}
	}
	return week
}

// clock gives the submission times of one class. Lublin and Feitelson (2003),
// section 7.3, by the third method ("slot weights") unless there are shapes: a
// slot takes up as many points as its weight, and a point is half an hour of
// interarrival time; progress within a slot is proportional.
type clock struct {
	arrivals
	pcg rand.PCG
	rng *rand.Rand

	slots  float64 // gone by since the log's start, a whole number
	slot   int     // the present one's place in the cycle
	points float64 // used of the present one
	turns  float64 // slots at which local time jumps

	exact float64 // s, the time that slots and points say
	now   float64 // s, the submission, by the drifting clock

	group int64 // of the last submission: the number of its bag, from 0
	left  int64 // tasks still to be submitted now
}

func (a arrivals) start() *clock {
	c := &clock{arrivals: a, pcg: a.stream.whole(), group: -1}
	c.rng = rand.New(&c.pcg)
	c.turn()
	return c
}

// next returns the next submission, in seconds from the log's start.
func (c *clock) next() float64 {
	if c.left > 0 {
		c.left--
		return c.now
	}
	c.group++
	if c.bags != nil {
		var pcg rand.PCG
		c.bagging.seed(&pcg, c.group)
		c.left = c.bags.Tasks(c.bags.Size.Rand(rand.New(&pcg))) - 1
	}
	if c.shapes != nil {
		return c.pass(c.stretch * math.Exp(lnGap(c.shapes[c.slot], c.gaps.maxLn, c.rng)))
	}
	return c.advance(c.stretch * c.gaps.draw(c.rng))
}

// turn finds the place in the cycle anew.
func (c *clock) turn() { c.slot, c.turns = c.calendar.at(c.slots) }

// pass lets an interarrival time pass that is as long as it says.
func (c *clock) pass(seconds float64) float64 {
	before := c.exact
	c.exact += seconds
	slots := math.Floor(c.exact / model.SlotSeconds)
	if slots < c.turns {
		c.slot = int(math.Mod(float64(c.slot)+slots-c.slots, float64(len(c.weights))))
		c.slots = slots
	} else {
		c.slots = slots
		c.turn()
	}
	return c.submit(before)
}

// advance lets an interarrival time pass, and returns the clock.
func (c *clock) advance(seconds float64) float64 {
	c.points += seconds / model.SlotSeconds
	c.skip()
	weight := c.weights[c.slot]
	for c.points > weight || weight == 0 {
		c.points -= weight
		c.slots++
		if c.slot++; c.slot == len(c.weights) {
			c.slot = 0
		}
		if c.slots >= c.turns {
			c.turn()
			c.skip()
		}
		weight = c.weights[c.slot]
	}
	before := c.exact
	c.exact = model.SlotSeconds * (c.slots + c.points/weight)
	return c.submit(before)
}

// skip leaves out whole days, or weeks, before local time jumps: they are as
// many points as half hours, whatever the weights.
func (c *clock) skip() {
	cycle := float64(len(c.weights))
	if c.points <= 2*cycle {
		return
	}
	times := min(math.Floor(c.points/cycle)-1, math.Floor((c.turns-1-c.slots)/cycle))
	if times > 0 {
		c.points -= times * cycle
		c.slots += times * cycle
	}
}

// submit turns the exact time into that of a submission.
func (c *clock) submit(before float64) float64 {
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
