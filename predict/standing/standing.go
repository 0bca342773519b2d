// Package standing predicts how long a request will wait on a machine as it stands, from
// what has happened there before. Samples of a log and the request of one moment ask the
// same predictors, and a live service too, so that a coverage is that of the predictor that
// answers.
//
// They are predict.Predictors that look at the machine: simulated schedules (a service keeps
// those of a Scheduler), and Downey's sums over the run times that the running jobs may
// have. Those that bound the wait from
// past waits are of package predict (predict.PastWaits).
package standing

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// missing is a forecast that there is not.
func missing(why string, args ...any) (predict.Forecast, error) {
	return predict.Forecast{Expected: math.NaN(), Missing: fmt.Sprintf(why, args...)}, nil
}

// The predictors that look at the machine.
const (
	Simulated = "simulated" // one schedule, with run times like those of past jobs
	Estimates = "estimates" // one schedule, with the users' estimates
	Drawn     = "drawn"     // many schedules, with run times drawn from distributions
)

// BQueue is Downey's predictor B for the whole queue.
var BQueue = predict.DowneyBQueue{}.Name()

// Names returns the names of those predictors.
func Names() []string { return []string{BQueue, Drawn, Simulated, Estimates} }

// NoTime is why a predictor that needs the requested time has no forecast.
const NoTime = "the request has no requested time"

// Options are those of the predictors that look at the machine.
type Options struct {
	Processors int64
	Sites      map[int64]int64 // as in sched.Config
	Policy     sched.Policy    // of the schedules
	Draws      int             // schedules of Drawn
	Seed       uint64          // of the draws
	Quantiles  []float64       // of the bounds
	Confidence float64         // of those of Drawn
	Lifetimes  predict.LifetimesConfig
	// MostAhead is the length of the queue up to which BQueue predicts: its running time
	// grows with the square of the queue's length. 0 sets no limit.
	MostAhead int
}

// New returns the predictors of those names. They share what they learn.
func New(names []string, o *Options) ([]predict.Predictor, error) {
	p, err := newPast(o)
	if err != nil {
		return nil, err
	}
	var all []predict.Predictor
	for _, name := range names {
		switch name {
		case Simulated:
			// A job of a class without history runs as long as it asked for.
			runs := append(p.runs[:len(p.runs):len(p.runs)], predict.Estimates{})
			all = append(all, &schedule{p, name, predict.PredictedLength(runs...), "of a class without history, and without an estimate"})
		case Estimates:
			all = append(all, &schedule{p, name, predict.PredictedLength(predict.Estimates{}), "without an estimate"})
		case Drawn:
			all = append(all, NewScheduler(o))
		case BQueue:
			all = append(all, &fluid{p})
		default:
			return nil, workload.OptionFault("predictors", name, "one of %v", Names())
		}
	}
	return all, nil
}

// QueueRunTimes returns the predictors of run time that a simulated queue asks in
// turn (predict.Simulated): Last2 by user, application, size and site, and for jobs
// whose class is new the same by user and site, then by site. Sonmez and others
// (2009), section 4.1.
func QueueRunTimes() ([]predict.RunTimePredictor, error) {
	var out []predict.RunTimePredictor
	for _, name := range []string{"user-app-size-site", "user-site", "site"} {
		classes, err := runtime.ClassesByName(name)
		if err != nil {
			return nil, err
		}
		p, err := runtime.New("last2", classes, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// past is what the predictors have learned from the jobs that ended.
type past struct {
	*Options
	runs []predict.RunTimePredictor
	laws *predict.PastLifetimes
	last event
}

// event is what tells an event from others.
type event struct {
	kind workload.EventKind
	time float64
	row  int64
}

func newPast(o *Options) (p *past, err error) {
	p = &past{Options: o}
	if p.runs, err = QueueRunTimes(); err != nil {
		return nil, err
	}
	largest := o.Processors
	for _, n := range o.Sites {
		largest = max(largest, n)
	}
	p.laws, err = predict.NewPastLifetimes(largest, o.Lifetimes)
	return p, err
}

// Learn implements predict.Predictor for all that share it: each tells it of the event, once.
func (p *past) Learn(e workload.Event) error {
	now := event{e.Kind, e.Time, e.Job.Row}
	if now == p.last {
		return nil
	}
	p.last = now
	if e.Kind != workload.Finish || !(e.Job.Run >= 0) {
		return nil
	}
	for _, r := range p.runs {
		r.Observe(*e.Job)
	}
	return p.laws.Ended(e.Job)
}

// lifetimes returns the lifetimes as they are known now, or why none are.
func (p *past) lifetimes() (predict.Lifetimes, string) {
	f, err := p.laws.Now()
	if err != nil {
		return nil, fmt.Sprintf("no distribution of run times: %v", err)
	}
	return f.Lifetimes, ""
}

// queues are those that a policy "priority" serves first, the most urgent first.
func (p *past) queues() []int64 {
	priority, _ := p.Policy.(sched.Priority)
	return priority.Queues
}
