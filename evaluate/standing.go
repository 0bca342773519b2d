package evaluate

import (
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The predictors that look at the machine as it stands at a job's submission.
const (
	simulatedName = "simulated"
	estimatesName = "estimates"
	drawnName     = "drawn"
)

var fluidName = predict.DowneyBQueue{}.Name()

var exactName = predict.DowneyAExact{}.Name()

// standingNames are their names, in their order. That of A exact is not among
// them: it is for the head of the queue.
func standingNames() []string { return []string{simulatedName, estimatesName, drawnName, fluidName} }

// mostAhead is how many jobs may be ahead of one that B for the whole queue is
// asked about: its time grows with their square.
const mostAhead = 250

// StandingOptions say which predictors that look at the machine are asked about a
// Sample, and with what.
type StandingOptions struct {
	// Predictors are simulated, estimates, drawn, downey-b-queue, and, where nobody
	// is ahead, downey-a-exact.
	Predictors []string
	Processors int64
	Sites      map[int64]int64 // as in sched.Config
	Policy     sched.Policy    // of the schedules
	Draws      int             // schedules of "drawn"
	Seed       uint64          // of the draws
	Quantiles  []float64       // of the bounds
	Confidence float64         // of those of "drawn"
	Lifetimes  predict.LifetimesConfig
	Limits     bool // lifetimes end at the users' estimates
}

// standing is the predictors, and what they have learned of the jobs that ended.
type standing struct {
	*StandingOptions
	runs   []predict.RunTimePredictor
	past   *predict.PastLifetimes
	kernel *runtime.Kernel // in place of past; else nil
}

func newStanding(o *StandingOptions) (*standing, error) {
	if o.Lifetimes.Family == KernelLaw {
		k, err := runtime.NewKernel(runtime.Options{})
		return &standing{StandingOptions: o, runs: []predict.RunTimePredictor{KernelPoints{k}}, kernel: k}, err
	}
	runs, err := QueueRunTimes()
	if err != nil {
		return nil, err
	}
	largest := o.Processors
	for _, n := range o.Sites {
		largest = max(largest, n)
	}
	past, err := predict.NewPastLifetimes(largest, o.Lifetimes)
	return &standing{StandingOptions: o, runs: runs, past: past}, err
}

// submitted tells of a job that is submitted.
func (s *standing) submitted(r *workload.Request) {
	if s.kernel != nil {
		s.kernel.Predict(*r) // it learns from what it said
	}
}

// now is the lifetimes; nil where too few jobs have ended.
func (s *standing) now() predict.Lifetimes {
	if s.kernel != nil {
		return KernelLifetimes(s.kernel)
	}
	return s.past.Now()
}

// ended tells of a job that has ended.
func (s *standing) ended(j *workload.Job) error {
	if s.kernel != nil {
		s.kernel.Observe(*j)
		return nil
	}
	for _, p := range s.runs {
		p.Observe(*j)
	}
	return s.past.Ended(j)
}

// ask returns what one predictor says of a request, for each quantile. The actual
// wait is for the score of a distribution.
func (s *standing) ask(name string, m *predict.Snapshot, r *workload.Request, actual float64) ([]score.Forecast, error) {
	said := make([]score.Forecast, len(s.Quantiles))
	for i := range said {
		said[i] = score.NoForecast()
	}
	switch name {
	case simulatedName:
		// A job of a class without history runs as long as it asked for.
		length := predict.PredictedLength(append(s.runs[:len(s.runs):len(s.runs)], predict.Estimates{})...)
		return said, s.scheduled(said, m, r, length, false)
	case estimatesName:
		return said, s.scheduled(said, m, r, predict.PredictedLength(predict.Estimates{}), true)
	case drawnName:
		return said, s.drawn(said, m, r, actual)
	case exactName:
		s.exact(said, m, r)
	default:
		s.fluid(said, m, r)
	}
	return said, nil
}

// scheduled is one schedule, whose wait may be a bound too.
func (s *standing) scheduled(said []score.Forecast, m *predict.Snapshot, r *workload.Request, length predict.RunLength, bound bool) error {
	wait, err := m.ScheduledWait(s.Policy, r, length)
	var unknown *predict.UnknownLengthError
	switch {
	case errors.As(err, &unknown) || errors.Is(err, sched.ErrNoEstimates):
		return nil
	case err != nil:
		return err
	}
	for i := range said {
		said[i].Point = wait
		if bound {
			said[i].Bound = wait
		}
	}
	return nil
}

// drawn is the distribution of the waits of many schedules.
func (s *standing) drawn(said []score.Forecast, m *predict.Snapshot, r *workload.Request, actual float64) error {
	lifetimes := s.now()
	if lifetimes == nil {
		return nil
	}
	if s.Limits {
		lifetimes = predict.CutAtLimit{Lifetimes: lifetimes}
	}
	d := predict.Drawn{Lifetimes: lifetimes, Policy: s.Policy, Draws: s.Draws, Seed: s.Seed}
	waits, err := d.Waits(m, []workload.Request{*r})
	if err != nil {
		return err
	}
	w := waits[0]
	mean := w.Mean()
	for i, q := range s.Quantiles {
		if !math.IsInf(mean, 1) { // else some schedules have no end in sight
			said[i].Point, said[i].CRPS = mean, stats.CRPS(w, actual)
		}
		if b, ok := w.Bound(q, s.Confidence); ok {
			said[i].Bound = b.Seconds
		}
	}
	return nil
}

// within is the lifetimes of single jobs, and the queues that go ahead.
func (s *standing) within() (lifetimes predict.Lifetimes, queues []int64) {
	if p, ok := s.Policy.(sched.Priority); ok {
		queues = p.Queues
	}
	if lifetimes = s.now(); lifetimes != nil && s.Limits {
		lifetimes = predict.WithinLimit{Lifetimes: lifetimes}
	}
	return lifetimes, queues
}

// exact is A exact, for a job that nobody is ahead of.
func (s *standing) exact(said []score.Forecast, m *predict.Snapshot, r *workload.Request) {
	lifetimes, queues := s.within()
	if lifetimes == nil || len(m.Ahead(r, queues)) > 0 {
		return
	}
	h := m.Head(r.Size)
	for i, q := range s.Quantiles {
		said[i].Bound = 0
		if h.Needed > 0 {
			p, _ := predict.DowneyAExact{Lifetimes: lifetimes, Quantile: q}.Predict(h)
			said[i].Bound = p.Seconds
		}
	}
}

// fluid is B for the whole queue.
func (s *standing) fluid(said []score.Forecast, m *predict.Snapshot, r *workload.Request) {
	lifetimes, queues := s.within()
	if lifetimes == nil || len(m.Queued) > mostAhead {
		return
	}
	if p, ok := (predict.DowneyBQueue{Lifetimes: lifetimes, Queues: queues}).Predict(m, r); ok {
		for i := range said {
			said[i].Point = p.Seconds
		}
	}
}
