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

// arrivals is where the clock of one class begins.
type arrivals struct {
	model   model.Arrivals
	stream  stream
	law     dist.Law   // of the interarrival time, before the cycles shape it
	cut     float64    // where laws are cut, 0 for nowhere
	stretch float64    // factor of the interarrival times
	weights []float64  // of the half hours of a day, or of a week where there is a weekly cycle, mean 1
	first   int        // half hour of these in which the log begins
	shapes  []dist.Law // by the half hour in which an interarrival time begins; nil with slot weights
	whole   bool       // whole seconds
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
	// The weights, and shapes, exist: Validate has seen to it.
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

	exact float64 // s, the time that slots and points say
	now   float64 // s, the submission
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

// pass lets an interarrival time pass that is as long as it says.
func (c *clock) pass(seconds float64) {
	c.exact += seconds
	slots := math.Floor(c.exact / model.SlotSeconds)
	c.slot = int(math.Mod(float64(c.slot)+slots-c.slots, float64(len(c.weights))))
	c.slots = slots
}

// advance lets an interarrival time pass, stretched by the weights. It leaves out whole days, or
// weeks: they are as many points as half hours, whatever the weights.
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

// merger has the next submission of every class, the earliest on top. At one instant
// the class that the model names first comes first.
type merger struct {
	heap heap.Heap[*clock]
	left []int64 // jobs of each class still to come; nil for any number
}

// newMerger draws the first submission of every class that has jobs. quotas is how
// many each has, nil for any number.
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
