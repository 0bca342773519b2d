package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// KernelName is what Kernel is called among the predictors.
const KernelName = "kernel"

// Kernel predicts the whole distribution of a job's run time: the run times of
// like jobs that ended, each with a weight. It answers with the point of that
// distribution that is best for an objective.
//
// The like jobs are the last 20 of the job's own kind (same user, application,
// queue, partition, size and request) and the last 60 of its user; for a user of
// whom none has ended the last 60 of the group, else of all. A run time beyond
// the request counts as the request. Four weightings (see kernelWeightings)
// differ in how fast a job fades behind newer ones and how much likeness counts.
// Their mixture is the distribution; the share of each follows its past
// accuracy, for the user and for all, by exponential weights that forget.
//
// Levels of quantiles are corrected by what happened: see kernelLevels.
//
// Before any job has ended the prediction is the request, else the time since
// the first request, in which no job has ended; the first of all then has none.
//
// Memory grows with the number of users and kinds of job, of which each keeps
// the jobs above, and not with the length of the log.
type Kernel struct {
	optimise stats.Objective
	kinds    map[kernelKind]*kernelHistory
	users    map[int64]*kernelUser
	groups   map[int64]*kernelHistory
	all      kernelHistory
	gains    kernelGains // of all users
	levels   [kernelBins]kernelLevels
	longest  float64 // run time, s
	first    float64 // submission, s; NaN before it
	pending  kernelPending
	like     kernelLike
	scratch  Distribution
}

var _ Predictor = (*Kernel)(nil)

// NewKernel returns a Kernel that has seen nothing. It is an error if an option
// is out of range.
func NewKernel(o Options) (*Kernel, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Kernel{
		optimise: o.settings().optimise,
		first:    math.NaN(),
		kinds:    map[kernelKind]*kernelHistory{},
		users:    map[int64]*kernelUser{},
		groups:   map[int64]*kernelHistory{},
	}, nil
}

// kernelUser is what is known of one user.
type kernelUser struct {
	kernelHistory
	gains  kernelGains
	levels kernelLevels
	jobs   int // that ended
}

// Predict implements Predictor. The number of observations is that of the like
// jobs.
func (k *Kernel) Predict(r workload.Request) (workload.Prediction, bool) {
	n, p := k.gather(&r)
	if n == 0 {
		seconds := k.before(&r)
		return workload.Prediction{Seconds: seconds}, seconds > 0
	}
	p.points = k.like.points(k.shares(p.user))
	k.fill(&k.scratch, &r, p)
	p.said = k.scratch.said()
	k.pending.put(&r, p)
	return workload.Prediction{Seconds: k.scratch.Point(k.optimise), Observations: n}, true
}

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
// false where no job has ended yet. Unlike Predict it leaves no trace: what
// becomes of the request teaches nothing about this answer.
func (k *Kernel) Distribution(r workload.Request) (Distribution, bool) {
	n, p := k.gather(&r)
	if n == 0 {
		return Distribution{}, false
	}
	k.like.points(k.shares(p.user))
	var d Distribution
	k.fill(&d, &r, p)
	return d, true
}

// gather collects the like jobs of a request, and says how many there are.
func (k *Kernel) gather(r *workload.Request) (int, kernelAsked) {
	x := newKernelJob(r)
	p := kernelAsked{user: k.users[r.User], kind: k.kinds[x.kind]}
	k.like.reset(&x, r)
	if p.user != nil {
		p.bin = kernelBin(p.user.jobs)
		k.like.add(p.kind, &p.user.kernelHistory)
	} else if g := k.groups[r.Group]; g != nil {
		k.like.add(nil, g)
	} else {
		k.like.add(nil, &k.all)
	}
	return k.like.n, p
}

// shares are those of the weightings for a user, who may be nil.
func (k *Kernel) shares(u *kernelUser) [kernelWays]float64 {
	var own kernelGains
	if u != nil {
		own = u.gains
	}
	return k.gains.shares(&own)
}

// fill makes the distribution of the like jobs.
func (k *Kernel) fill(d *Distribution, r *workload.Request, p kernelAsked) {
	d.values = append(d.values[:0], k.like.values[:k.like.n]...)
	d.weights = append(d.weights[:0], k.like.mixture[:k.like.n]...)
	most, ok := limit(r)
	if !ok {
		most = k.longest
	}
	d.request = math.NaN()
	if ok {
		d.request = most
	}
	d.setTails(most)
	levels := k.levels[p.bin]
	if p.user != nil {
		levels.shift(&p.user.levels)
	}
	d.correct(&levels)
}

// Observe implements Predictor.
func (k *Kernel) Observe(j workload.Job) {
	x := newKernelJob(&j.Request)
	x.run, x.inverse, x.root = j.Run, 1/max(j.Run, kernelLeast), math.Sqrt(1+j.Run)
	k.longest = max(k.longest, j.Run)
	u := k.users[j.User]
	if u == nil {
		u = new(kernelUser)
		k.users[j.User] = u
	}
	if p, ok := k.pending.take(&j.Request); ok {
		var gains [kernelWays]float64
		for i, point := range p.points {
			gains[i] = stats.Accuracy(point, j.Run)
		}
		k.gains.add(&gains, kernelForgetAll)
		u.gains.add(&gains, kernelForgetUser)
		k.levels[p.bin].learn(&p.said, &j, kernelStepAll)
		u.levels.learn(&p.said, &j, kernelStepUser(u.jobs))
	}
	h := k.kinds[x.kind]
	if h == nil {
		h = new(kernelHistory)
		k.kinds[x.kind] = h
	}
	h.add(&x, kernelOfKind)
	u.add(&x, kernelOfUser)
	u.jobs++
	if j.Group != workload.Unknown {
		g := k.groups[j.Group]
		if g == nil {
			g = new(kernelHistory)
			k.groups[j.Group] = g
		}
		g.add(&x, kernelOfUser)
	}
	k.all.add(&x, kernelOfUser)
}

// kernelLeast is the shortest run time that weightings are told apart by, s.
const kernelLeast = 1e-3
