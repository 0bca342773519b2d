package predict

import (
	"math"
	"reflect"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/predict/internal/forest"
	"github.com/loadstone-hpc/loadstone/predict/internal/queuestate"
	"github.com/loadstone-hpc/loadstone/workload"
)

// conformal predicts upper bounds of waits at several quantiles from the state of the
// machine at a job's submission: the queue, the running jobs and recent waits.
//
//	a request --queuestate.State--> columns --forest--> quantiles --control--> bounds
//
// A forest learns the distribution of ln(1 + wait) from the most recently submitted jobs
// (jobWindow), and for each quantile a controller (control) moves the bound along the
// forest's own levels. In the long run, and under any drift, the share of waits above the
// bound is as requested if waits become known soon enough. Meinshausen (2006); Gibbs and
// Candès (2021), "Adaptive conformal inference under distribution shift".
//
// A wait is learned when the job starts. A miss is learned as soon as a job has
// waited longer than its bound, unless the controller has since raised its bounds so far
// (slack) that a bound given now would hold: one bad day does not raise them without
// limit. When the forest is trained, the final waits of jobs that are still waiting are
// drawn from longer known waits. Until the forest is first trained, the bounds are BMBP's
// (BoundOptions.PastWaits).
//
// The share holds over many jobs; it is not guaranteed for a single job or for
// a class of jobs. The bounds do not decrease with the quantile. A conformal stores only
// recent jobs, waiting and running jobs, and recent users. The forest is trained on all
// cores, and the result does not depend on their number.
type conformal struct {
	quantiles []float64        // ascending
	fallback  []BoundPredictor // by quantile; nil when the forest has learned
	forest    *forest.Forest
	sample    forest.Sample
	last      conformalAnswer

	queue     *queuestate.State
	window    jobWindow
	controls  []control // by quantile
	waiting   map[int64]*givenBounds
	due       heap.Heap[int] // index of the quantile, by the moment a job reaches its bound, and row
	known     int            // number of waits learned so far
	trained   int            // window.seen when the forest was last trained
	trainings uint64
}

// conformalAnswer holds the latest prediction for all quantiles.
type conformalAnswer struct {
	valid   bool
	request workload.Request
	values  []float64   // the features from queuestate.State.Row
	bounds  []Bound     // by quantile
	paths   []boundPath // by quantile; nil before the forest has learned
}

// givenBounds holds the bounds that were predicted for a job that is still waiting.
type givenBounds struct {
	user   int64
	submit float64
	place  int     // in the window
	weight float64 // of the job's outcome, see control
	bounds []Bound // by quantile
	paths  []boundPath
	missed []bool // by quantile: a miss has been learned
}

// The names of the predictors that learn from the state of the queue: an upper bound, and
// the median as a point prediction.
const (
	ConformalBound = "conformal"
	ConformalPoint = "conformal-point"
)

// ConformalWaits is the number of known waits that the predictors ConformalBound and
// ConformalPoint need before they first learn. Until then they return the bounds of BMBP.
const ConformalWaits = 200

const (
	everyJobs = 700 // greatest number of submissions between trainings
	newTrees  = 10  // number of trees grown in a training, but allTrees in the first
	allTrees  = 30  // number of trees in the forest
)

// grownTrees are the forest's options.
var grownTrees = forest.Options{Trees: newTrees, Leaf: 5, Share: 0.4, Rows: 5000}

// newConformal returns a conformal without history. It sorts the quantiles and removes
// duplicates. confidence and the options Groups and PastWaits apply to the bounds that are
// given before the forest is trained.
func newConformal(quantiles []float64, confidence float64, o BoundOptions) (*conformal, error) {
	quantiles = slices.Clone(quantiles)
	slices.Sort(quantiles)
	c := &conformal{
		quantiles: slices.Compact(quantiles),
		queue:     queuestate.New(), window: newJobWindow(len(queuestate.Names())), waiting: map[int64]*givenBounds{},
	}
	for _, q := range c.quantiles {
		b, err := o.pastWaits("bmbp", q, confidence)
		if err != nil {
			return nil, err
		}
		c.fallback, c.controls = append(c.fallback, b), append(c.controls, newControl())
	}
	return c, nil
}

// predictor returns ConformalBound for one of the quantiles, or ConformalPoint, the median,
// which must be one of them.
func (c *conformal) predictor(name string, quantile float64) BoundPredictor {
	if name == ConformalPoint {
		quantile = 0.5
	}
	return conformalBound{c, slices.Index(c.quantiles, quantile), name}
}

// conformalBound is the predictor of one quantile of a conformal. All predictors of a
// conformal must be used in the same replay; an event that several of them report is
// counted once.
type conformalBound struct {
	*conformal
	quantile int // index in conformal.quantiles
	name     string
}

// Name returns "conformal" or "conformal-point".
func (b conformalBound) Name() string { return b.name }

// Predict implements BoundPredictor. The Confidence and Achieved of the forest's bounds are
// NaN. The Group is "forest" for a bound of the forest and begins with "bmbp" for a bound of
// the fallback.
func (b conformalBound) Predict(r workload.Request) (Bound, bool) {
	b.ask(&r)
	bound := b.last.bounds[b.quantile]
	return bound, !math.IsNaN(bound.Seconds)
}

