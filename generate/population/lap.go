package population

import (
	"cmp"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// job is a job of a lap.
type job struct {
	at       float64 // s, from the start of the user's first period, later from the start of the lap
	size     int64
	run      float64
	score    float64 // of the run time among jobs of its size
	gap      float64 // score of the gap before it, later its probability
	wait     float64 // probability of the wait that its user saw, later the wait in s
	template int32   // index of the user's template
	pred     int32   // index of the user's job that it waits for, or none
	think    float32
	how      kind
	status   uint8 // index in the model's statuses
	reached  bool  // ended at its estimate
}

func (j *job) work() float64 { return j.run * float64(j.size) }

// kind classifies a job by its relation to the user's previous job.
type kind uint8

const (
	inBag kind = iota
	apart
	opens // a session
)

const none = -1

// person is a user of a lap.
type person struct {
	stratum   int
	traits    population.Traits
	count     int     // number of jobs to draw
	work      float64 // work to do, later the work of jobs
	jobs      []job
	templates []template
	apps      int32   // number of applications
	shift     float64 // added to the scores of run times, to approach work
	sessions  []int32 // number of jobs in each
	costs     []float64
}

// template is what consecutive jobs have in common.
type template struct {
	score, run float64 // scores of size and run time
	size       int64
	jobs       float64
	asks       [population.NumAsks]float32 // scores of requests, later indexes in the distributions; scores only for resources
	same       [population.NumAsks]bool    // equal to those of the template before
	row        int32                       // index in the model's resources
	mean       float32                     // power mean of the run times, with exponent 3, in seconds
	app        int32                       // index of the user's application
	class      uint8
	reached    bool    // jobs end at the estimate
	over       float32 // ratio of run time to estimate
	ignores    bool    // jobs run beyond the estimate
}

// lap holds the jobs of a stretch as long as the log.
type lap struct {
	number int64
	people []person
	order  []entry // by submission
}

// entry identifies a job of a user.
type entry struct {
	at        float64
	user, job int32
}

// job returns the i-th job by submission.
func (l *lap) job(i int) *job {
	e := l.order[i]
	return &l.people[e.user].jobs[e.job]
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

// templates returns the templates of all users, in the users' order.
func (l *lap) templates() (all []*template) {
	for u := range l.people {
		for i := range l.people[u].templates {
			all = append(all, &l.people[u].templates[i])
		}
	}
	return all
}

// lap draws a lap, in the steps listed in the package documentation.
func (w *Workload) lap(number int64) *lap {
	rng := rand.New(rand.NewPCG(w.o.Seed, uint64(number)))
	l := &lap{number: number, people: w.people(rng)}
	w.each(l, drawing, w.draw)
	w.gaps(l)
	w.sizesAndRunTimes(l)
	w.requests(l)
	w.schedule(l, rng)
	if len(w.waits) > 0 {
		par.Each(w.o.Workers, len(l.people), func(u int) { w.link(&l.people[u]) })
	}
	n := 0
	for u := range l.people {
		n += len(l.people[u].jobs)
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

// link finds the job that each job of a user waits for, as package sessions does for a log.
func (w *Workload) link(x *person) {
	t := sessions.NewTracker()
	var j workload.Job
	for i := range x.jobs {
		k := &x.jobs[i]
		if i > 0 && k.at < x.jobs[i-1].at { // the end of the lap is between them
			t = sessions.NewTracker()
		}
		j.Row, j.Submit, j.Run, j.Wait = int64(i), k.at, k.run, k.wait
		if f := t.Add(&j); f.Preceding != workload.Unknown {
			k.pred, k.think = int32(f.Preceding), float32(math.Round(f.Think)) // whole seconds, as in SWF
		}
	}
}

// purpose identifies a kind of random stream.
type purpose struct{ factor, part uint64 }

var (
	drawing    = purpose{0x9e3779b97f4a7c15, 8}
	scheduling = purpose{0xbf58476d1ce4e5b9, 4}
	wishing    = purpose{0xd6e8feb86659fd93, 1}
	reaching   = purpose{0xd6e8feb86659fd93, 2}
	finishing  = purpose{0xd6e8feb86659fd93, 3}
)

// stream returns the n-th random stream of a purpose in a lap.
func (w *Workload) stream(l *lap, p purpose, n int) *rand.Rand {
	return rand.New(rand.NewPCG(w.o.Seed^uint64(n+1)*p.factor, uint64(l.number)^p.part<<60))
}

// each calls f for each user, with the user's own random stream.
func (w *Workload) each(l *lap, p purpose, f func(x *person, rng *rand.Rand)) {
	par.Each(w.o.Workers, len(l.people), func(u int) { f(&l.people[u], w.stream(l, p, u)) })
}

// Scores are counted in cells of equal width from -edge to edge.
const (
	cells = 1 << 11
	edge  = 7.0
)

func cell(z float64) int { return int(max(0, min(cells-1, (z+edge)*(cells/(2*edge))))) }

// ranking holds the number of jobs in each cell, and ranks the jobs by cell.
type ranking []float64

// middles yields, for each cell, the probability in the middle of the ranks of its jobs.
func (r ranking) middles() iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		total, below := sum(r), 0.0
		for c, n := range r {
			if !yield(c, (below+n/2)/total) {
				return
			}
			below += n
		}
	}
}

// ranks returns a function that returns the probability in the middle of the ranks of n jobs of a
// cell. Jobs of the same cell are ranked in the order of the calls.
func (r ranking) ranks() func(c int, n float64) float64 {
	upTo := sums(r)
	total := upTo[len(upTo)-1]
	next := make([]float64, len(r))
	copy(next[1:], upTo)
	return func(c int, n float64) float64 {
		next[c] += n
		return (next[c] - n/2) / total
	}
}

// atoms is a discrete distribution: the cumulative probability of each value.
type atoms []float64

// newAtoms returns the distribution with the given shares, or nil if no share is above 0.
func newAtoms(shares []float64) atoms {
	upTo, total := sums(shares), sum(shares)
	if !(total > 0) {
		return nil
	}
	for i := range upTo {
		upTo[i] /= total
	}
	return upTo
}

// at returns the index of the value at a probability.
func (a atoms) at(p float64) int {
	k, _ := slices.BinarySearch(a, p)
	return min(k, len(a)-1)
}

// assign assigns values of the distribution to templates by the rank of their scores, so that the
// templates' jobs follow it. It calls set with the index of each template's value.
func (law atoms) assign(templates []*template, score func(t *template) float64, set func(t *template, place int)) {
	jobs := make(ranking, cells)
	for _, t := range templates {
		jobs[cell(score(t))] += t.jobs
	}
	rank := jobs.ranks()
	for _, t := range templates {
		set(t, law.at(rank(cell(score(t)), t.jobs)))
	}
}

func sum(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

// sums returns the cumulative sums of x, which are the same on any processor.
func sums(x []float64) []float64 {
	out, sum := make([]float64, len(x)), 0.0
	for i, v := range x {
		sum += v
		out[i] = sum
	}
	return out
}

// phi is the standard normal distribution function, and quantile is its inverse for a probability
// between 0 and 1.
func phi(z float64) float64 { return .5 * math.Erfc(-z/math.Sqrt2) }

func quantile(p float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*math.Max(1e-9, math.Min(1-1e-9, p))-1)
}
