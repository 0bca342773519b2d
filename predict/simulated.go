package predict

import (
	"errors"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimePredictor predicts how long a job will run, in seconds, and learns
// from those that ended; the predictors of package runtime are such.
type RunTimePredictor interface {
	Predict(workload.Request) (workload.Prediction, bool)
	Observe(workload.Job)
}

// Simulated is a point-valued predictor of waits: when a job is submitted, the
// schedule of all that run and wait is simulated with predicted run times.
// Sonmez and others (2009), section 4.1.
//
// RunTimes are asked in turn until one has a prediction, the finest class
// first; a job that none knows leaves those behind it without a prediction.
// A prediction that a running job has outlived is doubled until it is longer
// than its age. With correction, whatever ended is learned by the predictions
// of all queued and running jobs; without, each keeps what was predicted at
// its submission.
type Simulated struct {
	Label     string // in commands and tables, such as "simulated-corrected"
	RunTimes  []RunTimePredictor
	Corrected bool
}

// FCFSWait is one job of a simulated first-come-first-served queue: what was
// predicted for its wait at its submission, and the wait.
type FCFSWait struct {
	Request workload.Request
	// Predictions are those of the predictors, in their order, NaN where there
	// is none. They are valid until the next row.
	Predictions []float64
	Queued      int     // jobs that waited at its submission
	Actual      float64 // s, the wait
}

// FCFSWaits simulates the machine under strict FCFS with the jobs' run times
// and yields each job as it starts. A prediction is made at the submission,
// from requests, ages, and what had ended by then. The jobs come by submission
// (see workload.InOrder). Errors are those of sched.Simulate. After an error
// nothing follows.
func FCFSWaits(jobs iter.Seq2[workload.Job, error], processors int64, predictors []Simulated, warnings *workload.Warnings) iter.Seq2[FCFSWait, error] {
	return func(yield func(FCFSWait, error) bool) {
		for _, p := range predictors {
			if len(p.RunTimes) == 0 {
				yield(FCFSWait{}, errors.New("a simulated schedule without a predictor of run times"))
				return
			}
		}
		machine := sched.Config{Processors: processors, Policy: sched.FCFS{}, Warnings: warnings}
		var under []fcfsJob // by slot
		q := &fcfsReplay{processors: processors, predictors: predictors}
		for _, p := range predictors {
			q.simulations = append(q.simulations, &fcfsSimulation{Simulated: p})
		}
		// Under FCFS jobs start in the order of submission, so the schedule that
		// is given is a log like any other.
		for e, err := range workload.Timeline(sched.Simulate(jobs, machine, nil)) {
			if err != nil {
				yield(FCFSWait{}, err)
				return
			}
			for e.Slot >= len(under) {
				under = append(under, fcfsJob{predictions: make([]float64, len(predictors))})
			}
			j := &under[e.Slot]
			switch e.Kind {
			case workload.Submit:
				j.place(e.Job)
				q.submit(e.Slot, under)
			case workload.Start:
				q.start(e.Slot, under, e.Time)
				if !yield(FCFSWait{e.Job.Request, j.predictions, j.queued, e.Job.Wait}, nil) {
					return
				}
			case workload.Finish:
				q.finish(e.Slot, e.Job)
			}
		}
	}
}

// fcfsJob is a job that runs or waits.
type fcfsJob struct {
	request     workload.Request
	start       float64   // s; NaN while it waits
	predictions []float64 // of its wait
	queued      int
}

func (j *fcfsJob) place(from *workload.Job) {
	j.request, j.start = from.Request, math.NaN()
}

// fcfsReplay is the machine as the predictors see it.
type fcfsReplay struct {
	processors  int64
	predictors  []Simulated
	running     []int // slots
	waiting     []int // slots, by submission
	simulations []*fcfsSimulation
}

func (q *fcfsReplay) submit(slot int, under []fcfsJob) {
	j := &under[slot]
	j.queued = len(q.waiting)
	q.waiting = append(q.waiting, slot)
	for i, s := range q.simulations {
		s.submitted(slot, j)
		j.predictions[i] = s.wait(q, under, j.request.Submit)
	}
}

func (q *fcfsReplay) start(slot int, under []fcfsJob, now float64) {
	for i, w := range q.waiting {
		if w == slot {
			copy(q.waiting[i:], q.waiting[i+1:])
			q.waiting = q.waiting[:len(q.waiting)-1]
			break
		}
	}
	under[slot].start = now
	q.running = append(q.running, slot)
}

func (q *fcfsReplay) finish(slot int, j *workload.Job) {
	for i, r := range q.running {
		if r == slot {
			q.running[i] = q.running[len(q.running)-1]
			q.running = q.running[:len(q.running)-1]
			break
		}
	}
	for _, s := range q.simulations {
		for _, p := range s.RunTimes {
			p.Observe(*j)
		}
	}
}

// fcfsSimulation is one predictor and what it predicts of the jobs under way.
type fcfsSimulation struct {
	Simulated
	runs []float64 // by slot, as predicted at submission; NaN where nobody knew
	ends endHeap
}

func (s *fcfsSimulation) submitted(slot int, j *fcfsJob) {
	for slot >= len(s.runs) {
		s.runs = append(s.runs, math.NaN())
	}
	s.runs[slot] = s.predict(&j.request)
}

func (s *fcfsSimulation) predict(r *workload.Request) float64 {
	for _, p := range s.RunTimes {
		if x, ok := p.Predict(*r); ok && x.Seconds >= 0 && !math.IsInf(x.Seconds, 1) {
			return x.Seconds
		}
	}
	return math.NaN()
}

// wait returns the predicted wait of the job that is the last to wait.
func (s *fcfsSimulation) wait(q *fcfsReplay, under []fcfsJob, now float64) float64 {
	free := q.processors
	s.ends = s.ends[:0]
	known := true
	for _, slot := range q.running {
		j := &under[slot]
		run := s.run(slot, j)
		free -= j.request.Size
		if math.IsNaN(run) {
			known = false
			continue
		}
		age := now - j.start
		s.ends.push(freeing{now + outlast(run, age) - age, j.request.Size})
	}
	at := now
	last := len(q.waiting) - 1
	for i, slot := range q.waiting {
		j := &under[slot]
		for free < j.request.Size {
			if !known || len(s.ends) == 0 {
				return math.NaN()
			}
			e := s.ends.pop()
			at, free = max(at, e.at), free+e.size
		}
		if i == last {
			break
		}
		run := s.run(slot, j)
		free -= j.request.Size
		if math.IsNaN(run) {
			known = false
			continue
		}
		s.ends.push(freeing{at + run, j.request.Size})
	}
	return at - now
}

func (s *fcfsSimulation) run(slot int, j *fcfsJob) float64 {
	if s.Corrected {
		return s.predict(&j.request)
	}
	return s.runs[slot]
}

// outlast doubles a predicted run time until it is longer than the age. A
// prediction of 0 counts as a second.
func outlast(run, age float64) float64 {
	if run <= age {
		run = max(run, 1)
	}
	for run <= age {
		run *= 2
	}
	return run
}
