package population

import (
	"cmp"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
)

const (
	day  = 86400.0 // s
	week = 7 * day
	hour = 3600.0
)

// job is one of a lap.
type job struct {
	at       float64 // s, from the user's own begin, then from the lap's
	size     int64
	run      float64
	score    float64 // of the run time among those of its size
	gap      float64 // score of the gap before it, then its probability
	wait     float64 // probability of the wait that its user saw
	template int32   // of the user
	pred     int32   // among the user's jobs; none
	think    float32
	how      kind
	class    uint8
	status   uint8 // place in the model's statuses
	reached  bool  // its estimate
}

type kind uint8

const (
	inBag kind = iota
	apart
	opens
)

const none = -1

// person is a user of a lap.
type person struct {
	stratum   int
	traits    traits
	count     int     // jobs to make
	work      float64 // to make, and then made
	jobs      []job
	templates []template
	shift     float64 // of the scores of run times, towards work
	sessions  []int32 // jobs of each
	costs     []float64
}

// template is what is alike in jobs in a row.
type template struct {
	score, run float64 // of the size, of the run time
	size       int64
	jobs       float64
	asks       [asks]float32 // scores of what it asks for, then places in the laws
	same       [asks]bool    // as the template before
	mean       float32       // s, run time
	app        int32         // of the user
	class      uint8
	reached    bool    // its estimate
	over       float32 // run time over estimate
	ignores    bool    // that its estimate is too short
}

// lap is the jobs of a time as long as the log.
type lap struct {
	people []person
	order  []entry // by submission
}

// jobs yields the jobs of all users, in the users' order.
func (l *lap) jobs() iter.Seq2[*person, *job] {
	return func(yield func(*person, *job) bool) {
		for u := range l.people {
			x := &l.people[u]
			for i := range x.jobs {
				if !yield(x, &x.jobs[i]) {
					return
				}
			}
		}
	}
}

// templates yields the templates of all users, in the users' order.
func (l *lap) templates() iter.Seq2[*person, *template] {
	return func(yield func(*person, *template) bool) {
		for u := range l.people {
			x := &l.people[u]
			for i := range x.templates {
				if !yield(x, &x.templates[i]) {
					return
				}
			}
		}
	}
}

type entry struct {
	at   float64
	user int32
	job  int32
}

// lap makes a lap.
func (p *prepared) lap(number int64) *lap {
	rng := rand.New(rand.NewPCG(p.seed, uint64(number)))
	l := &lap{people: p.people(rng, p.factor)}
	par.Each(p.workers, len(l.people), func(i int) {
		p.draw(&l.people[i], rand.New(rand.NewPCG(p.seed^uint64(i+1)*0x9e3779b97f4a7c15, uint64(number)^1<<63)))
	})
	p.gaps(l)
	p.sizes(l)
	p.runs(l)
	p.requests(l, number)
	p.schedule(l, number, rng)
	p.link(l)
	n := 0
	for i := range l.people {
		n += len(l.people[i].jobs)
	}
	l.order = make([]entry, 0, n)
	for u := range l.people {
		for i := range l.people[u].jobs {
			l.order = append(l.order, entry{l.people[u].jobs[i].at, int32(u), int32(i)})
		}
	}
	slices.SortFunc(l.order, func(a, b entry) int {
		if a.at != b.at {
			if a.at < b.at {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.user, b.user), cmp.Compare(a.job, b.job))
	})
	return l
}

// people draws the users of a lap and what each is to do.
func (p *prepared) people(rng *rand.Rand, factor float64) []person {
	var out []person
	for s := range p.m.Users.Strata {
		of := &p.m.Users.Strata[s]
		want := float64(of.Users) * factor
		n := int(want)
		if rng.Float64() < want-float64(n) {
			n++
		}
		first := len(out)
		var jobs, work float64
		for range n {
			x := person{stratum: s}
			x.traits = p.traits(s, rng)
			x.work = math.Exp(x.traits[population.LnWork])
			jobs += math.Exp(x.traits[population.LnJobs])
			work += x.work
			out = append(out, x)
		}
		scale := float64(of.Jobs) * factor / jobs
		for range 4 {
			got := 0.0
			for i := first; i < len(out); i++ {
				out[i].count = max(1, int(math.Round(scale*math.Exp(out[i].traits[population.LnJobs]))))
				got += float64(out[i].count)
			}
			if n > 0 {
				scale *= float64(of.Jobs) * factor / got
			}
		}
		for i := first; i < len(out); i++ {
			out[i].work *= of.Work * factor / work
		}
	}
	return out
}

