package runtime

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// kernelPoint predicts a quantile of run times, for the smallest expected stats.QuantileLoss;
// that of 0.5 is half the absolute error. It is a weighted mean of kernelSources points. As
// the loss is convex, the mean loses no more than its points do on average, by their weights,
// which fall with the ninth power of past losses: combining experts as in Cesa-Bianchi and Lugosi (2006),
// "Prediction, Learning, and Games", whose bounds are not claimed for these weights.
//
// The weights are those of the losses of the class, in units of their mean, which count for
// as many jobs as there are, with those of the user counting for kernelPrior more jobs, and
// those of all for as many beside the user's. A class alone would not do: until the first
// long job ends, the lowest point has lost least.
//
// A bound, of a level above 0.5, is then shifted so that it covers its share of the jobs in
// the long run, as a kernelAim is; in units of the losses, which keeps short jobs' bounds
// short.
type kernelPoint struct {
	level float64
	all   kernelLosses
	shift float64
}

// kernelSources is how many points are combined: the quantile of the like jobs; that of the
// class's last thousand run times, or of the user's where fewer than kernelEnough of the class
// have ended; the request, or again the first; and the mean of the like jobs.
const (
	kernelSources = 4
	kernelEnough  = 10
)

const (
	kernelPrior      = 300
	kernelLossMemory = 1000   // jobs in which losses of a class and of a user fade to 1/e
	kernelLossesAll  = 10_000 // and those of all
	kernelShift      = 0.3    // over the root of the jobs that kernelLosses remembers, the step of kernelPoint.shift
)

// kernelLosses are mean losses, s, of the sources over past jobs, of which older ones fade.
type kernelLosses struct {
	means [kernelSources]float64
	jobs  float64
}

func (l *kernelLosses) add(losses *[kernelSources]float64, memory float64) {
	l.jobs = min(l.jobs+1, memory)
	for i, loss := range losses {
		l.means[i] += (loss - l.means[i]) / l.jobs
	}
}

// scale is the mean of all sources.
func (l *kernelLosses) scale() float64 {
	sum := 0.0
	for _, m := range l.means {
		sum += m
	}
	return sum / kernelSources
}

// backed returns the losses in units of their scale, with those of a larger group counting
// for kernelPrior jobs.
func (l *kernelLosses) backed(larger [kernelSources]float64) [kernelSources]float64 {
	if scale := l.scale(); scale > 0 {
		own := l.jobs / (l.jobs + kernelPrior)
		for i := range larger {
			larger[i] += own * (l.means[i]/scale - larger[i])
		}
	}
	return larger
}

// kernelSaidPoint is what a kernelPoint learns from.
type kernelSaidPoint struct {
	sources  [kernelSources]float64
	combined float64 // s
}

// combine returns the weighted mean of the sources, shifted.
func (p *kernelPoint) combine(sources *[kernelSources]float64, user, class *kernelLosses) float64 {
	losses := class.backed(user.backed(p.all.backed([kernelSources]float64{1, 1, 1, 1})))
	least := slices.Min(losses[:])
	sum, total := 0.0, 0.0
	for i, loss := range losses {
		w := least / loss
		w *= w * w // to the ninth power, of which the sources in the wrong have little
		w *= w * w
		sum, total = sum+w*sources[i], total+w
	}
	unit := class
	if class.jobs == 0 {
		unit = user
	}
	return max(0, sum/total+p.shift*unit.scale())
}

// learn enters the run time of a job that was predicted.
func (p *kernelPoint) learn(said *kernelSaidPoint, user, class *kernelLosses, run float64) {
	var losses [kernelSources]float64
	for i, source := range said.sources {
		losses[i] = stats.QuantileLoss(p.level, source, run)
	}
	p.all.add(&losses, kernelLossesAll)
	user.add(&losses, kernelLossMemory)
	class.add(&losses, kernelLossMemory)
	if p.level > 0.5 {
		miss := p.level - 1
		if run > said.combined {
			miss = p.level
		}
		p.shift = min(max(p.shift+miss*kernelShift/math.Sqrt(p.all.jobs), -kernelLimit), kernelLimit)
	}
}

// point is the prediction of a kernelPoint from the like jobs in k.scratch.
func (k *Kernel) point(i int, r *workload.Request, kin *kernelKin) (said kernelSaidPoint) {
	p := &k.points[i]
	sample := k.scratch.sample(p.level)
	said.sources = [kernelSources]float64{sample, sample, sample, k.scratch.mean}
	time, requested := requestedTime(r)
	for _, runs := range []*sortedRing{&kin.class.runs, &kin.user.runs} {
		if n := len(runs.sorted); n >= kernelEnough {
			rank := math.Ceil(p.level*float64(n+1) - 1e-9)
			said.sources[1] = runs.sorted[min(n, max(1, int(rank)))-1]
			if requested {
				said.sources[1] = min(said.sources[1], time)
			}
			break
		}
	}
	if requested {
		said.sources[2] = time
	}
	said.combined = p.combine(&said.sources, &kin.user.losses[i], &kin.class.losses[i])
	return said
}

// kernelAccurate chooses the point of the highest accuracy among kernelSources: that of the like
// jobs; the median of kernelPoint; the request, or again the first; and the geometric mean of the
// first two. Where users know how long their jobs take, the like jobs say less than they do. A
// loss of accuracy is not convex, so that the sources are not mixed.
type kernelAccurate struct{ losses kernelLosses }

// kernelBetter is the share of the first source's loss of accuracy that another has at most,
// over all jobs and at least kernelPrior of them, to be preferred.
const kernelBetter = 0.98

// accurateSources returns the sources of a kernelAccurate for a request.
func accurateSources(r *workload.Request, likeJobs, median float64) [kernelSources]float64 {
	time, requested := requestedTime(r)
	if !requested {
		time = likeJobs
	}
	return [kernelSources]float64{likeJobs, median, time, math.Sqrt(likeJobs * median)}
}

// point returns the source that is preferred.
func (a *kernelAccurate) point(sources *[kernelSources]float64) float64 {
	if a.losses.jobs < kernelPrior {
		return sources[0]
	}
	best, least := 0, kernelBetter*a.losses.means[0]
	for i, loss := range a.losses.means[1:] {
		if loss < least {
			best, least = i+1, loss
		}
	}
	return sources[best]
}

// learn enters the run time of a job that was predicted.
func (a *kernelAccurate) learn(sources *[kernelSources]float64, run float64) {
	var losses [kernelSources]float64
	for i, source := range sources {
		losses[i] = 1 - stats.Accuracy(source, run)
	}
	a.losses.add(&losses, kernelLossesAll)
}
