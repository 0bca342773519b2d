package population

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
)

// What users ask for beside processors.
const (
	asksTime = iota
	asksMemory
	asksQueue
	asksResources // among those that go with its size
	asks
)

// asked are the first of the traits that tell each.
var asked = [asks]population.Trait{population.EstimateMean, population.MemoryMean, population.QueueMean, population.ResourceMean}

// law is that of one thing that users ask for whatever the size.
func (p *prepared) law(what int) *population.Atoms {
	return [...]*population.Atoms{asksTime: &p.m.Estimates.Atoms, asksMemory: &p.m.Memory, asksQueue: &p.m.Queues}[what]
}

// wishes draws what templates ask for, as scores.
type wishes struct {
	series [asks]float64
	apps   int32
	made   int
}

// next draws what a template asks for. Of the estimate it is the part that does not
// go with the run times. It returns whether estimate, application and resources are
// those of the template before.
func (w *wishes) next(p *prepared, x *person, t *template, rng *rand.Rand) (alike bool) {
	for what, mean := range asked {
		if !p.asks[what] {
			continue
		}
		if t.same[what] = w.made > 0 && rng.Float64() < x.traits[mean+2]; !t.same[what] || what == asksResources {
			w.series[what] = rng.NormFloat64()
		}
		t.asks[what] = float32(w.series[what])
		if what != asksTime {
			t.asks[what] = float32(x.traits[mean] + x.traits[mean+1]*w.series[what])
		}
	}
	if p.m.Applications.Count > 0 {
		same, fresh := x.traits[population.ApplicationSame], x.traits[population.ApplicationNew]
		switch u := rng.Float64(); {
		case w.made == 0 || u < fresh:
			t.app = w.apps
			w.apps++
		case u < fresh+same:
			t.app = x.templates[w.made-1].app
		default:
			t.app = x.templates[rng.IntN(w.made)].app
		}
	}
	if w.made > 0 {
		alike = (t.same[asksTime] || !p.asks[asksTime]) && t.app == x.templates[w.made-1].app &&
			(t.same[asksResources] || !p.asks[asksResources] || x.traits[population.ResourceSD] == 0)
	}
	w.made++
	return alike
}

// requests gives templates what they ask for, by rank, so that all jobs have the
// laws of it, and ends jobs at their estimates. Estimates are no shorter than
// the run times of a template's jobs.
func (p *prepared) requests(l *lap, number int64) {
	if p.asks[asksTime] {
		p.means(l, number)
	}
	for _, what := range []int{asksMemory, asksQueue} {
		if p.asks[what] {
			p.rank(l, what)
		}
	}
	var maps []runMap
	if p.asks[asksTime] {
		p.estimate(l)
		p.each(l, number, 2, p.lift)
		maps = p.restore(l)
	}
	if maps != nil || p.m.Statuses.Values != nil {
		p.each(l, number, 3, func(x *person, rng *rand.Rand) { p.finish(x, maps, rng) })
	}
}

// each calls f for each user, with a stream of its own.
func (p *prepared) each(l *lap, number int64, part uint64, f func(x *person, rng *rand.Rand)) {
	par.Each(p.workers, len(l.people), func(u int) {
		f(&l.people[u], rand.New(rand.NewPCG(p.seed^uint64(u+1)*0xd6e8feb86659fd93, uint64(number)^part<<60)))
	})
}

