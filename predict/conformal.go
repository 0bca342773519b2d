package predict

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict/forest"
	"github.com/loadstone-hpc/loadstone/predict/internal/queuestate"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Conformal bounds waits by what a job meets at its submission: the queue, the
// running jobs and the waits of late, as the log alone shows them
// (queuestate.State). A forest learns the distribution of ln(1 + wait) from the last
// jobs, and for each quantile a controller moves the bound along the forest's own
// levels, so that in the long run, and under any drift, the share of waits above it is
// the one asked for (conformalControl). Meinshausen (2006); Gibbs and Candès (2021),
// "Adaptive conformal inference under distribution shift".
//
// A wait is learned when the job starts; that it is above a bound, as soon as the job
// has waited so long; and a wait under way when the forest is trained is drawn from the
// longer ones. Until the first waits have been learned, the bounds are those of BMBP,
// and their Group says so.
//
// The share is that over many jobs: it is promised neither for one job nor for a class
// of them. Confidence and Achieved of its bounds are NaN.
//
// Bounds for several quantiles rest on one forest (Bound, Point), and rise with the
// quantile. What is kept is the last jobs, those under way, and the users met lately.
// It is used by one goroutine; the forest is trained on all cores, and does not depend
// on their number.
type Conformal struct {
	quantiles  []float64 // rising
	confidence float64   // of BMBP
	options    BoundOptions
	shift      int64 // added to rows: those of a log that goes on come after the last

	fallback []*BMBP // by quantile; nil when the forest has learned
	forest   *forest.Forest
	conformalState

	moment moment
	sample forest.Sample
}

// conformalState is what a Conformal knows beside its forest. Its fields are exported
// to be written and read again.
type conformalState struct {
	Queue    *queuestate.State
	Window   conformalWindow
	Controls []conformalControl // by quantile
	Waiting  queuestate.ByKey[*boundGiven]
	Due      dueBounds
	Past     []pastWait // what BMBP learned
	Known    int        // waits, ever
	Trained  int        // Window.Seen, when the forest was trained
	Trains   uint64     // how often it was
	Last     int64      // the largest row
}

// moment is what was predicted last, for all quantiles.
type moment struct {
	valid   bool
	request workload.Request
	values  []float64 // of queuestate.State.Row
	bounds  []Bound
}

// boundGiven is what was predicted for a waiting job, until it is known to hold or
// not.
type boundGiven struct {
	User    int64
	Place   int       // in the window
	Weight  float64   // of what comes of it
	Bounds  []float64 // s, by quantile
	Learned bool      // they are the forest's
	Missed  []bool    // by quantile: known to be too low
}

// pastWait is a wait that BMBP learned, with the bounds that it had given.
type pastWait struct {
	Request workload.Request
	Wait    float64
	Bounds  []float64
}

const (
	firstWaits = 200 // known waits, for the first training
	everyJobs  = 700 // submissions between trainings
	newTrees   = 10  // that a training grows
	allTrees   = 30  // that are kept
)

// grown are the forest's options.
var grown = forest.Options{Trees: newTrees, Leaf: 5, Share: 0.4, Rows: 5000}

// NewConformal returns a Conformal without history, for quantiles between 0 and 1.
// confidence is that of the BMBP that answers until it has learned; of the options,
// Groups and Changes are BMBP's too, and Features are more columns for the forest, of
// those that are known at submission.
func NewConformal(quantiles []float64, confidence float64, o BoundOptions) (*Conformal, error) {
	c := &Conformal{quantiles: slices.Clone(quantiles), confidence: confidence, options: o}
	slices.Sort(c.quantiles)
	c.quantiles = slices.Compact(c.quantiles)
	for _, f := range o.Features {
		if !f.Submitted() {
			return nil, fmt.Errorf("conformal: the column %s is not known at submission", f.Name)
		}
	}
	c.Queue = queuestate.New(o.Features)
	c.Window = newConformalWindow(len(c.Queue.Names()))
	c.Waiting = queuestate.ByKey[*boundGiven]{}
	c.Last = -1
	for _, q := range c.quantiles {
		b, err := NewBMBP(q, confidence, o)
		if err != nil {
			return nil, fmt.Errorf("conformal: quantile %g and confidence %g, want numbers between 0 and 1", q, confidence)
		}
		c.fallback = append(c.fallback, b)
		c.Controls = append(c.Controls, conformalControl{Users: queuestate.ByKey[float64]{}})
	}
	return c, nil
}

