package predict

import (
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// HeadWait describes one job that waited at the head of the queue: the state of
// the machine, the predictions and the actual wait.
type HeadWait struct {
	Request     workload.Request
	Time        float64 // s, when the job came to the head of the queue
	Needed      int64   // n': processors that it lacked
	Running     int     // number of running jobs
	Benefactors int     // number of running jobs with n' processors or more
	// Predictions holds one prediction for each of HeadConfig.Predictors, in the
	// same order. Seconds is NaN if the predictor had none.
	Predictions []workload.Prediction
	Actual      float64 // s, from Time to the job's start
}

// HeadConfig describes the machine and the predictors of AtHead.
type HeadConfig struct {
	Processors int64 // at least 1
	Predictors []HeadPredictor
	// Warnings counts the jobs that were left out, by the rules of sched.Simulate
	// and as "zero-run-time". It may be nil.
	Warnings *workload.Warnings
	// Updates, if not nil, is advanced to the current time and receives the jobs
	// that have ended by then, before each prediction.
	Updates *PreviousLifetimes
}

// AtHead simulates the machine under strict FCFS and yields each job that had
// to wait at the head of the queue when that job starts; for the other jobs
// there is nothing to predict. Downey (1997), "Predicting queue times on
// space-sharing parallel computers", section 5. The jobs must be in order of
// submission (see workload.InOrder). Jobs for which Eligible is false are left
// out.
//
// Errors are those of sched.Simulate and of cfg.Updates. The sequence ends after
// an error.
func AtHead(jobs iter.Seq2[workload.Job, error], cfg HeadConfig) iter.Seq2[HeadWait, error] {
	return func(yield func(HeadWait, error) bool) {
		w := &headWatch{predictors: cfg.Predictors}
		machine := sched.Config{Processors: cfg.Processors, Policy: sched.FCFS{}, Warnings: cfg.Warnings}
		w.updates = cfg.Updates
		for _, err := range sched.Simulate(withLength(jobs, cfg.Warnings), machine, &sched.Observer{Blocked: w.blocked, Started: w.started, Ended: w.ended}) {
			if err == nil {
				err = w.failed
			}
			if err != nil {
				yield(HeadWait{}, err)
				return
			}
			if w.done {
				w.done = false
				if !yield(w.wait, nil) {
					return
				}
			}
		}
		if w.failed != nil {
			yield(HeadWait{}, w.failed)
		}
	}
}

// Eligible reports whether AtHead simulates the job on a machine with the given
// number of processors: its submission time is known, its run time is finite and
// above 0, and its size fits. Lifetimes should be fitted to the same jobs.
func Eligible(j *workload.Job, processors int64) bool {
	return !math.IsNaN(j.Submit) && !math.IsInf(j.Submit, 0) &&
		j.Run > 0 && !math.IsInf(j.Run, 1) && j.Size > 0 && j.Size <= processors
}

// withLength leaves out the jobs whose run time is 0: they have no logarithm and
// delay no other job.
func withLength(jobs iter.Seq2[workload.Job, error], w *workload.Warnings) iter.Seq2[workload.Job, error] {
	return workload.Select(jobs, func(j *workload.Job) bool {
		if j.Run == 0 {
			w.Add("zero-run-time", "jobs left out of the prediction: their run time is 0", 0, j.Label())
		}
		return j.Run != 0
	})
}

// headWatch observes a simulation. Under FCFS at most one job waits at the
// head, and it is the next to start.
type headWatch struct {
	predictors []HeadPredictor
	head       Head
	wait       HeadWait
	waits      bool // wait describes a job that is now at the head
	done       bool // wait is complete and has not been yielded

	updates *PreviousLifetimes
	failed  error
}

func (w *headWatch) blocked(head *workload.Request, s *sched.State) {
	h := &w.head
	w.advance(s.Now())
	h.Time = s.Now()
	h.Needed = head.Size - s.Free()
	h.Running = h.Running[:0]
	for r := range s.Running() {
		h.Running = append(h.Running, Occupant{r.Request, r.Request.Size, s.Now() - r.Start})
	}
	w.wait = HeadWait{
		Request: *head, Time: s.Now(), Needed: h.Needed,
		Running: len(h.Running), Benefactors: h.Benefactors(),
		Predictions: make([]workload.Prediction, len(w.predictors)),
		Actual:      math.NaN(),
	}
	for i, p := range w.predictors {
		w.wait.Predictions[i], _ = p.Predict(h)
	}
	w.waits = true
}

func (w *headWatch) started(_ sched.Task, s *sched.State) {
	if w.waits {
		w.wait.Actual = s.Now() - w.wait.Time
		for _, p := range w.predictors {
			if u, ok := p.(*Unbiased); ok {
				u.Learn(w.wait.Actual)
			}
		}
		w.waits, w.done = false, true
	}
}

func (w *headWatch) ended(j *workload.Job, _ int32, s *sched.State) {
	if w.advance(s.Now()) {
		w.updates.Ended(j)
	}
}

// advance sets the time of the lifetimes, if they are updated, and reports whether
// they accept jobs that end.
func (w *headWatch) advance(now float64) bool {
	if w.updates != nil && w.failed == nil {
		w.failed = w.updates.Advance(now)
	}
	return w.updates != nil && w.failed == nil
}