// means finds the mean run times of templates, and by their scores those of the
// estimates.
func (p *prepared) means(l *lap, number int64) {
	var jobs [runCells]float64
	total := 0.0
	for _, j := range l.jobs() {
		jobs[runCell(j.run)]++
		total++
	}
	sum := 0.0
	for c, n := range jobs {
		jobs[c] = quantile((sum + n/2) / total)
		sum += n
	}
	p.each(l, number, 1, func(x *person, rng *rand.Rand) {
		for i := range x.jobs {
			t := &x.templates[x.jobs[i].template]
			t.mean += float32(x.jobs[i].run * x.jobs[i].run * x.jobs[i].run / t.jobs)
		}
		for i := range x.templates {
			x.templates[i].mean = float32(math.Cbrt(float64(x.templates[i].mean)))
		}
		n := float64(len(x.templates))
		mean, v, expected := 0.0, 0.0, 0.0
		for i := range x.templates {
			t := &x.templates[i]
			mean += jobs[runCell(float64(t.mean))] / n
			reached, _ := p.reaches(t)
			expected += reached * t.jobs / float64(len(x.jobs))
		}
		for i := range x.templates {
			d := jobs[runCell(float64(x.templates[i].mean))] - mean
			v += d * d / n
		}
		more := 0.0
		if expected > 0 {
			more = x.traits[population.EstimateReached] / expected
		}
		r := x.traits[population.EstimateRun]
		slope := r / math.Max(.05, math.Sqrt(v))
		for i := range x.templates {
			t := &x.templates[i]
			t.over = 1
			if reached, beyond := p.reaches(t); rng.Float64() < more*reached {
				t.reached = true
			} else if beyond > 0 && rng.Float64() < beyond {
				t.ignores, t.over = true, float32(math.Max(1, p.m.Estimates.Overrun.At(rng.Float64())))
			}
			if t.same[asksTime] {
				t.asks[asksTime] = x.templates[i-1].asks[asksTime]
				continue
			}
			z := slope*(jobs[runCell(float64(t.mean))]-mean) + math.Sqrt(1-r*r)*float64(t.asks[asksTime])
			t.asks[asksTime] = float32(x.traits[population.EstimateMean] + x.traits[population.EstimateSD]*z)
		}
	})
}

// reaches is the share of the jobs of a template's mean run time that reach their
// estimates, and of those that run on beyond.
func (p *prepared) reaches(t *template) (reached, beyond float64) {
	c := p.m.Estimates.Reached
	k := len(c) - 1
	for k > 0 && c[k].From > float64(t.mean) {
		k--
	}
	if k < 0 {
		return 0, 0
	}
	return c[k].Share, c[k].Beyond
}

const askCells = 1 << 12

func askCell(z float64) int {
	return int(math.Max(0, math.Min(askCells-1, (z+edge)/(2*edge)*askCells)))
}

// rank turns scores into places in the law.
func (p *prepared) rank(l *lap, what int) {
	law := p.law(what)
	var jobs [askCells]float64
	for _, t := range l.templates() {
		jobs[askCell(float64(t.asks[what]))] += t.jobs
	}
	place := make([]int, askCells)
	rankPlaces(place, func(c int) float64 { return jobs[c] }, law.Shares)
	for _, t := range l.templates() {
		t.asks[what] = float32(place[askCell(float64(t.asks[what]))])
	}
}

// slack is by how much the mean run time of a template may be above its estimate.
const slack = .97

// estimate gives templates their estimates: by rank, and if that is too short for its
// jobs, the next one that is long enough. Ranks are by a law that is changed, round by
// round, until what comes out has the law of the model.
func (p *prepared) estimate(l *lap) {
	law := p.law(asksTime)
	n := len(law.Values)
	least := func(t *template) int { // place of the least estimate
		k, _ := slices.BinarySearch(law.Values, slack*float64(t.mean))
		return min(k, n-1)
	}
	const cells = 1 << 10
	cell := func(t *template) int { return askCell(float64(t.asks[asksTime])) / (askCells / cells) }
	jobs := make([]float64, cells*n)
	total := 0.0
	fixed := make([]float64, n)
	for _, t := range l.templates() {
		total += t.jobs
		if t.reached || t.ignores {
			fixed[nearest(law.Values, float64(t.mean/t.over))] += t.jobs
		} else {
			jobs[cell(t)*n+least(t)] += t.jobs
		}
	}
	shares := slices.Clone(law.Shares)
	place := make([]int, cells)
	got := make([]float64, n)
	all := sum(law.Shares)
	for range estimateRounds {
		rankPlaces(place, func(c int) float64 { return sum(jobs[c*n : c*n+n]) }, shares)
		copy(got, fixed)
		for c := range cells {
			for k, x := range jobs[c*n : c*n+n] {
				got[p.atLeast(place[c], k)] += x
			}
		}
		for k := range shares {
			want := law.Shares[k] / all * total
			shares[k] *= math.Max(.1, math.Min(10, (want+.5)/(got[k]+.5)))
		}
	}
	for _, t := range l.templates() {
		if t.reached || t.ignores {
			t.asks[asksTime] = float32(nearest(law.Values, float64(t.mean/t.over)))
		} else {
			t.asks[asksTime] = float32(p.atLeast(place[cell(t)], least(t)))
		}
	}
}

