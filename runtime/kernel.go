package runtime

import (
	"cmp"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Kernel predicts the whole distribution of a job's run time: the run times of
// like jobs that ended, each with a weight. It predicts the point of that distribution
// that is best for an objective.
//
// The like jobs are the last 20 of the job's own kind (same user, application,
// queue, partition, size, request and askedColumns), the last 20 of its class (the same, whatever
// the queue and the request), and the last 40 of its user; for a user of
// whom none has ended the last 40 of the group, else of all. A run time beyond
// the request counts as the request. Four weightings (see kernelWeightings)
// differ in how fast a job fades behind newer ones and how much likeness counts.
// Their mixture is the distribution; the share of each follows its past
// accuracy, for the class, the user and all, by exponential weights that forget.
//
// Levels of quantiles are corrected by what happened: see kernelAim. The point of the smallest
// absolute error and Bound combine the distribution with other points: see kernelPoint. That of the
// highest accuracy is the distribution's unless another has been more accurate: see kernelAccurate.
//
// Before any job has ended the prediction is the request, else the time since
// the first request, in which no job has ended; the first of all then has none.
//
// Memory grows with the number of users and kinds of job, of which each keeps
// the jobs above, and users and classes their last thousand run times, and not with
// the length of the log.
type Kernel struct {
	objective stats.Objective
	kinds     map[jobKind]*kernelHistory
	classes   map[kernelClass]*kernelGroup
	users     map[int64]*kernelGroup
	groups    map[int64]*kernelHistory
	all       kernelGroup
	none      kernelGroup // of which nothing is known
	aim       kernelAim
	points    [kernelPoints]kernelPoint
	accurate  kernelAccurate
	longest   float64 // run time, s
	first     float64 // submission, s; NaN before it
	pending   kernelPending
	like      kernelLike
	scratch   Distribution
	answered  bool // scratch and last are those of the last prediction
	last      [kernelPoints]float64
	accuracy  float64 // the last point of kernelAccurate
}

// kernelPoints is the number of a Kernel's kernelPoint: the median, then the bound.
const kernelPoints = 2

// kernelGroup is what is known of a class of jobs or of a user.
type kernelGroup struct {
	kernelHistory
	gains  kernelGains
	losses [kernelPoints]kernelLosses
	runs   sortedRing // the last quantileHistory
}

// kernelRule is the Rule of a Kernel, which learns from all classes for all.
type kernelRule struct {
	For   stats.Objective `opt:"for" help:"score"`
	Level float64         `opt:"q" in:"(0,1)" help:"quantile of run times"`
}

func (r kernelRule) New() Predictor { return NewKernel(r.For, r.Level) }

// Choices returns the names of the objectives.
func (kernelRule) Choices(parameter string) []string {
	if parameter == "for" {
		return stats.ObjectiveNames()
	}
	return nil
}

// NewKernel returns a Kernel that has seen nothing. Its predictions are the best for an
// objective, its bounds the quantiles of a level in (0, 1).
func NewKernel(objective stats.Objective, level float64) *Kernel {
	return &Kernel{
		objective: objective,
		points:    [kernelPoints]kernelPoint{{level: 0.5}, {level: level}},
		first:     math.NaN(),
		kinds:     map[jobKind]*kernelHistory{},
		classes:   map[kernelClass]*kernelGroup{},
		users:     map[int64]*kernelGroup{},
		groups:    map[int64]*kernelHistory{},
	}
}

// Predict implements Predictor. The number of observations is that of the like
// jobs.
func (k *Kernel) Predict(r *workload.Request) (workload.Prediction, bool) {
	kin := k.gather(r)
	if k.answered = k.like.n > 0; !k.answered { // Observe counts it
		seconds := k.before(r)
		return workload.Prediction{Seconds: seconds}, seconds > 0
	}
	p := k.pending.put(r)
	p.ways = k.like.points(k.shares(&kin))
	k.fill(&k.scratch, r)
	p.said = k.scratch.said()
	for i := range p.points {
		p.points[i] = k.point(i, r, &kin)
		k.last[i] = p.points[i].combined
	}
	p.accurate = accurateSources(r, k.scratch.Point(stats.ByAccuracy), k.last[0])
	k.accuracy = k.accurate.point(&p.accurate)
	return workload.Prediction{Seconds: k.best(k.objective), Observations: k.like.n}, true
}

// best is the last prediction for an objective.
func (k *Kernel) best(o stats.Objective) float64 {
	switch o {
	case stats.ByAbsolute:
		return k.last[0]
	case stats.ByAccuracy:
		return k.accuracy
	}
	return k.scratch.Point(o)
}

// Bound returns the time in seconds that the job of the last Predict exceeds with
// probability 1 - level; NaN where no job had ended.
func (k *Kernel) Bound() float64 {
	if !k.answered {
		return math.NaN()
	}
	return k.last[1]
}

// For returns a Predictor whose prediction is that of k for another objective. It
// is to be asked about each request just after k, and learns nothing of its own.
func (k *Kernel) For(o stats.Objective) Predictor { return kernelView{k, o} }

// kernelView is a Predictor that shares a Kernel.
type kernelView struct {
	kernel    *Kernel
	objective stats.Objective
}

func (v kernelView) Predict(r *workload.Request) (workload.Prediction, bool) {
	k := v.kernel
	if !k.answered {
		seconds := k.before(r)
		return workload.Prediction{Seconds: seconds}, seconds > 0
	}
	return workload.Prediction{Seconds: k.best(v.objective), Observations: k.like.n}, true
}

func (kernelView) Observe(*workload.Job) {}

// before is the prediction before any job has ended; 0 for none.
func (k *Kernel) before(r *workload.Request) float64 {
	if math.IsNaN(k.first) {
		k.first = r.Submit
	}
	if seconds, ok := requestedTime(r); ok {
		return seconds
	}
	return max(0, r.Submit-k.first)
}

// Distribution returns the predictive distribution of a request's run time, and
// false if no job has ended yet. Unlike Predict it does not change the Kernel, which
// does not learn from this prediction.
func (k *Kernel) Distribution(r *workload.Request) (d Distribution, ok bool) {
	kin := k.gather(r)
	if k.like.n == 0 {
		return d, false
	}
	k.like.points(k.shares(&kin))
	k.fill(&d, r)
	return d, true
}

// kernelKin is what is known of the jobs of a request's class and user.
type kernelKin struct {
	class, user *kernelGroup
}

// gather collects the like jobs of a request.
func (k *Kernel) gather(r *workload.Request) kernelKin {
	x := featuresOf(r, math.Log2)
	kin := kernelKin{&k.none, &k.none}
	kind, others := &kin.class.kernelHistory, &k.all.kernelHistory
	if u := k.users[r.User]; u != nil {
		kin.user = u
	}
	if g := k.groups[r.Group]; len(kin.user.all) > 0 {
		others = &kin.user.kernelHistory
		kind = cmp.Or(k.kinds[x.kind], kind)
		kin.class = cmp.Or(k.classes[x.kind.class()], kin.class)
	} else if g != nil {
		others = g
	}
	k.like.gather(&x, r, [3]*kernelHistory{kind, &kin.class.kernelHistory, others})
	return kin
}

// shares are those of the weightings for the user and the class of a request.
func (k *Kernel) shares(kin *kernelKin) [kernelWays]float64 {
	return kernelShares(&k.all.gains, &kin.user.gains, &kin.class.gains)
}

// fill makes the distribution of the like jobs.
func (k *Kernel) fill(d *Distribution, r *workload.Request) {
	d.values = append(d.values[:0], k.like.values[:k.like.n]...)
	d.weights = append(d.weights[:0], k.like.mixture[:k.like.n]...)
	most, ok := requestedTime(r)
	if !ok {
		most = k.longest
	}
	d.setTails(most)
	d.logits = k.aim.read()
}

// kernelLeast is the run time, s, as which shorter ones count in ratios.
const kernelLeast = 1e-3

// Observe implements Predictor.
func (k *Kernel) Observe(j *workload.Job) {
	x := featuresOf(&j.Request, math.Log2)
	root := math.Sqrt(1 + j.Run)
	x.run, x.inverse, x.length = j.Run, 1/max(j.Run, kernelLeast), root*math.Sqrt(root)
	k.longest = max(k.longest, j.Run)
	user, class := entryOf(k.users, j.User), entryOf(k.classes, x.kind.class())
	if p := k.pending.take(&j.Request); p != nil {
		k.learn(p, kernelKin{class, user}, j.Run)
	}
	entryOf(k.kinds, x.kind).put(x, kernelOfKind)
	class.put(x, kernelOfKind)
	user.put(x, kernelOfUser)
	class.runs.put(j.Run, quantileHistory)
	user.runs.put(j.Run, quantileHistory)
	if j.Group != workload.Unknown {
		entryOf(k.groups, j.Group).put(x, kernelOfUser)
	}
	k.all.put(x, kernelOfUser)
}

// entryOf returns what a map has for a key, which is new where it had nothing.
func entryOf[K comparable, V any](m map[K]*V, key K) *V {
	v := m[key]
	if v == nil {
		v = new(V)
		m[key] = v
	}
	return v
}

// learn enters the run time of a job that was predicted.
func (k *Kernel) learn(p *kernelAsked, kin kernelKin, run float64) {
	var gains [kernelWays]float64
	for i, point := range p.ways {
		gains[i] = stats.Accuracy(point, run)
	}
	k.all.gains.add(&gains, kernelMemoryAll)
	kin.user.gains.add(&gains, kernelMemoryUser)
	kin.class.gains.add(&gains, kernelMemoryClass)

	for i := range k.points {
		k.points[i].learn(&p.points[i], &kin.user.losses[i], &kin.class.losses[i], run)
	}
	k.accurate.learn(&p.accurate, run)
	k.aim.learn(&p.said, run)
}

// kernelAsked is what is remembered of a prediction until its job ends.
type kernelAsked struct {
	ways   [kernelWays]float64 // points of the weightings
	points [kernelPoints]kernelSaidPoint
	said   [kernelLevelN]float64 // quantiles of kernelProbabilities

	accurate [kernelSources]float64 // sources of kernelAccurate
}

// kernelPending holds the predictions for the jobs that have not ended: for the last
// 65,536 to 131,072 of them.
type kernelPending struct {
	newer, older map[kernelID]*kernelAsked
	free         *kernelAsked // what was taken last, for the next
}

const kernelPendingJobs = 1 << 16

// kernelID identifies a job: one of the numbers may be the same for all jobs.
type kernelID struct{ id, row int64 }

// put returns the place of the prediction for a request.
func (p *kernelPending) put(r *workload.Request) *kernelAsked {
	if p.newer == nil || len(p.newer) == kernelPendingJobs {
		p.newer, p.older = map[kernelID]*kernelAsked{}, p.newer
	}
	a := p.free
	if p.free = nil; a == nil {
		a = new(kernelAsked)
	}
	p.newer[kernelID{r.ID, r.Row}] = a
	return a
}

// take returns the prediction for a request, nil if there is none. It is valid until the
// next put.
func (p *kernelPending) take(r *workload.Request) *kernelAsked {
	id := kernelID{r.ID, r.Row}
	for _, m := range []map[kernelID]*kernelAsked{p.newer, p.older} {
		if a := m[id]; a != nil {
			delete(m, id)
			p.free = a
			return a
		}
	}
	return nil
}