// draw makes a user's sessions, bags and templates.
func (p *prepared) draw(x *person, rng *rand.Rand) {
	t := &x.traits
	x.jobs = make([]job, 0, x.count)
	var size, run, within float64 // of the template: deviations in sd
	var ask wishes
	mood, visit, bag := rng.NormFloat64(), rng.NormFloat64(), 0.0 // mood: of the bags of a session
	alike := t[population.BagAlike]
	again := 0.0
	if alike > 0 {
		again = math.Max(-.98, math.Min(.98, t[population.BagAgain]/alike))
	}
	newTemplate := func(drift float64) {
		var of template
		alike := ask.next(p, x, &of, rng)
		if len(x.templates) == 0 {
			size, run = rng.NormFloat64(), rng.NormFloat64()
		} else {
			run = next(run, drift, rng)
		}
		with := t[population.SizeMean] + t[population.BagSize]*bag + t[population.SessionSize]*visit
		of.score = with + t[population.SizeSD]*size
		if len(x.templates) > 0 {
			before, old := x.templates[len(x.templates)-1].score, size
			for range redraws { // a template is unlike the one before
				size = next(old, t[population.SizeDrift], rng)
				of.score = with + t[population.SizeSD]*size
				if !alike || p.sizeAt(of.score) != p.sizeAt(before) {
					break
				}
			}
		}
		r := t[population.SizeRun]
		of.run = t[population.RunMean] + t[population.RunSD]*(r*size+math.Sqrt(1-r*r)*run)
		x.templates = append(x.templates, of)
		within = rng.NormFloat64()
	}
	bags, pace := 0, 0.0
	for len(x.jobs) < x.count {
		how := apart
		if bags == 0 {
			how = opens
			pace = t[population.ApartMean] + .5*rng.NormFloat64()
			visit = next(visit, t[population.SessionAgain], rng)
			mood = next(mood, again, rng)
			bags = p.visits[x.stratum].several(t, visit)
			x.sessions = append(x.sessions, 0)
		}
		bags--
		bag = math.Sqrt(alike)*mood + math.Sqrt(1-alike)*rng.NormFloat64()
		n := p.bags[x.stratum].several(t, bag)
		level := t[population.WithinMean] + .7*rng.NormFloat64()
		wait := rng.Float64()
		for range min(n, x.count-len(x.jobs)) {
			var change float64
			var gap float64
			switch how {
			case inBag:
				change = t[population.ChangeInBag]
				gap = level + .5*rng.NormFloat64()
			case apart:
				change = t[population.ChangeBetween]
				gap = pace + .7*rng.NormFloat64()
			case opens:
				change = t[population.ChangeSession]
			}
			if len(x.templates) == 0 || rng.Float64() < change {
				step := t[population.RunDrift]
				if how == inBag {
					step = t[population.RunSweep]
				}
				newTemplate(same(step, t[population.RunSD]))
			} else {
				step := t[population.RunAgain]
				if how == inBag {
					step = t[population.RunSame]
				}
				within = next(within, same(step, t[population.RunWithin]), rng)
			}
			k := len(x.templates) - 1
			x.templates[k].jobs++
			x.sessions[len(x.sessions)-1]++
			x.jobs = append(x.jobs, job{how: how, gap: gap, wait: wait, template: int32(k), pred: none,
				score: x.templates[k].run + t[population.RunWithin]*within + t[population.BagRun]*bag + t[population.SessionRun]*visit})
			how = inBag
		}
	}
}

// redraws are the tries to have a template of another size.
const redraws = 6

// sizeAt is about the place of a score in the law of sizes.
func (p *prepared) sizeAt(score float64) int {
	k, _ := slices.BinarySearch(p.sizesUpTo, phi(score))
	return k
}

// next is the next value of a normal series of an autocorrelation.
func next(z, r float64, rng *rand.Rand) float64 {
	return r*z + math.Sqrt(1-r*r)*rng.NormFloat64()
}

// same is the autocorrelation of a series of a standard deviation and steps.
func same(step, sd float64) float64 {
	if !(sd > 0) {
		return 0
	}
	return math.Max(-.5, 1-step*step/(sd*sd))
}