const estimateRounds = 12

// nearest is the place of the value above 0 that is nearest, by their ratio.
func nearest(values []float64, x float64) int {
	k, _ := slices.BinarySearch(values, x)
	k = min(k, len(values)-1)
	if k > 0 && values[k-1] > 0 && values[k-1]*values[k] > x*x {
		k--
	}
	return k
}

// atLeast is the place of an estimate that is long enough; those who ask for none do
// not ask.
func (p *prepared) atLeast(want, least int) int {
	if p.m.Estimates.Values[want] == 0 {
		return want
	}
	return max(want, least)
}

// rankPlaces gives cells in the order of scores their places in a law, so that their
// jobs have the law.
func rankPlaces(place []int, jobs func(cell int) float64, shares []float64) {
	total, all := 0.0, sum(shares)
	for c := range place {
		total += jobs(c)
	}
	below, k, upTo := 0.0, 0, shares[0]
	for c := range place {
		n := jobs(c)
		for k < len(shares)-1 && (below+n/2)/total*all > upTo {
			k++
			upTo += shares[k]
		}
		below += n
		place[c] = k
	}
}

// lifts is the share of an estimate from which on jobs of a template that reaches it
// do.
const lifts = .5

// lift ends the jobs of templates that reach their estimates.
func (p *prepared) lift(x *person, rng *rand.Rand) {
	e := &p.m.Estimates
	for i := range x.jobs {
		j := &x.jobs[i]
		t := &x.templates[j.template]
		v := e.Values[int(t.asks[asksTime])]
		if !t.reached || !(v > 0) || j.run < lifts*v {
			continue
		}
		j.reached = true
		j.run = v
		if u := rng.Float64(); u < e.Early {
			j.run -= math.Floor((1 - population.ReachedFrom) * j.run * rng.Float64())
		} else if e.Late.P != nil {
			j.run = math.Floor(math.Min(population.ReachedTo*j.run+60, j.run+e.Late.At(rng.Float64())))
		}
	}
}

// finish gives a user's jobs run times that have the law together with those that
// reached their estimates, and a status.
func (p *prepared) finish(x *person, maps []runMap, rng *rand.Rand) {
	s := &p.m.Statuses
	before, common := int32(none), 0.0
	for i := range x.jobs {
		j := &x.jobs[i]
		if maps != nil && !j.reached {
			run := maps[j.class].at(j.run)
			if j.run = p.below(x, j, run); j.run < run { // not all at one place
				j.run = math.Floor(j.run * (1 - lifts*rng.Float64()))
			}
		}
		if s.Values == nil {
			continue
		}
		if j.template != before || rng.Float64() >= s.Again {
			before, common = j.template, rng.Float64()
		}
		shares := s.Reached
		if !j.reached || shares == nil {
			k := len(s.Classes) - 1
			for k > 0 && s.Classes[k].From > j.run {
				k--
			}
			shares = s.Classes[k].Shares
		}
		j.status = uint8(choose(shares, common))
	}
}

// below is a run time that does not reach the job's estimate.
func (p *prepared) below(x *person, j *job, run float64) float64 {
	if !p.asks[asksTime] || x.templates[j.template].ignores {
		return run
	}
	if v := p.m.Estimates.Values[int(x.templates[j.template].asks[asksTime])]; v > 0 && run >= .99*v {
		return math.Max(0, math.Floor(.99*v)-1)
	}
	return run
}

// choose is the place of a probability in shares.
func choose(shares []float64, u float64) int {
	u *= sum(shares)
	for k, x := range shares {
		if u -= x; u < 0 {
			return k
		}
	}
	return len(shares) - 1
}
