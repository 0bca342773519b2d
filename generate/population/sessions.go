package population

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// drafter drafts the jobs of a user. They are made of series of normal scores, and the fields
// hold the current value of each series; next continues a series.
type drafter struct {
	*Workload
	x                 *person
	rng               *rand.Rand
	size, run, within float64 // size and run time of the template; run time of the job within it
	visit, mood       float64 // size of the session; common part of its bags' sizes
	bag, several      float64 // size of the bag; size of the last bag of several jobs, among such bags
	wishes            [population.NumAsks]float64
}

// draw draws a user's sessions, bags and templates.
func (w *Workload) draw(x *person, rng *rand.Rand) {
	t := &x.traits
	d := drafter{Workload: w, x: x, rng: rng}
	for _, z := range []*float64{&d.within, &d.visit, &d.mood, &d.several} {
		*z = rng.NormFloat64()
	}
	x.jobs = make([]job, 0, x.count)
	alike, again := t.BagAlike, 0.0
	if alike > 0 {
		again = math.Max(-.98, math.Min(.98, t.BagAgain/alike))
	}
	bags, pace := 0, 0.0
	for len(x.jobs) < x.count {
		how := apart
		if bags == 0 {
			how = opens
			pace = t.ApartMean + .5*rng.NormFloat64()
			d.visit = d.next(d.visit, t.SessionAgain)
			d.mood = d.next(d.mood, again)
			bags = w.visits[x.stratum].several(t, d.visit)
			x.sessions = append(x.sessions, 0)
		}
		bags--
		d.bag = math.Sqrt(alike)*d.mood + math.Sqrt(1-alike)*rng.NormFloat64()
		n := 1
		if phi(d.bag) >= t.BagOne {
			d.several = d.next(d.several, alike)
			n = w.bags[x.stratum].at(t.BagMean + t.BagSD*d.several)
			d.bag = quantile(t.BagOne + (1-t.BagOne)*phi(d.several))
		}
		level := t.WithinMean + .7*rng.NormFloat64()
		wait := rng.Float64()
		for range min(n, x.count-len(x.jobs)) {
			change, gap := t.ChangeSession, 0.0
			drift, step := t.RunDrift, t.RunAgain
			switch how {
			case inBag:
				change, gap = t.ChangeInBag, level+.5*rng.NormFloat64()
				drift, step = t.RunSweep, t.RunSame
			case apart:
				change, gap = t.ChangeBetween, pace+.7*rng.NormFloat64()
			}
			if len(x.templates) == 0 || rng.Float64() < change {
				step = math.Min(step, drift)
				d.template(same(math.Sqrt(drift*drift-step*step), t.RunSD))
			}
			d.within = d.next(d.within, same(step, t.RunWithin))
			k := len(x.templates) - 1
			x.templates[k].jobs++
			x.sessions[len(x.sessions)-1]++
			x.jobs = append(x.jobs, job{how: how, gap: gap, wait: wait, template: int32(k), pred: none,
				score: x.templates[k].run + t.RunWithin*d.within + t.BagRun*d.bag + t.SessionRun*d.visit})
			how = inBag
		}
	}
}

// next returns the value after z of a standard normal series with autocorrelation r.
func (d *drafter) next(z, r float64) float64 {
	return r*z + math.Sqrt(1-r*r)*d.rng.NormFloat64()
}

// same returns the autocorrelation of a series with standard deviation sd whose neighbours differ
// by a root mean square of step*√2; 0 if sd is 0.
func same(step, sd float64) float64 {
	if !(sd > 0) {
		return 0
	}
	return math.Max(-.5, 1-step*step/(sd*sd))
}

// redraws is the number of attempts to draw a template of another size.
const redraws = 6

// template adds the user's next template. Its run time is correlated with that of the template
// before; its size, within redraws attempts, differs from that template's if the requests are
// alike.
func (d *drafter) template(drift float64) {
	t, made := &d.x.traits, d.x.templates
	var of template
	alike := d.wish(&of)
	if len(made) == 0 {
		d.size, d.run = d.rng.NormFloat64(), d.rng.NormFloat64()
	} else {
		d.run = d.next(d.run, drift)
	}
	with := t.SizeMean + t.BagSize*d.bag + t.SessionSize*d.visit
	of.score = with + t.SizeSD*d.size
	if len(made) > 0 {
		before, old := made[len(made)-1].score, d.size
		for range redraws {
			d.size = d.next(old, t.SizeDrift)
			of.score = with + t.SizeSD*d.size
			if !alike || d.sizeAt(of.score) != d.sizeAt(before) {
				break
			}
		}
	}
	r := t.SizeRun
	of.run = t.RunMean + t.RunSD*(r*d.size+math.Sqrt(1-r*r)*d.run)
	d.x.templates = append(made, of)
}

// sizeAt returns the approximate index of a score in the distribution of sizes.
func (w *Workload) sizeAt(score float64) int { return w.sizeLaw.at(phi(score)) }

// wish draws the requests of a template, as scores. For the estimate, it draws only the part that
// is independent of the run times. It reports whether estimate, application and resources are
// those of the template before.
func (d *drafter) wish(t *template) (alike bool) {
	x, made := d.x, d.x.templates
	for what := range d.wishes {
		if !d.asks[what] {
			t.same[what] = len(made) > 0
			continue
		}
		mean, sd, again := x.traits.Asks(what)
		if t.same[what] = len(made) > 0 && d.rng.Float64() < *again; !t.same[what] || what == population.AsksResources {
			d.wishes[what] = d.rng.NormFloat64()
		}
		t.asks[what] = float32(d.wishes[what])
		if what != population.AsksTime {
			t.asks[what] = float32(*mean + *sd*d.wishes[what])
		}
	}
	if d.m.Applications.Count > 0 {
		switch u, fresh := d.rng.Float64(), x.traits.ApplicationNew; {
		case len(made) == 0 || u < fresh:
			t.app = x.apps
			x.apps++
		case u < fresh+x.traits.ApplicationSame:
			t.app = made[len(made)-1].app
		default:
			t.app = made[d.rng.IntN(len(made))].app
		}
	}
	return len(made) > 0 && t.same[population.AsksTime] && t.app == made[len(made)-1].app &&
		(t.same[population.AsksResources] || x.traits.ResourceSD == 0)
}

// gaps sets the probabilities of the gaps before jobs: within bags by the rank of their scores in
// the lap, so that these gaps follow the model's distribution; between bags by the normal
// distribution.
func (w *Workload) gaps(l *lap) {
	scores := make(ranking, cells)
	for _, j := range l.jobs() {
		switch j.how {
		case inBag:
			scores[cell(j.gap)]++
		case apart:
			j.gap = phi(j.gap)
		}
	}
	rank := scores.ranks()
	for _, j := range l.jobs() {
		if j.how == inBag {
			j.gap = rank(cell(j.gap), 1)
		}
	}
}
