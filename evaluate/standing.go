package evaluate

import (
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The predictors that look at the machine at a job's submission.
const (
	simulatedName = "simulated"
	estimatesName = "estimates"
	drawnName     = "drawn"
)

var fluidName = predict.DowneyBQueue{}.Name()

var exactName = predict.DowneyAExact{}.Name()

// standingNames returns their names in order, without A exact: it predicts at the head of
// the queue.
func standingNames() []string { return []string{simulatedName, estimatesName, drawnName, fluidName} }

// mostAhead is the length of the queue up to which B for the whole queue predicts: its
// running time grows with the square of the queue's length.
const mostAhead = 250

// StandingOptions are those of the predictors that Sample.Ask asks.
type StandingOptions struct {
	// Predictors are some of simulated, estimates, drawn, downey-b-queue and
	// downey-a-exact; the last predicts only where no queued job goes first.
	Predictors []string
	Processors int64
	Sites      map[int64]int64 // as in sched.Config
	Policy     sched.Policy    // of the schedules
	Draws      int             // schedules of "drawn"
	Seed       uint64          // of the draws
	Quantiles  []float64       // of the bounds
	Confidence float64         // of those of "drawn"
	Lifetimes  predict.LifetimesConfig
}

// standing is the predictors, with what they have learned from the jobs that ended.
type standing struct {
	*StandingOptions
	runs   []predict.RunTimePredictor
	past   *predict.PastLifetimes
	kernel *runtime.Kernel // instead of past, for KernelLaw; else nil
}

func newStanding(o *StandingOptions) (*standing, error) {
	if o.Lifetimes.Family == KernelLaw {
		k := runtime.NewKernel(stats.ByAccuracy)
		return &standing{StandingOptions: o, runs: []predict.RunTimePredictor{KernelPoints{k}}, kernel: k}, nil
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

// submitted learns that a job is submitted.
func (s *standing) submitted(r *workload.Request) {
	if s.kernel != nil {
		s.kernel.Predict(*r) // it learns from its own predictions
	}
}

// now returns the lifetimes as they are known now; nil if too few jobs have ended.
func (s *standing) now() predict.Lifetimes {
	if s.kernel != nil {
		return KernelLifetimes(s.kernel)
	}
	return s.past.Now()
}

// ended learns that a job has ended.
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
