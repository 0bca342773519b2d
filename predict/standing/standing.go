// Package standing predicts the wait of a request from the present state of a machine and
// its past jobs. Evaluations on a log, forecasts for a single moment and the live service use
// the same predictors, so that a coverage measured on a log applies to the predictor in use.
//
// The predictors are predict.Predictors that use the Snapshot of the machine: simulated
// schedules (a service keeps those of a Scheduler), and Downey's predictor B, which sums over
// the possible run times of the running jobs. Predictors that bound the wait from past waits
// are in package predict (predict.PastWaits).
package standing

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// missing returns a Forecast without a prediction. The arguments format the reason.
func missing(why string, args ...any) (predict.Forecast, error) {
	return predict.Forecast{Expected: math.NaN(), Missing: fmt.Sprintf(why, args...)}, nil
}

// The names of the predictors, with BQueue.
const (
	Simulated = "simulated" // one schedule, with run times predicted from past jobs
	Estimates = "estimates" // one schedule, with the users' estimates
	Drawn     = "drawn"     // many schedules, with run times drawn from distributions
)

// BQueue is the name of Downey's predictor B for the whole queue.
var BQueue = predict.DowneyBQueue{}.Name()

// Names returns the names of the predictors of this package.
func Names() []string { return []string{BQueue, Drawn, Simulated, Estimates} }

// NoTime is the reason for a missing forecast of a predictor that needs the requested time.
const NoTime = "the request has no requested time"

// Options are the options of the predictors.
type Options struct {
	Processors int64
	Sites      map[int64]int64 // as in sched.Config
	Policy     sched.Policy    // of the schedules
	Draws      int             // number of schedules of Drawn, as in predict.Drawn
	Seed       uint64          // of the draws
	Quantiles  []float64       // of the bounds
	Confidence float64         // of the bounds of Drawn
	Lifetimes  predict.LifetimesConfig
	// MostAhead is the largest length of the queue for which BQueue predicts; its running time
	// grows with the square of the queue's length. 0 means no limit.
	MostAhead int
}

// New returns the predictors with the given names. For an unknown name, the error is a
// *workload.OptionError.
func New(names []string, o *Options) (all []predict.Predictor, err error) {
	for _, name := range names {
		var p predict.Predictor
		switch name {
		case Simulated:
			p, err = newSimulated(o)
		case Estimates:
			p = &schedule{o, name, nil, predict.PredictedLength(sched.UserEstimates{}), "without an estimate"}
		case Drawn:
			p = NewScheduler(o)
		case BQueue:
			p, err = newFluid(o)
		default:
			err = workload.OptionFault("predictors", name, "one of %v", Names())
		}
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// QueueRunTimes returns the predictors of run time that a simulated queue asks in
// turn (predict.Simulated): Last2 by user, application, size and site and, for jobs
// whose class is new, Last2 by user and site, then by site. Sonmez and others
// (2009), section 4.1.
func QueueRunTimes() ([]sched.Estimator, error) {
	var out []sched.Estimator
	for _, name := range []string{"user-app-size-site", "user-site", "site"} {
		classes, err := runtime.ClassesByName(name)
		if err != nil {
			return nil, err
		}
		p, err := runtime.New("last2", classes)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// schedule implements Simulated and Estimates: it simulates one schedule with the run times
// returned by length.
type schedule struct {
	*Options
	name   string
	runs   []sched.Estimator // to be updated with each ended job
	length predict.RunLength
	why    string // the reason why a length may be unknown
}

// newSimulated returns the predictor Simulated. The run time of a job whose class has no
// history is the requested time.
func newSimulated(o *Options) (*schedule, error) {
	runs, err := QueueRunTimes()
	length := predict.PredictedLength(append(runs[:len(runs):len(runs)], sched.UserEstimates{})...)
	return &schedule{o, Simulated, runs, length, "of a class without history, and without an estimate"}, err
}

// Name implements predict.Predictor.
func (s *schedule) Name() string { return s.name }

// Learn implements predict.Predictor.
func (s *schedule) Learn(e workload.Event) error {
	if e.Kind == workload.Finish && e.Job.Run >= 0 {
		for _, r := range s.runs {
			r.Observe(e.Job)
		}
	}
	return nil
}

// Ask implements predict.Predictor. With Estimates, the wait is also the bound at all quantiles.
func (s *schedule) Ask(m *predict.Snapshot, r *workload.Request) (predict.Forecast, error) {
	wait, err := m.ScheduledWait(s.Policy, r, s.length)
	var unknown *predict.UnknownLengthError
	switch {
	case s.name == Estimates && errors.As(err, &unknown) && unknown.Job == predict.TheRequest:
		return missing(NoTime)
	case errors.As(err, &unknown):
		return missing("%v: it is %s", err, s.why)
	case errors.Is(err, sched.ErrNoEstimates):
		return missing("%v", err)
	case err != nil:
		return predict.Forecast{}, fmt.Errorf("%s: %w", s.name, err)
	}
	f := predict.Forecast{Expected: wait, Observations: len(m.Running) + len(m.Queued)}
	if s.name == Estimates {
		f.Bounds = s.bounds(f.Observations, func(float64) float64 { return wait })
	}
	return f, nil
}

// bounds returns a bound for each of o.Quantiles. at returns its value in seconds.
func (o *Options) bounds(observations int, at func(quantile float64) float64) (all []predict.Bound) {
	for _, q := range o.Quantiles {
		b := predict.NoBound()
		b.Seconds, b.Quantile, b.Observations = at(q), q, observations
		all = append(all, b)
	}
	return all
}

// fluid implements BQueue.
type fluid struct {
	*Options
	laws *predict.PastLifetimes
}

func newFluid(o *Options) (*fluid, error) {
	largest := o.Processors
	for _, n := range o.Sites {
		largest = max(largest, n)
	}
	laws, err := predict.NewPastLifetimes(largest, o.Lifetimes)
	return &fluid{o, laws}, err
}

// Name implements predict.Predictor.
func (*fluid) Name() string { return BQueue }

// Learn implements predict.Predictor.
func (f *fluid) Learn(e workload.Event) error {
	if e.Kind == workload.Finish && e.Job.Run >= 0 {
		return f.laws.Ended(e.Job)
	}
	return nil
}

// Ask implements predict.Predictor.
func (f *fluid) Ask(m *predict.Snapshot, r *workload.Request) (predict.Forecast, error) {
	fitted, err := f.laws.Now()
	switch {
	case err != nil:
		return missing("no distribution of run times: %v", err)
	case f.MostAhead > 0 && len(m.Queued) > f.MostAhead:
		return missing("%d jobs wait, more than %d", len(m.Queued), f.MostAhead)
	}
	priority, _ := f.Policy.(sched.Priority)
	p, ok := predict.DowneyBQueue{Lifetimes: fitted.Lifetimes, Queues: priority.Queues}.Predict(m, r)
	if !ok {
		return missing("no end in sight: the request needs processors of a job older than the distribution allows")
	}
	return predict.Forecast{Expected: p.Seconds, Observations: p.Observations}, nil
}