// ask predicts for a job that is submitted now.
func (c *Conformal) ask(r *workload.Request) {
	m := &c.moment
	if m.valid && sameRequest(&m.request, r) {
		return
	}
	c.advance(r.Submit)
	m.valid, m.request = true, *r
	m.values = c.Queue.Row(r, m.values[:0])
	m.bounds = m.bounds[:0]
	if c.forest == nil {
		for _, f := range c.fallback {
			b, _ := f.Predict(*r)
			b.Group = "bmbp, " + b.Group
			m.bounds = append(m.bounds, b)
		}
		return
	}
	c.forest.At(m.values, &c.sample)
	least := 0.0
	for i, q := range c.quantiles {
		y := c.Controls[i].bound(q, &c.sample, c.Window.Marginal, r.User)
		// A bound at a wait that was seen covers it, however its logarithm is rounded.
		least = max(least, math.Expm1(y)*(1+1e-9))
		b := NoBound()
		b.Seconds, b.Quantile, b.Observations, b.Group = least, q, c.Window.rows(), "forest"
		m.bounds = append(m.bounds, b)
	}
}

// sameRequest says whether two requests are the same, where unknown is unknown.
func sameRequest(a, b *workload.Request) bool {
	same := func(x, y float64) bool { return x == y || x != x && y != y }
	x, y := *a, *b
	for _, f := range [][2]*float64{
		{&x.Submit, &y.Submit}, {&x.Time, &y.Time}, {&x.Memory, &y.Memory}, {&x.Think, &y.Think},
		{&x.SequentialTime, &y.SequentialTime}, {&x.AverageParallelism, &y.AverageParallelism}, {&x.Sigma, &y.Sigma},
	} {
		if !same(*f[0], *f[1]) {
			return false
		}
		*f[0], *f[1] = 0, 0
	}
	return x == y
}

// submit enters a job for which nothing has been entered yet.
func (c *Conformal) submit(r workload.Request) {
	r.Row += c.shift
	if _, ok := c.Waiting[r.Row]; ok || c.Queue.Jobs[r.Row] != nil {
		return
	}
	c.ask(&r)
	c.moment.valid = false
	c.Last = max(c.Last, r.Row)
	c.Queue.Submit(&r)
	weight := math.Pow(float64(c.Queue.Burst(r.User)), -0.25)
	g := &boundGiven{User: r.User, Weight: weight, Learned: c.forest != nil, Missed: make([]bool, len(c.quantiles))}
	g.Place = c.Window.add(&r, c.moment.values, weight)
	for i, b := range c.moment.bounds {
		g.Bounds = append(g.Bounds, b.Seconds)
		if g.Learned {
			c.Due.push(r.Submit+b.Seconds, r.Row, i)
		}
	}
	c.Waiting[r.Row] = g
	c.Due.tidy(c.Waiting)
	c.train(r.Submit)
}

// start learns the wait of a job that was submitted.
func (c *Conformal) start(j *workload.Job) {
	row := j.Row + c.shift
	g, ok := c.Waiting[row]
	if !ok || !knownWait(j) {
		return
	}
	c.moment.valid = false
	c.advance(j.Start())
	delete(c.Waiting, row)
	c.Window.answer(g.Place, row, j.Wait)
	c.Known++
	c.Queue.Start(row, j.Start())
	if c.forest == nil {
		c.Past = append(c.Past, pastWait{j.Request, j.Wait, g.Bounds})
		c.Past[len(c.Past)-1].teach(c.fallback)
		return
	}
	if g.Learned {
		for i, q := range c.quantiles {
			if !g.Missed[i] {
				c.Controls[i].learn(q, g, j.Wait > g.Bounds[i])
			}
		}
	}
}

// teach has BMBP learn a wait.
func (p *pastWait) teach(fallback []*BMBP) {
	j := workload.UnknownJob()
	j.Request, j.Wait = p.Request, p.Wait
	for i, f := range fallback {
		given := NoBound()
		given.Seconds = p.Bounds[i]
		f.Observe(j, given)
	}
}

// end takes a job away that has ended, or one that was withdrawn.
func (c *Conformal) end(row int64, now float64) {
	row += c.shift
	c.moment.valid = false
	c.advance(now)
	delete(c.Waiting, row)
	c.Queue.End(row, now)
}

// advance learns the bounds that jobs have waited beyond before that moment.
func (c *Conformal) advance(now float64) {
	for row, i := range c.Due.before(now) {
		if g, ok := c.Waiting[row]; ok && !g.Missed[i] {
			g.Missed[i] = true
			c.Controls[i].learn(c.quantiles[i], g, true)
		}
	}
}

// train grows trees on the window, where it is time.
func (c *Conformal) train(now float64) {
	if c.Known < firstWaits || c.forest != nil && c.Window.Seen-c.Trained < min(everyJobs, c.Trained/4) {
		return
	}
	o := grown
	if c.forest == nil {
		o.Trees = allTrees
	}
	c.Trains++
	o.Seed = c.Trains
	newer, err := forest.Train(c.Window.table(now, c.Trains), o)
	if err != nil {
		panic("predict: conformal: " + err.Error()) // the window's answers are finite
	}
	c.forest = c.forest.Renewed(newer, allTrees)
	c.Trained = c.Window.Seen
	c.fallback, c.Past = nil, nil
}
