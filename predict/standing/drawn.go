package standing

import (
	"fmt"
	"sync"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Scheduler is the predictor Drawn: it simulates many schedules, with run times drawn from
// the distribution that a runtime.Kernel has learned for each job. On logs of machines that
// follow the policy, the loss of its bounds is a third of the loss with a single law for all
// run times (docs/findings/waits.md).
//
// A service keeps the Schedules of its last poll. They may be used while the Scheduler
// learns.
type Scheduler struct {
	o      *Options
	mu     sync.Mutex
	kernel *runtime.Kernel
	ended  bool // whether any job has ended
}

// mostQueued is the largest length of the queue for which schedules are simulated. In longer
// queues, the order of starts depends on priorities, which logs do not contain.
const mostQueued = 10_000

// NewScheduler returns a Scheduler that has learned nothing.
func NewScheduler(o *Options) *Scheduler {
	return &Scheduler{o: o, kernel: runtime.NewKernel(stats.ByAccuracy, 0.95)}
}

// Name implements predict.Predictor.
func (*Scheduler) Name() string { return Drawn }

// Learn implements predict.Predictor.
func (s *Scheduler) Learn(e workload.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case e.Kind == workload.Submit:
		s.kernel.Predict(&e.Job.Request) // it learns from its own predictions
	case e.Kind == workload.Finish && e.Job.Run >= 0:
		s.ended = true
		s.kernel.Observe(e.Job)
	}
	return nil
}

// Schedules returns schedules of a machine with the run times learned so far, or nil and the
// reason why there are none. The machine must not be altered afterwards.
func (s *Scheduler) Schedules(m *predict.Snapshot) (schedules *predict.Schedules, missing string) {
	s.mu.Lock()
	ended := s.ended
	s.mu.Unlock()
	switch {
	case !ended:
		return nil, "no distribution of run times: no job had ended"
	case len(m.Queued) > mostQueued:
		return nil, fmt.Sprintf("%d jobs wait, more than %d", len(m.Queued), mostQueued)
	}
	return predict.Drawn{RunTimes: s.runTimes, Policy: s.o.Policy, Draws: s.o.Draws, Seed: s.o.Seed}.Schedules(m), ""
}

func (s *Scheduler) runTimes(r *workload.Request) predict.RunTimeDistribution {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, _ := s.kernel.Distribution(r)
	return &d
}

// Ask implements predict.Predictor.
func (s *Scheduler) Ask(m *predict.Snapshot, r *workload.Request) (predict.Forecast, error) {
	schedules, why := s.Schedules(m)
	if schedules == nil {
		return missing("%s", why)
	}
	waits, err := schedules.Wait(r)
	if err != nil {
		return predict.Forecast{}, fmt.Errorf("%s: %w", Drawn, err)
	}
	return s.Forecast(waits), nil
}

// Forecast returns the forecast for a job with the given waits in the schedules. The
// confidence of its bounds covers only the randomness of the draws, not errors of the
// learned distributions.
func (s *Scheduler) Forecast(waits predict.DrawnWaits) predict.Forecast {
	f := predict.Forecast{Expected: waits.Median(), Observations: len(waits)}
	f.Bounds = s.o.bounds(len(waits), func(q float64) float64 { return waits.Bound(q, s.o.Confidence) })
	if waits[len(waits)-1] < predict.Longest { // else some schedules have no end in sight
		f.Waits = waits
	}
	return f
}
