package allocate

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// lifetimes are the laws of running jobs' lifetimes: one for each class of
// jobs. They are predict.Lifetimes of requests whose ID is the job's number.
type lifetimes struct {
	all   dist.UniformLog // of all jobs
	laws  []dist.UniformLog
	class []uint8 // of each job; nil where there is one law
	jobs  int
}

var _ predict.Lifetimes = (*lifetimes)(nil)

func (l *lifetimes) of(job int32) dist.UniformLog {
	if l.class == nil {
		return l.laws[0]
	}
	return l.laws[l.class[job]]
}

// Of returns the law of the job's class.
func (l *lifetimes) Of(r *workload.Request) predict.Lifetimes {
	return predict.OneLaw{Law: l.of(int32(r.ID))}
}

// Survival implements predict.Lifetimes.
func (l *lifetimes) Survival(r *workload.Request, age, t float64) float64 {
	return l.Of(r).Survival(r, age, t)
}

// requests stand for the jobs.
func (l *lifetimes) requests() []workload.Request {
	all := make([]workload.Request, l.jobs)
	for i := range all {
		all[i].ID = int64(i)
	}
	return all
}

// newLifetimes takes the laws from AVG's schedule. (That they are of run times
// on the processors given, not of sequential times, is inferred: the paper has
// "lifetimes".) A class whose jobs determine no law has that of all jobs.
func newLifetimes(r Rules, jobs []Job, base []Placement) (*lifetimes, error) {
	times := make([]float64, len(jobs))
	for i := range jobs {
		times[i] = base[i].Run
	}
	all, ok := lawOf(times)
	if !ok {
		return nil, fmt.Errorf("cannot fit a distribution of lifetimes to the jobs' run times (%d, from %g to %g s): want at least two different ones", len(times), slices.Min(times), slices.Max(times))
	}
	l := &lifetimes{all: all, jobs: len(jobs)}
	if r.Classes < 2 {
		l.laws = []dist.UniformLog{all}
		return l, nil
	}
	l.class = make([]uint8, len(jobs))
	order := make([]int, len(jobs))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return jobs[order[a]].Sequential < jobs[order[b]].Sequential })
	members := make([][]float64, r.Classes)
	for rank, i := range order {
		c := rank * r.Classes / len(jobs)
		if rank > 0 && jobs[i].Sequential == jobs[order[rank-1]].Sequential {
			c = int(l.class[order[rank-1]]) // equal jobs are of one class
		}
		l.class[i] = uint8(c)
		members[c] = append(members[c], times[i])
	}
	for _, m := range members {
		law, ok := lawOf(m)
		if !ok {
			law = all
		}
		l.laws = append(l.laws, law)
	}
	return l, nil
}

// lawOf is the uniform-log law from the shortest to the longest time, its fit by
// maximum likelihood, which meets the paper's figures of bias (section 5.4). It is
// false where the times determine no law.
func lawOf(times []float64) (dist.UniformLog, bool) {
	if len(times) == 0 {
		return dist.UniformLog{}, false
	}
	law := dist.UniformLog{TMin: slices.Min(times), TMax: slices.Max(times)}
	return law, law.TMax/law.TMin > 1+1e-9
}

// general asks any of predict's predictors.
type general struct {
	predictor predict.HeadPredictor
	requests  []workload.Request
	head      predict.Head
}

func (g *general) reset(v *view, _ *lifetimes) {
	g.head.Time = v.now
	g.head.Running = g.head.Running[:0]
	for i := range v.running {
		r := &v.running[i]
		g.head.Running = append(g.head.Running, predict.Occupant{Request: &g.requests[r.job], Size: int64(r.size), Age: v.now - r.start})
	}
}

func (g *general) wait(needed int) float64 {
	g.head.Needed = int64(needed)
	p, ok := g.predictor.Predict(&g.head)
	if !ok {
		return math.Inf(1)
	}
	return p.Seconds
}

func (g *general) alone() int { return -1 }
