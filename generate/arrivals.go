package generate

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/model"
)

// arrivals holds the law and the cycle of the arrivals of one class, from which clocks start.
type arrivals struct {
	model   model.Arrivals
	stream  stream
	law     dist.Law   // law of the interarrival time, before the cycles shape it
	cut     float64    // value at which law is cut; 0 for no cut
	stretch float64    // factor of the interarrival times
	weights []float64  // weights of the half hours of a day, or of a week if there is a weekly cycle, with mean 1
	first   int        // index in weights of the half hour in which the log begins
	shapes  []dist.Law // laws by the half hour in which an interarrival time begins; nil unless the method is by shape
	whole   bool       // whether submissions are whole seconds
}

// newArrivals prepares the arrivals of a class whose model is valid.
func newArrivals(c model.Class, stretch float64, o Options) arrivals {
	a := arrivals{
		model:   c.Arrivals,
		stream:  newStream(o.Seed, partArrivals, c.Name),
		stretch: stretch * c.Arrivals.Pace(),
		whole:   !o.Exact,
	}
	a.law, a.cut = c.Arrivals.Times()
	// Validate has checked that the weights and the shapes exist.
	day, _ := c.Arrivals.Weights()
	week := c.Arrivals.Week
	a.weights = slices.Clone(day[:])
	if week != nil {
		a.weights = nil
		for _, w := range week {
			for _, slot := range day {
				a.weights = append(a.weights, slot*w)
			}
		}
	}
	weekday := time.Monday
	if !o.Start.IsZero() {
		weekday = o.Start.Weekday()
	}
	a.first = int(weekday) * model.Slots % len(a.weights)
	if c.Arrivals.Method.ByShape() {
		shapes, _ := c.Arrivals.Shapes()
		for _, shape := range shapes {
			a.shapes = append(a.shapes, dist.Ln{Inner: dist.Gamma{Shape: shape, Scale: c.Arrivals.Peak.Scale}, MaxLn: c.Arrivals.Peak.MaxLn})
		}
	}
	return a
}

// clock computes the submission times of one class. Unless there are shapes, it uses the third
// method ("slot weights") of Lublin and Feitelson (2003), section 7.3: a slot has as many points
// as its weight, a point is half an hour of interarrival time, and time within a slot is
// proportional to the points used.
type clock struct {
	arrivals
	pcg rand.PCG
	rng *rand.Rand

	slots  float64 // number of slots completed since the log's start, a whole number
	slot   int     // index of the current slot in the cycle
	points float64 // points used of the current slot

	exact float64 // s, the time according to slots and points
	now   float64 // s, the last submission
}

func (a arrivals) start() *clock {
	c := &clock{arrivals: a, pcg: a.stream.whole(), slot: a.first}
	c.rng = rand.New(&c.pcg)
	return c
}

// next returns the next submission, in seconds from the log's start.
func (c *clock) next() float64 {
	law := c.law
	if c.shapes != nil {
		law = c.shapes[c.slot]
	}
	gap := model.DrawBelow(law, c.cut, c.rng)
	if c.shapes != nil {
		c.pass(c.stretch * gap)
	} else {
		c.advance(c.stretch * gap)
	}
	if c.now = c.exact; c.whole {
		c.now = math.Floor(c.exact)
	}
	return c.now
}

// pass advances the clock by an interarrival time that is not stretched by the weights.
func (c *clock) pass(seconds float64) {
	c.exact += seconds
	slots := math.Floor(c.exact / model.SlotSeconds)
	c.slot = int(math.Mod(float64(c.slot)+slots-c.slots, float64(len(c.weights))))
	c.slots = slots
}

// advance advances the clock by an interarrival time that is stretched by the weights. It skips
// whole days, or weeks, which have as many points as half hours, whatever the weights.
func (c *clock) advance(seconds float64) {
	c.points += seconds / model.SlotSeconds
	if cycle := float64(len(c.weights)); c.points > 2*cycle {
		skipped := cycle * (math.Floor(c.points/cycle) - 1)
		c.points -= skipped
		c.slots += skipped
	}
	weight := c.weights[c.slot]
	for c.points > weight || weight == 0 {
		c.points -= weight
		c.slots++
		if c.slot++; c.slot == len(c.weights) {
			c.slot = 0
		}
		weight = c.weights[c.slot]
	}
	c.exact = model.SlotSeconds * (c.slots + c.points/weight)
}

// merger merges the submissions of the classes. It has the next submission of every class, the
// earliest on top. Simultaneous submissions are in the order of the classes in the model.
type merger struct {
	heap heap.Heap[*clock]
	left []int64 // number of jobs of each class still to come; nil for no limit
}

// newMerger draws the first submission of every class that has jobs. quotas are the numbers of
// jobs of the classes; nil for no limit.
func newMerger(classes []class, quotas []int64) *merger {
	m := &merger{left: slices.Clone(quotas)}
	for i := range classes {
		if quotas != nil && quotas[i] == 0 {
			continue
		}
		c := classes[i].arrivals.start()
		m.heap.Push(heap.Item[*clock]{At: c.next(), Seq: int64(i), Value: c})
	}
	return m
}

// advance draws the next submission of the class on top.
func (m *merger) advance() {
	x := m.heap[0]
	x.At = x.Value.next()
	if m.left != nil {
		if m.left[x.Seq]--; m.left[x.Seq] == 0 {
			x.At = math.Inf(1)
		}
	}
	m.heap.Replace(x)
}
