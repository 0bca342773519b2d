package grid

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimePredictor predicts how long a job will run at speed 1, in seconds, and
// learns from those that ended; the predictors of package runtime are such.
type RunTimePredictor interface {
	// Predict returns the predicted run time, in seconds; false where there is none.
	Predict(workload.Request) (workload.Prediction, bool)
	// Observe learns from a job that has ended.
	Observe(workload.Job)
}

// Forecast determines how ECT predicts run times. The zero value is the paper's
// Last2, corrected, with this package's answer for classes without a history.
//
// A cluster asks the jobs of the class (the first of Classes) that ran on it:
// the paper's (user, application, size) on site, where the site is the cluster.
// The paper does not define the prediction if there are no such jobs. Here it
// comes from the same class over the whole grid, then from the coarser Classes
// in turn, then from the user's estimate, and else is sched.DefaultEstimate, a
// day, as for the first jobs of a log.
type Forecast struct {
	Predictor string // of package runtime, with its parameters; empty is "last2"
	// Classes are classifications of jobs, the finest first; empty means by
	// user, application and size, then by user, then all jobs. They do not
	// include the site, which is the cluster.
	Classes []runtime.Classes
	// Own makes each cluster learn from the jobs that ran on it: for the first
	// of Classes, these are asked first. Else every cluster learns from all
	// jobs.
	Own bool
	// Uncorrected makes a job keep the prediction made at its submission
	// (doubled when the job outlives it). Else a completion changes the
	// predictions of running and waiting jobs of its class.
	Uncorrected bool
}

func (f Forecast) predictor() string {
	if f.Predictor == "" {
		return "last2"
	}
	return f.Predictor
}

// DefaultClasses returns the names of the default classes of a Forecast.
func DefaultClasses() []string { return []string{"user+application+size", "user", "all"} }

func (f Forecast) classes() ([]runtime.Classes, error) {
	if len(f.Classes) > 0 {
		for _, c := range f.Classes {
			if slices.Contains(c.Columns(), "partition_id") {
				return nil, fmt.Errorf("grid: classes %q contain the log's site, but the site of a job is the cluster that it is sent to", c.Name)
			}
		}
		return f.Classes, nil
	}
	var all []runtime.Classes
	for _, name := range DefaultClasses() {
		c, err := runtime.ClassesByName(name)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// maxLevels bounds the places that a prediction is looked for.
const maxLevels = 8

// forecaster is a Forecast at work.
type forecaster struct {
	jobs      *ectJobs
	levels    []level
	corrected bool
	changed   []bool              // clusters whose plan no longer holds
	learned   [][]*stay           // by cluster: jobs whose estimates are to be made anew
	shared    estimate            // of the request, by the levels of the whole grid
	known     bool                // shared is that of the request
	slots     []int32             // of outdated
	requests  []*workload.Request // of outdated
	stays     []*stay             // all that there are
	watches   []watch             // by slot, one for each level
}

// level is one place where a prediction is looked for.
type level struct {
	classes runtime.Classes
	own     bool // each cluster has its own history
	history []history
}

// history is a predictor and the classes that it was asked for.
type history struct {
	predictor RunTimePredictor
	classes   map[runtime.Key]*class
}

// class is what corrections need of the jobs of one class in one history.
type class struct{ stays []*stay }

// stay is the jobs of a class that run or wait on one cluster, as far as they
// had to look into this history.
type stay struct {
	number  int32 // in forecaster.stays
	cluster int
	learned bool // it is in forecaster.learned
	slots   []int32
}

// watch is where a job stands among those of its class: few bytes, since each job
// that waits has as many as there are levels.
type watch struct {
	stay  int32 // in forecaster.stays
	place int32 // in the stay's slots
}

// on returns a class's jobs on a cluster.
func (f *forecaster) on(c *class, cluster int) *stay {
	for _, s := range c.stays {
		if s.cluster == cluster {
			return s
		}
	}
	s := &stay{number: int32(len(f.stays)), cluster: cluster}
	c.stays, f.stays = append(c.stays, s), append(f.stays, s)
	return s
}

// watch returns a job's watches, one for each level.
func (f *forecaster) watch(slot int32) []watch {
	n := len(f.levels)
	for at := n * (int(slot) + 1); len(f.watches) < at; {
		f.watches = append(f.watches, watch{})
	}
	return f.watches[n*int(slot):][:n]
}

// estimate is a run time at speed 1 and where it is from.
type estimate struct {
	seconds float64
	level   int8 // whose prediction it is; the number of levels where it is none's
}

func newForecaster(f Forecast, clusters int) (*forecaster, error) {
	all, err := f.classes()
	if err != nil {
		return nil, err
	}
	out := &forecaster{corrected: !f.Uncorrected, changed: make([]bool, clusters), learned: make([][]*stay, clusters)}
	add := func(c runtime.Classes, n int) error {
		l := level{classes: c, own: n > 1}
		for range n {
			p, err := runtime.New(f.predictor(), c, nil)
			if err != nil {
				return err
			}
			l.history = append(l.history, history{p, map[runtime.Key]*class{}})
		}
		out.levels = append(out.levels, l)
		return nil
	}
	// One cluster's own jobs are all there are.
	if f.Own && clusters > 1 {
		if err := add(all[0], clusters); err != nil {
			return nil, err
		}
	}
	for _, c := range all {
		if err := add(c, 1); err != nil {
			return nil, err
		}
	}
	if len(out.levels) > maxLevels {
		return nil, fmt.Errorf("grid: %d ways of sorting jobs into classes, want at most %d", len(all), maxLevels-1)
	}
	return out, nil
}

func (l *level) at(cluster int) *history {
	if l.own {
		return &l.history[cluster]
	}
	return &l.history[0]
}

// of predicts a run time on a cluster. What the clusters share is found once
// for all of them.
func (f *forecaster) of(r *workload.Request, cluster int) estimate {
	for i := range f.levels {
		if !f.levels[i].own {
			if !f.known {
				f.shared, f.known = f.look(r, 0, i), true
			}
			return f.shared
		}
		if p, ok := f.levels[i].at(cluster).predictor.Predict(*r); ok && isTime(p.Seconds) {
			return estimate{seconds: p.Seconds, level: int8(i)}
		}
	}
	return estimate{}
}

// look asks the levels from one on.
func (f *forecaster) look(r *workload.Request, cluster, from int) estimate {
	for i := from; i < len(f.levels); i++ {
		if p, ok := f.levels[i].at(cluster).predictor.Predict(*r); ok && isTime(p.Seconds) {
			return estimate{seconds: p.Seconds, level: int8(i)}
		}
	}
	e := estimate{seconds: sched.DefaultEstimate, level: int8(len(f.levels))}
	if r.Time > 0 && isTime(r.Time) {
		e.seconds = r.Time
	}
	return e
}
