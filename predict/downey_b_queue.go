package predict

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// DowneyBQueue is Downey's predictor B for the whole queue time of a new
// arrival. Downey (1997), "Predicting queue times on space-sharing parallel
// computers", section 7.1, announces this extension without giving it: "B can
// be extended in a natural way to predict the behavior of jobs in queue", and
// to the priorities of queues.
//
// Processors are a continuous resource that jobs release as they run
// (section 4.2). The jobs ahead start one after another, in the order of the
// queue: job k starts at the earliest t_k, not before t_(k-1), at which
//
//	free + sum over running i of n_i C_i(t)
//	     - sum over started j < k of n_j (1 - F_j(t - t_j)) = n_k,
//
// where F_j is the distribution function of run times in the class of job j,
// which holds its processors from t_j on and releases them as it runs. The new
// arrival is the last of these jobs. With no job ahead, the prediction equals
// DowneyB's.
//
// Jobs that arrive later are ignored. That is exact under first come, first
// served, and optimistic for a queue that yields to others.
type DowneyBQueue struct {
	Lifetimes Lifetimes
	// Queues lists the queues that are served before all others, the most urgent
	// first (see sched.Priority); nil means first come, first served.
	Queues []int64
}

// Name returns "downey-b-queue".
func (DowneyBQueue) Name() string { return "downey-b-queue" }

// Predict returns the wait of a request for r.Size processors that is submitted
// now: 0 if it starts at once, otherwise at least Shortest. Its Observations are
// the number of running jobs and jobs ahead. It returns false if the size does not
// fit the machine, or if no such time exists (see DowneyB).
func (p DowneyBQueue) Predict(s *Snapshot, r *workload.Request) (workload.Prediction, bool) {
	if r.Size < 1 || r.Size > s.Processors {
		return none()
	}
	ahead := s.Ahead(r, p.Queues)
	f := &fluid{free: float64(s.Free())}
	for i := range s.Running {
		o := &s.Running[i]
		f.jobs = append(f.jobs, fluidJob{lifetimesOf(p.Lifetimes, o.Request), o.Request, float64(o.Size), o.Age, 0})
	}
	at := 0.0
	for _, q := range ahead {
		at = f.start(q, p.Lifetimes, at)
	}
	at = f.start(r, p.Lifetimes, at)
	return predicted(at, len(s.Running)+len(ahead))
}

// fluid is a machine whose jobs release their processors gradually.
type fluid struct {
	free float64
	jobs []fluidJob
}

// fluidJob is a job that is running, or that starts in the predicted schedule.
type fluidJob struct {
	law     Lifetimes
	request *workload.Request
	size    float64
	age     float64 // s, at start: the age now for a running job, else 0
	start   float64 // s from now; 0 for a running job
}

// available returns the expected number of free processors t seconds from now. t
// must not be before any start.
func (f *fluid) available(t float64) float64 {
	n := f.free
	for i := range f.jobs {
		j := &f.jobs[i]
		if elapsed := t - j.start; elapsed > 0 {
			n += j.size * (1 - j.law.Survival(j.request, j.age, elapsed))
		}
	}
	return n
}

// start starts a job as soon as enough processors are available, but not before
// from, and returns its start time in seconds from now, between 0 and Longest.
func (f *fluid) start(r *workload.Request, l Lifetimes, from float64) float64 {
	need := float64(r.Size)
	at := from
	if f.available(from) < need {
		at = min(Longest, from+earliest(func(t float64) float64 { return f.available(from + t) }, need))
	}
	f.free -= need
	f.jobs = append(f.jobs, fluidJob{lifetimesOf(l, r), r, need, 0, at})
	return at
}
