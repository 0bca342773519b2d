package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// KernelName is the name of Kernel among the predictors.
const KernelName = "kernel"

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
// Levels of quantiles are corrected by what happened: see kernelCounts and
// kernelAim.
//
// Before any job has ended the prediction is the request, else the time since
// the first request, in which no job has ended; the first of all then has none.
//
// Memory grows with the number of users and kinds of job, of which each keeps
// the jobs above, and not with the length of the log.
type Kernel struct {
	optimise stats.Objective
	kinds    map[kernelKind]*kernelHistory
	classes  map[kernelClass]*kernelClassed
	users    map[int64]*kernelUser
	groups   map[int64]*kernelHistory
	all      kernelHistory
	asked    askedPool
	gains    kernelGains  // of all users
	counts   kernelCounts // of all users
	bins     [kernelBins]kernelCounts
	aim      kernelAim
	longest  float64 // run time, s
	first    float64 // submission, s; NaN before it
	pending  kernelPending
	like     kernelLike
	scratch  Distribution
	answered bool // scratch is that of the last prediction
}

var _ Predictor = (*Kernel)(nil)

// kernelRule is the Rule of a Kernel, which learns from all classes for all.
type kernelRule struct {
	Optimise stats.Objective `opt:"optimise" help:"score"`
	Level    float64         `opt:"q" in:"(0,1)" help:"quantile of run times"`
}

func (kernelRule) Name() string { return KernelName }

func (r kernelRule) New() (Predictor, error) { return NewKernel(r.Optimise), nil }

// Choices returns the names of the objectives.
func (kernelRule) Choices(parameter string) []string {
	if parameter == "optimise" {
		return stats.ObjectiveNames()
	}
	return nil
}

// NewKernel returns a Kernel that has seen nothing. Its point predictions are the best for
// an objective.
func NewKernel(optimise stats.Objective) *Kernel {
	return &Kernel{
		optimise: optimise,
		first:    math.NaN(),
		kinds:    map[kernelKind]*kernelHistory{},
		classes:  map[kernelClass]*kernelClassed{},
		users:    map[int64]*kernelUser{},
		groups:   map[int64]*kernelHistory{},
	}
}

// kernelUser is what is known of one user.
type kernelUser struct {
	kernelHistory
	gains  kernelGains
	counts kernelCounts
	asked  int // jobs that were submitted
	burst  int // of them, since the last end
}

// kernelClassed is what is known of one class.
type kernelClassed struct {
	kernelHistory
	gains kernelGains
}

// Predict implements Predictor. The number of observations is that of the like
// jobs.
func (k *Kernel) Predict(r workload.Request) (workload.Prediction, bool) {
	n, p := k.gather(&r)
	p.user = entryOf(k.users, r.User)
	p.user.asked++
	p.user.burst++
	k.answered = n > 0
	if n == 0 {
		seconds := k.before(&r)
		return workload.Prediction{Seconds: seconds}, seconds > 0
	}
	p.weight = 1 / math.Sqrt(float64(p.user.burst))
	p.points = k.like.points(k.shares(&p))
	k.fill(&k.scratch, &r, &p)
	p.said = k.scratch.said()
	k.pending.put(&r, p)
	return workload.Prediction{Seconds: k.scratch.Point(k.optimise), Observations: n}, true
}

// Last returns the distribution behind the last prediction of Predict, and false where
// no job had ended by then. It is valid until the next call of a method of k, and not to
// be altered.
func (k *Kernel) Last() (*Distribution, bool) { return &k.scratch, k.answered }

// before is the prediction before any job has ended; 0 for none.
func (k *Kernel) before(r *workload.Request) float64 {
	if math.IsNaN(k.first) {
		k.first = r.Submit
	}
	if seconds, ok := limit(r); ok {
		return seconds
	}
	return max(0, r.Submit-k.first)
}

// Distribution returns the predictive distribution of a request's run time, and
// false if no job has ended yet. Unlike Predict it does not change the Kernel, which
// does not learn from this prediction.
func (k *Kernel) Distribution(r workload.Request) (Distribution, bool) {
	n, p := k.gather(&r)
	if n == 0 {
		return Distribution{}, false
	}
	k.like.points(k.shares(&p))
	var d Distribution
	k.fill(&d, &r, &p)
	return d, true
}

// gather collects the like jobs of a request, and returns how many there are.
func (k *Kernel) gather(r *workload.Request) (int, kernelAsked) {
	x := k.job(r)
	p := kernelAsked{user: k.users[r.User]}
	if p.user != nil {
		p.bin = kernelBin(p.user.asked)
	}
	k.like.reset(&x, r, &k.asked)
	if p.user != nil && len(p.user.jobs) > 0 {
		p.kind, p.class = k.kinds[x.kind], k.classes[x.kind.class()]
		var class *kernelHistory
		if p.class != nil {
			class = &p.class.kernelHistory
		}
		k.like.add(p.kind, class, &p.user.kernelHistory)
	} else if g := k.groups[r.Group]; g != nil {
		k.like.add(nil, nil, g)
	} else {
		k.like.add(nil, nil, &k.all)
	}
	return k.like.n, p
}

// shares are those of the weightings for the user and the class of a request.
func (k *Kernel) shares(p *kernelAsked) [kernelWays]float64 {
	var user, class kernelGains
	if p.user != nil {
		user = p.user.gains
	}
	if p.class != nil {
		class = p.class.gains
	}
	return kernelShares(&k.gains, &user, &class)
}

// fill makes the distribution of the like jobs.
func (k *Kernel) fill(d *Distribution, r *workload.Request, p *kernelAsked) {
	d.values = append(d.values[:0], k.like.values[:k.like.n]...)
	d.weights = append(d.weights[:0], k.like.mixture[:k.like.n]...)
	most, ok := limit(r)
	if !ok {
		most = k.longest
	}
	d.setTails(most)
	var user kernelCounts
	if p.user != nil {
		user = p.user.counts
	}
	shares := kernelHeld(&k.counts, &k.bins[p.bin], &user)
	d.levels = k.aim.levels(&shares)
}

// kernelLeast is the run time, s, as which shorter ones count in ratios.
const kernelLeast = 1e-3
