package runtime

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// kernelPoint predicts the quantile of run times with the smallest expected stats.QuantileLoss;
// at level 0.5 that is half the absolute error. The prediction is a weighted mean of kernelSources
// points. Since the loss is convex, the loss of the mean is at most the weighted mean of the
// losses of the points. The weights are inversely proportional to the ninth power of past losses:
// a combination of experts as in Cesa-Bianchi and Lugosi (2006), "Prediction, Learning, and
// Games", whose bounds are not claimed for these weights.
//
// The past losses are those of the class, in units of their mean, each job counting once,
// combined with those of the user, which count as kernelPrior jobs. Those of the user are
// combined with those of all in the same way. The class alone would not do: until its first
// long job ends, the lowest point has the smallest loss.
//
// A bound, that is a level above 0.5, is then shifted so that it covers its share of the jobs in
// the long run, as by a kernelAim. The shift is in units of the losses, which keeps the bounds
// of short jobs short.
type kernelPoint struct {
	level float64
	all   kernelLosses
	shift float64
}

// kernelSources is the number of points that are combined: the quantile of the similar jobs; the
// quantile of the last thousand run times of the class or, if fewer than kernelEnough jobs of the
// class have ended, of the user; the requested time; and the mean of the similar jobs. The first
// point stands for the second and third if they are unknown.
const (
	kernelSources = 4
	kernelEnough  = 10
)

const (
	kernelPrior      = 300
	kernelLossMemory = 1000   // jobs in which losses of a class and of a user decay to 1/e
	kernelLossesAll  = 10_000 // jobs in which losses of all decay to 1/e
	kernelShift      = 0.3    // the step of kernelPoint.shift is kernelShift/sqrt(kernelLosses.jobs)
)

// kernelLosses contains the mean losses of the sources over past jobs, with decaying weights for
// older ones: seconds for a kernelPoint, 1 - accuracy for kernelAccurate.
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

// scale returns the mean of the losses of all sources.
func (l *kernelLosses) scale() float64 {
	sum := 0.0
	for _, m := range l.means {
		sum += m
	}
	return sum / kernelSources
}

// backed returns the losses in units of their scale, averaged with those of a larger group, which
// count as kernelPrior jobs.
func (l *kernelLosses) backed(larger [kernelSources]float64) [kernelSources]float64 {
	if scale := l.scale(); scale > 0 {
		own := l.jobs / (l.jobs + kernelPrior)
		for i := range larger {
			larger[i] += own * (l.means[i]/scale - larger[i])
		}
	}
	return larger
}

// kernelSaidPoint is a prediction of a kernelPoint, which learns from it when the job ends.
type kernelSaidPoint struct {
	sources  [kernelSources]float64
	combined float64 // s
}

// combine returns the weighted mean of the sources plus the shift, in seconds, at least 0.
func (p *kernelPoint) combine(sources *[kernelSources]float64, user, class *kernelLosses) float64 {
	losses := class.backed(user.backed(p.all.backed([kernelSources]float64{1, 1, 1, 1})))
	least := slices.Min(losses[:])
	sum, total := 0.0, 0.0
	for i, loss := range losses {
		w := least / loss
		w *= w * w // to the ninth power, which leaves little weight for poor sources
		w *= w * w
		sum, total = sum+w*sources[i], total+w
	}
	unit := class
	if class.jobs == 0 {
		unit = user
	}
	return max(0, sum/total+p.shift*unit.scale())
}

// learn updates the losses and the shift with the run time of a job that was predicted.
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

// point returns the prediction of kernelPoint i for a request from the similar jobs in k.scratch.
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

// kernelAccurate predicts the point of the highest accuracy. It chooses one of kernelSources
// points: that of the similar jobs; the median of kernelPoint; the requested time or, without one,
// the first point; and the geometric mean of the first two. The requested time is best if users
// know how long their jobs take. The loss of accuracy is not convex, so the sources are not mixed.
type kernelAccurate struct{ losses kernelLosses }

// kernelBetter is the ratio of mean losses of accuracy over all jobs below which another source
// is preferred to the first, once there are kernelPrior jobs.
const kernelBetter = 0.98

// accurateSources returns the sources of a kernelAccurate for a request.
func accurateSources(r *workload.Request, likeJobs, median float64) [kernelSources]float64 {
	time, requested := requestedTime(r)
	if !requested {
		time = likeJobs
	}
	return [kernelSources]float64{likeJobs, median, time, math.Sqrt(likeJobs * median)}
}

// point returns the preferred source.
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

// learn updates the losses with the run time of a job that was predicted.
func (a *kernelAccurate) learn(sources *[kernelSources]float64, run float64) {
	var losses [kernelSources]float64
	for i, source := range sources {
		losses[i] = 1 - stats.Accuracy(source, run)
	}
	a.losses.add(&losses, kernelLossesAll)
}