// ask sets c.last to the bounds for a request that is submitted now.
func (c *conformal) ask(r *workload.Request) {
	a := &c.last
	if a.valid && sameRequest(&a.request, r) {
		return
	}
	c.advance(r.Submit)
	a.valid, a.request = true, *r
	a.values = c.queue.Row(r, a.values[:0])
	a.bounds, a.paths = a.bounds[:0], a.paths[:0]
	for _, b := range c.fallback {
		bound, ok := b.Predict(*r)
		if !ok {
			bound.Seconds = math.NaN()
		}
		bound.Group = "bmbp, " + bound.Group
		a.bounds = append(a.bounds, bound)
	}
	if c.forest == nil {
		return
	}
	c.forest.At(a.values, timeToDrain(a.values), &c.sample)
	least := 0.0 // the bounds do not decrease
	for i, q := range c.quantiles {
		path := newBoundPath(q, &c.sample, c.window.marginal)
		a.paths = append(a.paths, path)
		least = max(least, path.seconds(c.controls[i].offset(r.User)))
		bound := NoBound()
		bound.Seconds, bound.Quantile, bound.Observations, bound.Group = least, q, c.window.known, "forest"
		a.bounds = append(a.bounds, bound)
	}
}

// sameRequest reports whether two requests are equal; NaN (unknown) equals NaN.
func sameRequest(a, b *workload.Request) bool {
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range x.NumField() {
		if f, g := x.Field(i), y.Field(i); !f.Equal(g) && !(f.CanFloat() && math.IsNaN(f.Float()) && math.IsNaN(g.Float())) {
			return false
		}
	}
	return true
}

// Submitted implements QueueWatcher.
func (c *conformal) Submitted(r workload.Request) {
	if _, ok := c.waiting[r.Row]; ok || c.queue.Jobs[r.Row] != nil {
		return
	}
	c.ask(&r)
	c.last.valid = false
	c.queue.Submit(&r)
	weight := math.Pow(float64(c.queue.Burst(r.User)), -0.25)
	g := &givenBounds{
		user: r.User, submit: r.Submit, weight: weight, bounds: slices.Clone(c.last.bounds),
		paths: slices.Clone(c.last.paths), missed: make([]bool, len(c.quantiles)),
	}
	g.place = c.window.add(&r, c.last.values, weight)
	for i := range g.paths {
		c.due.Push(heap.Item[int]{At: r.Submit + g.bounds[i].Seconds, Seq: r.Row, Value: i})
	}
	c.waiting[r.Row] = g
	c.tidyDue()
	c.train(r.Submit)
}

// Observe implements BoundPredictor. It ignores jobs for which Submitted was not called.
func (c *conformal) Observe(j workload.Job, _ Bound) {
	row := j.Row
	g, ok := c.waiting[row]
	if !ok || !knownWait(&j) {
		return
	}
	c.last.valid = false
	c.advance(j.Start())
	delete(c.waiting, row)
	c.window.answer(g.place, row, j.Wait)
	c.known++
	c.queue.Start(row, j.Start())
	for i, b := range c.fallback {
		b.Observe(j, g.bounds[i])
	}
	for i := range g.paths {
		if held := j.Wait <= g.bounds[i].Seconds; !g.missed[i] && (held || j.Wait > c.reached(g, i)) {
			c.controls[i].learn(c.quantiles[i], g, !held)
		}
	}
}

// reached returns the wait in seconds above which the i-th controller learns a miss: the
// job's bound or, if that is higher, the bound on its path at slack below the present offset.
func (c *conformal) reached(g *givenBounds, i int) float64 {
	return max(g.bounds[i].Seconds, g.paths[i].seconds(c.controls[i].offset(g.user)-slack))
}

// Ended implements QueueWatcher.
func (c *conformal) Ended(r workload.Request, now float64) {
	c.last.valid = false
	c.advance(now)
	if g, ok := c.waiting[r.Row]; ok {
		if j := c.queue.Jobs[r.Row]; j != nil {
			c.window.withdraw(g.place, r.Row, now-j.Submit)
		}
		delete(c.waiting, r.Row)
	}
	c.queue.End(r.Row, now)
}

// advance learns the misses (see reached) before now. A job that reaches its bound exactly at
// now may still start in time.
func (c *conformal) advance(now float64) {
	for len(c.due) > 0 && c.due[0].At < now {
		e := c.due.Pop()
		g, ok := c.waiting[e.Seq]
		if !ok {
			continue
		}
		if end := g.submit + c.reached(g, e.Value); end > e.At {
			e.At = end
			c.due.Push(e)
		} else {
			g.missed[e.Value] = true
			c.controls[e.Value].learn(c.quantiles[e.Value], g, true)
		}
	}
}

// tidyDue removes the entries of jobs that no longer wait from c.due, once there are many.
func (c *conformal) tidyDue() {
	if len(c.due) < 1024+2*len(c.quantiles)*len(c.waiting) {
		return
	}
	var kept heap.Heap[int]
	for _, e := range c.due {
		if _, ok := c.waiting[e.Seq]; ok {
			kept.Push(e)
		}
	}
	c.due = kept
}

// train grows trees on the window if enough jobs have been submitted since the last training.
func (c *conformal) train(now float64) {
	if c.known < ConformalWaits || c.forest != nil && c.window.seen-c.trained < min(everyJobs, c.trained/4) {
		return
	}
	o := grownTrees
	if c.forest == nil {
		o.Trees = allTrees
	}
	c.trainings++
	o.Seed = c.trainings
	c.forest = c.forest.Renewed(forest.Train(c.window.table(now, c.trainings), o), allTrees)
	c.trained = c.window.seen
	c.fallback = nil
	for i := range c.controls {
		for user := range c.controls[i].users {
			if c.queue.Users[user] == nil { // forgotten
				delete(c.controls[i].users, user)
			}
		}
	}
}
