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

// job is one of a lap.
type job struct {
	at       float64 // s, from the user's own begin, then from the lap's
	size     int64
	run      float64
	score    float64 // of the run time among those of its size
	gap      float64 // score of the gap before it, then its probability
	wait     float64 // probability of the wait that its user saw, then the wait, s
	template int32   // of the user
	pred     int32   // among the user's jobs; none
	think    float32
	how      kind
	status   uint8 // place in the model's statuses
	reached  bool  // its estimate
}

func (j *job) work() float64 { return j.run * float64(j.size) }

// kind is how a job comes after the one before of its user.
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
	count     int     // jobs to make
	work      float64 // to make, and then made
	jobs      []job
	templates []template
	apps      int32   // applications
	shift     float64 // of the scores of run times, towards work
	sessions  []int32 // jobs of each
	costs     []float64
}

// template is what is alike in jobs in a row.
type template struct {
	score, run float64 // of the size, of the run time
	size       int64
	jobs       float64
	asks       [population.NumAsks]float32 // scores of what it asks for, then places in the laws; of resources scores
	same       [population.NumAsks]bool    // as the template before
	row        int32                       // of the model's resources
	mean       float32                     // s, run time
	app        int32                       // of the user
	class      uint8
	reached    bool    // its estimate
	over       float32 // run time over estimate
	ignores    bool    // that its estimate is too short
}

// lap is the jobs of a time as long as the log.
type lap struct {
	number int64
	people []person
	order  []entry // by submission
}

// entry is a job of a user.
type entry struct {
	at        float64
	user, job int32
}

// job is the i-th by submission.
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

// templates are those of all users, in the users' order.
func (l *lap) templates() (all []*template) {
	for u := range l.people {
		for i := range l.people[u].templates {
			all = append(all, &l.people[u].templates[i])
		}
	}
	return all
}

// lap takes the steps of the package in their order.
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

// link finds the job that each job of a user waits for, as package sessions does in a log.
func (w *Workload) link(x *person) {
	t := sessions.NewTracker()
	var j workload.Job
	for i := range x.jobs {
		k := &x.jobs[i]
		if i > 0 && k.at < x.jobs[i-1].at { // the lap's end is between
			t = sessions.NewTracker()
		}
		j.Row, j.Submit, j.Run, j.Wait = int64(i), k.at, k.run, k.wait
		if f := t.Add(&j); f.Preceding != workload.Unknown {
			k.pred, k.think = int32(f.Preceding), float32(math.Round(f.Think)) // whole seconds, as SWF has them
		}
	}
}

// purpose names a random stream of a user.
type purpose struct{ factor, part uint64 }

var (
	drawing    = purpose{0x9e3779b97f4a7c15, 8}
	scheduling = purpose{0xbf58476d1ce4e5b9, 4}
	wishing    = purpose{0xd6e8feb86659fd93, 1}
	reaching   = purpose{0xd6e8feb86659fd93, 2}
	finishing  = purpose{0xd6e8feb86659fd93, 3}
)

// stream is the n-th random stream of a purpose in a lap.
func (w *Workload) stream(l *lap, p purpose, n int) *rand.Rand {
	return rand.New(rand.NewPCG(w.o.Seed^uint64(n+1)*p.factor, uint64(l.number)^p.part<<60))
}

// each calls f for each user, with a stream of its own.
func (w *Workload) each(l *lap, p purpose, f func(x *person, rng *rand.Rand)) {
	par.Each(w.o.Workers, len(l.people), func(u int) { f(&l.people[u], w.stream(l, p, u)) })
}

// cells are of scores, from -edge to edge.
const (
	cells = 1 << 11
	edge  = 7.0
)

func cell(z float64) int { return int(max(0, min(cells-1, (z+edge)*(cells/(2*edge))))) }

// ranking has how many jobs are in each cell, of scores or others, and ranks them by it.
type ranking []float64

// middles yields for each cell the probability in the middle of its jobs' ranks.
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

// ranks returns a function that gives n jobs of a cell the probability in the middle of their
// ranks: those of a cell have theirs in the order in which they are asked about.
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

// atoms is a law of some values: the probability of those up to each.
type atoms []float64

// newAtoms is the law of shares; nil if nothing has one.
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

// at returns the place of the value at a probability.
func (a atoms) at(p float64) int {
	k, _ := slices.BinarySearch(a, p)
	return min(k, len(a)-1)
}

// assign gives templates values of a law by the rank of their scores, so that their jobs have the
// law: set is called with the place of each template's value.
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

// sums are those of the values up to each, the same on any processor.
func sums(x []float64) []float64 {
	out, sum := make([]float64, len(x)), 0.0
	for i, v := range x {
		sum += v
		out[i] = sum
	}
	return out
}

// phi is the normal law, and quantile its inverse, of a probability between 0 and 1.
func phi(z float64) float64 { return .5 * math.Erfc(-z/math.Sqrt2) }

func quantile(p float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*math.Max(1e-9, math.Min(1-1e-9, p))-1)
}
