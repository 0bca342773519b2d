package generate

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// arrivals is where the clock of one class begins.
type arrivals struct {
	model    model.Arrivals
	stream   stream
	law      dist.Law   // of the interarrival time, before the cycles shape it
	cut      float64    // where laws are cut, 0 for nowhere
	stretch  float64    // factor of the interarrival times
	calendar calendar   // of a day, or of a week where there is a weekly cycle
	weights  []float64  // of the calendar's half hours, mean 1
	shapes   []dist.Law // by the half hour in which an interarrival time begins; nil with slot weights
	whole    bool       // whole seconds
}

// newArrivals prepares the arrivals of a class whose model is valid.
func newArrivals(c model.Class, stretch float64, o Options) (arrivals, error) {
	a := arrivals{
		model:   c.Arrivals,
		stream:  newStream(o.Seed, partArrivals, c.Name),
		stretch: stretch * c.Arrivals.Pace(),
		whole:   !o.Exact,
	}
	a.law, a.cut = c.Arrivals.Times()
	// The weights exist: Validate has seen to it.
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
	a.calendar = calendar{o.Start, len(a.weights)}
	if !c.Arrivals.Method.ByShape() {
		return a, nil
	}
	shapes, err := c.Arrivals.Shapes()
	if err != nil {
		return a, err
	}
	for i := range a.weights {
		// A day's weight shifts ln of the interarrival time as the first
		// method shifts it for a half hour's.
		g := dist.Gamma{Shape: shapes[i%model.Slots], Scale: c.Arrivals.Peak.Scale}
		if week != nil {
			g.Shape -= math.Log(week[i/model.Slots]) / g.Scale
		}
		if !(g.Shape > 0) || math.IsInf(g.Shape, 1) || g.CDF(c.Arrivals.Peak.MaxLn) < 0.001 {
			return a, workload.OptionFault("method", string(c.Arrivals.Method)+", but with the weekly cycle of class "+c.Name+" the shape of some day is 0 or less",
				"%s, or a model without a weekly cycle", model.SlotWeights)
		}
		a.shapes = append(a.shapes, dist.Ln{Inner: g, MaxLn: c.Arrivals.Peak.MaxLn})
	}
	return a, nil
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
	now   float64 // s, the submission
}

func (a arrivals) start() *clock {
	c := &clock{arrivals: a, pcg: a.stream.whole()}
	c.rng = rand.New(&c.pcg)
	c.slot, c.turns = c.calendar.at(c.slots)
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
	if c.slots = slots; slots >= c.turns {
		c.slot, c.turns = c.calendar.at(c.slots)
	}
}

// advance lets an interarrival time pass, stretched by the weights.
func (c *clock) advance(seconds float64) {
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
			c.slot, c.turns = c.calendar.at(c.slots)
			c.skip()
		}
		weight = c.weights[c.slot]
	}
	c.exact = model.SlotSeconds * (c.slots + c.points/weight)
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

// calendar finds which half hour of the local day, or week, an elapsed half
// hour of the log is. Where the zone's offset changes, local time jumps: the
// half hours that it leaves out are not passed through, and those that it
// repeats come twice, each as long and as busy as the first time. An offset
// that changes by other than whole half hours counts from the next whole one.
// After lastYear the offset stays as it is.
type calendar struct {
	start time.Time // zero: no zone, and the first day is a Monday
	slots int       // of the cycle: a day's or a week's
}

// lastYear is the last in which the clock is put forward and back: a rare job's
// gap may be a million years, with two changes in each.
const lastYear = 9999

// at returns the half hour of the cycle that elapsed half hour n begins in,
// and the first elapsed one at which the offset from local time is another.
func (c calendar) at(n float64) (slot int, until float64) {
	if c.start.IsZero() {
		first := int(time.Monday) * model.Slots
		return (first + int(math.Mod(n, float64(c.slots)))) % c.slots, math.Inf(1)
	}
	seconds := c.start.Unix()
	zone := c.start.Location()
	last := float64((time.Date(lastYear+1, time.January, 1, 0, 0, 0, 0, zone).Unix() - seconds) / model.SlotSeconds)
	beyond := max(0, n-last)
	t := time.Unix(seconds+int64(n-beyond)*model.SlotSeconds, 0).In(zone)
	slot = (int(t.Weekday())*model.Slots + 2*t.Hour() + t.Minute()/30) % c.slots
	slot = (slot + int(math.Mod(beyond, float64(c.slots)))) % c.slots
	_, end := t.ZoneBounds()
	if end.IsZero() || beyond > 0 {
		return slot, math.Inf(1)
	}
	return slot, max(n+1, math.Ceil(float64(end.Unix()-seconds)/model.SlotSeconds))
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
