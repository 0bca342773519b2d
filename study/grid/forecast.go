package grid

import (
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// forecaster predicts the run times of jobs at speed 1, and corrects the predictions for
// running and waiting jobs when jobs of their classes end.
//
// The paper does not define the prediction for a job whose class has no history. Here it
// comes from the coarser classes in turn, then from the user's estimate; otherwise, as for
// the first jobs of a log, it is sched.DefaultEstimate, a day.
type forecaster struct {
	own       bool         // each cluster has a first history of the jobs that ran on it
	histories [][]*history // by cluster, in the order in which they are tried
	learned   []*class     // classes with ended jobs, whose other estimates must be updated
}

// history is a source of predictions: a predictor and its classes.
type history struct {
	classifier runtime.Classes
	predictor  runtime.Predictor
	classes    map[runtime.Key]*class
}

// class contains the running and waiting jobs of a class whose estimates come from this history
// or, because it had no prediction, from a later one; and possibly jobs for which this is no
// longer so.
type class struct {
	level   int // index of the history among those of a cluster
	jobs    []*ectJob
	learned bool // it is in forecaster.learned
}

// estimate is a run time at speed 1 and its source.
type estimate struct {
	seconds float64
	level   int // index of the history that predicts it; the number of histories if none does
}

func newForecaster(predictor string, o *Options) (*forecaster, error) {
	f := &forecaster{own: o.History == HistoryCluster && len(o.Grid.Clusters) > 1} // a single cluster runs all jobs
	var shared []*history
	for _, name := range o.Classes {
		h, err := newHistory(predictor, name)
		if err != nil {
			return nil, err
		}
		shared = append(shared, h)
	}
	for range o.Grid.Clusters {
		all := shared
		if f.own {
			own, err := newHistory(predictor, o.Classes[0])
			if err != nil {
				return nil, err
			}
			all = append([]*history{own}, shared...)
		}
		f.histories = append(f.histories, all)
	}
	return f, nil
}

func newHistory(predictor, classes string) (*history, error) {
	classifier, err := runtime.ClassesByName(classes)
	if err != nil {
		return nil, err
	}
	p, err := runtime.New(predictor, classifier)
	if fault := (*workload.OptionError)(nil); errors.As(err, &fault) {
		err = &workload.OptionError{Option: "policies", Saw: fault.Saw, Want: fault.Want}
	}
	return &history{classifier, p, map[runtime.Key]*class{}}, err
}

// of returns the estimate for a request on a cluster.
func (f *forecaster) of(r *workload.Request, cluster int) estimate {
	for i, h := range f.histories[cluster] {
		if p, ok := h.predictor.Predict(r); ok && isTime(p.Seconds) {
			return estimate{p.Seconds, i}
		}
	}
	e := estimate{sched.DefaultEstimate, len(f.histories[cluster])}
	if r.Time > 0 && isTime(r.Time) {
		e.seconds = r.Time
	}
	return e
}

func isTime(t float64) bool { return t >= 0 && !math.IsInf(t, 1) }

// enter adds a job sent to a cluster to its classes, from the level from up to the level of its
// estimate. It includes the finer levels, since they may have a prediction later.
func (f *forecaster) enter(j *ectJob, from int) {
	all := f.histories[j.cluster]
	for level := from; level < min(j.estimate.level+1, len(all)); level++ {
		h := all[level]
		key := h.classifier.Key(j.request)
		c := h.classes[key]
		if c == nil {
			c = &class{level: level}
			h.classes[key] = c
		}
		c.jobs = append(c.jobs, j)
	}
}

// observe learns from a job that has ended on a cluster.
func (f *forecaster) observe(j *workload.Job, cluster int) {
	for _, h := range f.histories[cluster] {
		h.predictor.Observe(j)
		if c := h.classes[h.classifier.Key(&j.Request)]; c != nil && !c.learned {
			c.learned = true
			f.learned = append(f.learned, c)
		}
	}
}
