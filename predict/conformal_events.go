package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/predict/forest"
	"github.com/loadstone-hpc/loadstone/workload"
)

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
	for i := range c.Controls {
		for user := range c.Controls[i].Users {
			if c.Queue.Users[user] == nil { // forgotten
				delete(c.Controls[i].Users, user)
			}
		}
	}
}
