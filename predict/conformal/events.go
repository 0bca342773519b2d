package conformal

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict/forest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Bounds returns the bounds in seconds, by quantile, of the wait of a job that
// is submitted now; NaN if the fallback has none. They are valid until the next
// call.
func (p *Predictor) Bounds(r workload.Request) []float64 {
	p.ask(&r)
	return p.moment.bounds
}

func (p *Predictor) ask(r *workload.Request) {
	m := &p.moment
	if m.valid && sameRequest(&m.request, r) {
		return
	}
	p.advance(r.Submit)
	m.valid, m.request = true, *r
	m.values = p.Queue.Row(r, m.values[:0])
	m.bounds = m.bounds[:0]
	if p.forest == nil {
		m.bounds = p.fallback.Bounds(r, m.bounds)
		return
	}
	p.forest.At(m.values, &p.sample)
	least := 0.0
	for i, q := range p.options.Quantiles {
		y := p.Controls[i].bound(q, &p.sample, p.Window.Marginal, r.User)
		// A bound at a wait that was seen covers it, however its logarithm is rounded.
		least = max(least, math.Expm1(y)*(1+1e-9))
		m.bounds = append(m.bounds, least)
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

// Submit enters a job as submitted now. Call it before Start and End for the
// job.
func (p *Predictor) Submit(r workload.Request) {
	if _, ok := p.Waiting[r.Row]; ok || p.Queue.Jobs[r.Row] != nil {
		return
	}
	p.ask(&r)
	p.moment.valid = false
	p.Queue.Submit(&r)
	weight := math.Pow(float64(p.Queue.Burst(r.User)), -0.25)
	g := &given{User: r.User, Weight: weight, Learned: p.forest != nil, Missed: make([]bool, len(p.options.Quantiles))}
	g.Place = p.Window.add(&r, p.moment.values, weight)
	g.Bounds = slices.Clone(p.moment.bounds)
	if g.Learned {
		for i, b := range g.Bounds {
			p.Due.push(r.Submit+b, r.Row, i)
		}
	}
	p.Waiting[r.Row] = g
	p.Due.tidy(p.Waiting)
	p.train(r.Submit)
}

// Start learns the wait of a job that was submitted. A wait that is unknown or
// negative is ignored.
func (p *Predictor) Start(j *workload.Job) {
	row := j.Row
	g, ok := p.Waiting[row]
	if !ok || !(j.Wait >= 0 && j.Wait <= math.MaxFloat64) {
		return
	}
	p.moment.valid = false
	p.advance(j.Start())
	delete(p.Waiting, row)
	p.Window.answer(g.Place, row, j.Wait)
	p.Known++
	p.Queue.Start(row, j.Start())
	if p.forest == nil {
		p.fallback.Learn(&j.Request, j.Wait, g.Bounds)
		return
	}
	if g.Learned {
		for i, q := range p.options.Quantiles {
			if !g.Missed[i] {
				p.Controls[i].learn(q, g, j.Wait > g.Bounds[i])
			}
		}
	}
}

// End removes a job, by its row, that ended or was withdrawn at the time now,
// in seconds.
func (p *Predictor) End(row int64, now float64) {
	p.moment.valid = false
	p.advance(now)
	if g, ok := p.Waiting[row]; ok {
		if j := p.Queue.Jobs[row]; j != nil {
			p.Window.withdraw(g.Place, row, now-j.Submit)
		}
		delete(p.Waiting, row)
	}
	p.Queue.End(row, now)
}

// advance learns the bounds that jobs have waited beyond before that moment.
func (p *Predictor) advance(now float64) {
	for row, i := range p.Due.before(now) {
		if g, ok := p.Waiting[row]; ok && !g.Missed[i] {
			g.Missed[i] = true
			p.Controls[i].learn(p.options.Quantiles[i], g, true)
		}
	}
}

// train grows trees on the window, where it is time.
func (p *Predictor) train(now float64) {
	if p.Known < FirstWaits || p.forest != nil && p.Window.Seen-p.Trained < min(everyJobs, p.Trained/4) {
		return
	}
	o := grown
	if p.forest == nil {
		o.Trees = allTrees
	}
	p.Trains++
	o.Seed = p.Trains
	newer, err := forest.Train(p.Window.table(now, p.Trains), o)
	if err != nil {
		panic("conformal: " + err.Error()) // the window's answers are finite
	}
	p.forest = p.forest.Renewed(newer, allTrees)
	p.Trained = p.Window.Seen
	p.fallback = nil
	for i := range p.Controls {
		for user := range p.Controls[i].Users {
			if p.Queue.Users[user] == nil { // forgotten
				delete(p.Controls[i].Users, user)
			}
		}
	}
}
