package grid

import (
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// forecaster predicts the run times of jobs at speed 1, and corrects the predictions of
// running and waiting jobs when jobs of their classes end.
//
// The paper does not define the prediction for a job whose class has no history. Here it
// comes from the coarser classes in turn, then from the user's estimate, and else is
// sched.DefaultEstimate, a day, as for the first jobs of a log.
type forecaster struct {
	own     bool // each cluster is first asked for the jobs of the class that ran on it
	levels  []level
	learned []*class  // jobs of theirs have ended: the estimates of the others are to be corrected
	watches [][]watch // by job, one for each level that can change its estimate
}

// level is one place where a prediction is looked for: a predictor and the classes that it was
// asked for; with own history those of each cluster.
type level struct {
	classes   runtime.Classes
	histories []history
}

type history struct {
	predictor runtime.Predictor
	classes   map[runtime.Key]*class
}

// class is the jobs of a class that run or wait, as far as they had to look into this history.
type class struct {
	jobs    []int32 // keys
	learned bool    // it is in forecaster.learned
}

// watch is where a job stands among those of its class.
type watch struct {
	class *class
	place int32
}

// estimate is a run time at speed 1 and where it is from.
type estimate struct {
	seconds float64
	level   int8 // whose prediction it is; the number of levels where it is none's
}

func newForecaster(predictor string, o *Options) (*forecaster, error) {
	f := &forecaster{own: o.History == HistoryCluster && len(o.Grid.Clusters) > 1} // one cluster's own jobs are all there are
	names := o.Classes
	if f.own {
		names = append([]string{names[0]}, names...)
	}
	for i, name := range names {
		classes, err := runtime.ClassesByName(name)
		if err != nil {
			return nil, err
		}
		l := level{classes: classes, histories: make([]history, 1)}
		if f.own && i == 0 {
			l.histories = make([]history, len(o.Grid.Clusters))
		}
		for k := range l.histories {
			p, err := runtime.New(predictor, classes)
			if fault := (*workload.OptionError)(nil); errors.As(err, &fault) {
				err = &workload.OptionError{Option: "policies", Saw: fault.Saw, Want: fault.Want}
			}
			if err != nil {
				return nil, err
			}
			l.histories[k] = history{p, map[runtime.Key]*class{}}
		}
		f.levels = append(f.levels, l)
	}
	return f, nil
}

func (l *level) at(cluster int) *history { return &l.histories[min(cluster, len(l.histories)-1)] }

// of predicts a run time on a cluster.
func (f *forecaster) of(r *workload.Request, cluster int) estimate {
	for i := range f.levels {
		if p, ok := f.levels[i].at(cluster).predictor.Predict(r); ok && isTime(p.Seconds) {
			return estimate{p.Seconds, int8(i)}
		}
	}
	e := estimate{sched.DefaultEstimate, int8(len(f.levels))}
	if r.Time > 0 && isTime(r.Time) {
		e.seconds = r.Time
	}
	return e
}

func isTime(t float64) bool { return t >= 0 && !math.IsInf(t, 1) }

// enter remembers the classes of a job that a cluster has got, up to that of its estimate: a
// finer one may come to know.
func (f *forecaster) enter(key int32, j *ectJob) {
	for int(key) >= len(f.watches) {
		f.watches = append(f.watches, nil)
	}
	for i := range min(int(j.estimate.level)+1, len(f.levels)) {
		l := &f.levels[i]
		classes, of := l.at(int(j.cluster)).classes, l.classes.Key(j.request)
		c := classes[of]
		if c == nil {
			c = &class{}
			classes[of] = c
		}
		f.watches[key] = append(f.watches[key], watch{c, int32(len(c.jobs))})
		c.jobs = append(c.jobs, key)
	}
}

// leave undoes enter.
func (f *forecaster) leave(key int32) {
	for i, w := range f.watches[key] {
		last := w.class.jobs[len(w.class.jobs)-1]
		w.class.jobs[w.place] = last
		f.watches[last][i].place = w.place
		w.class.jobs = w.class.jobs[:len(w.class.jobs)-1]
	}
	f.watches[key] = f.watches[key][:0]
}

// observe learns from a job that ended on a cluster.
func (f *forecaster) observe(j *workload.Job, cluster int) {
	for i := range f.levels {
		l := &f.levels[i]
		h := l.at(cluster)
		h.predictor.Observe(j)
		if c := h.classes[l.classes.Key(&j.Request)]; c != nil && len(c.jobs) > 0 && !c.learned {
			c.learned = true
			f.learned = append(f.learned, c)
		}
	}
}
