package predict

import "github.com/loadstone-hpc/loadstone/workload"

// Head is what is known when a job has come to the head of the queue and
// cannot start: how many processors it lacks and who holds them.
type Head struct {
	Needed  int64 // n': processors needed beyond those that are free, above 0
	Running []Occupant
}

// Occupant is a running job.
type Occupant struct {
	Request *workload.Request
	Size    int64   // processors that it holds, above 0
	Age     float64 // s, since its start
}

// Benefactors returns how many of the running jobs would, by their end, make
// room for the head alone: those with n' processors or more.
func (h *Head) Benefactors() int {
	n := 0
	for i := range h.Running {
		if h.Running[i].Size >= h.Needed {
			n++
		}
	}
	return n
}

// HeadPredictor predicts how long the job at the head of the queue will stay
// there, in seconds. The prediction is at least Shortest and at most Longest;
// its Observations are the running jobs that it rests on. It is false where
// the predictor has none.
type HeadPredictor interface {
	Name() string // as in commands and tables, such as "downey-a"
	Predict(h *Head) (workload.Prediction, bool)
}

// Downey returns Downey's predictors in their customary order: downey-a,
// downey-b, downey-n32 and downey-benefactors.
func Downey(l Lifetimes) []HeadPredictor {
	return []HeadPredictor{DowneyA{l}, DowneyB{l}, DowneyN32{l}, DowneyBenefactors{l}}
}
