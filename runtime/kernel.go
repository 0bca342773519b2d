package runtime

import (
	"cmp"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Kernel predicts the whole distribution of a job's run time: the run times of
// similar jobs that have ended, each with a weight. Its prediction is the point of that
// distribution that is best for an objective.
//
// The similar jobs are the last 20 of the job's own kind (same user, application,
// queue, partition, size, requested time and askedColumns), the last 20 of its class (same
// user, application, partition and size), and the last 40 of its user. If no job of the user
// has ended, they are the last 40 of the user's group or, if none of it has ended, of all jobs.
// A run time above the requested time counts as the requested time. Four weightings (see
// kernelWeightings) differ in how fast the weight of a job decays as newer ones end and how
// much similarity counts. The distribution is their mixture. The share of each follows its
// past accuracy for the class, the user and all jobs, by exponential weights with a fading
// memory.
//
// The levels of quantiles are calibrated by past run times: see kernelAim. Bound and the point of
// the smallest absolute error combine the distribution with other points: see kernelPoint. The
// point of the highest accuracy is that of the distribution, unless another has been more
// accurate: see kernelAccurate.
//
// Before any job has ended, the prediction is the requested time or, without one, the time since
// the first submission, during which no job has ended; if that is 0, there is no prediction.
//
// Memory grows with the number of users, groups, classes and kinds of jobs, each of which keeps
// the jobs above, and for users and classes also the last thousand run times; it does not grow
// with the length of the log.
type Kernel struct {
	objective stats.Objective
	kinds     map[jobKind]*kernelHistory
	classes   map[kernelClass]*kernelGroup
	users     map[int64]*kernelGroup
	groups    map[int64]*kernelHistory
	all       kernelGroup
	none      kernelGroup // stands for an unknown user or class; stays empty
	aim       kernelAim
	points    [kernelPoints]kernelPoint
	accurate  kernelAccurate
	longest   float64 // longest run time, s
	first     float64 // first submission, s; NaN before it
	pending   kernelPending
	like      kernelLike
	scratch   Distribution
	answered  bool // scratch, last and accuracy belong to the last prediction
	last      [kernelPoints]float64
	accuracy  float64 // last point of kernelAccurate
}

// kernelPoints is the number of kernelPoint values of a Kernel: the median, then the bound.
const kernelPoints = 2

// kernelGroup is the history of a class of jobs or of a user.
type kernelGroup struct {
	kernelHistory
	gains  kernelGains
	losses [kernelPoints]kernelLosses
	runs   sortedRing // last quantileHistory run times
}

// kernelRule is the Rule of a Kernel, a single predictor for all classes.
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

// NewKernel returns a Kernel that has observed no job. Its predictions are the best for the
// objective, its bounds the quantiles of level, in (0, 1).
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

// Predict implements Predictor. The number of observations is the number of similar
// jobs.
func (k *Kernel) Predict(r *workload.Request) (workload.Prediction, bool) {
	kin := k.gather(r)
	if k.answered = k.like.n > 0; !k.answered { // no job has ended
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

// best returns the last prediction for an objective, in seconds.
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
// probability 1 - level; NaN if no job had ended.
func (k *Kernel) Bound() float64 {
	if !k.answered {
		return math.NaN()
	}
	return k.last[1]
}

// For returns a Predictor of the predictions of k for another objective. Its Predict must be
// called for each request just after that of k. It learns nothing itself.
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

// before returns the prediction before any job has ended, in seconds; 0 if there is none.
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
// false if no job has ended yet. Unlike Predict, it does not record the prediction, so the
// Kernel does not learn from it.
func (k *Kernel) Distribution(r *workload.Request) (d Distribution, ok bool) {
	kin := k.gather(r)
	if k.like.n == 0 {
		return d, false
	}
	k.like.points(k.shares(&kin))
	k.fill(&d, r)
	return d, true
}

// kernelKin contains the histories of a request's class and user.
type kernelKin struct {
	class, user *kernelGroup
}

// gather collects the similar jobs of a request in k.like.
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

// shares returns the shares of the weightings for the user and the class of a request.
func (k *Kernel) shares(kin *kernelKin) [kernelWays]float64 {
	return kernelShares(&k.all.gains, &kin.user.gains, &kin.class.gains)
}

// fill fills in the distribution from the similar jobs.
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

// kernelLeast is the smallest run time in ratios, s; shorter ones count as this long.
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

// entryOf returns the value of a map for a key, which it creates if there is none.
func entryOf[K comparable, V any](m map[K]*V, key K) *V {
	v := m[key]
	if v == nil {
		v = new(V)
		m[key] = v
	}
	return v
}

// learn updates the gains, losses and corrections with the run time of a job that was
// predicted.
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

// kernelAsked contains the parts of a prediction that are kept until its job ends.
type kernelAsked struct {
	ways   [kernelWays]float64 // points of the weightings
	points [kernelPoints]kernelSaidPoint
	said   [kernelLevelN]float64 // quantiles of kernelProbabilities

	accurate [kernelSources]float64 // sources of kernelAccurate
}

// kernelPending holds the predictions for jobs that have not ended, at most the last 65,536 to
// 131,072 of them.
type kernelPending struct {
	newer, older map[kernelID]*kernelAsked
	free         *kernelAsked // the one taken last, for reuse
}

const kernelPendingJobs = 1 << 16

// kernelID identifies a job. Either number alone may be the same for all jobs.
type kernelID struct{ id, row int64 }

// put adds an entry for a request and returns it; the caller fills it in.
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

// take removes and returns the entry of a request, nil if there is none. The entry is valid
// until the next put.
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
