package predict

import "github.com/loadstone-hpc/loadstone/workload"

// Head is what is known when a job has come to the head of the queue and cannot
// start: the number of processors that it lacks, and the running jobs that hold
// them.
type Head struct {
	Time    float64 // s, now, from the log's start
	Needed  int64   // n': processors needed beyond those that are free, above 0
	Running []Occupant
}

// Occupant is a running job.
type Occupant struct {
	Request *workload.Request
	Size    int64   // processors that it holds, above 0
	Age     float64 // s, since its start
}

// Benefactors returns the number of running jobs whose end alone would make
// room for the head: those with n' processors or more.
func (h *Head) Benefactors() int {
	n := 0
	for i := range h.Running {
		if h.Running[i].Size >= h.Needed {
			n++
		}
	}
	return n
}

// held returns the processors that the running jobs hold.
func (h *Head) held() int64 {
	held := int64(0)
	for i := range h.Running {
		held += h.Running[i].Size
	}
	return held
}

// laws returns the lifetimes of each running job's own class, so that a search
// over times looks for the class once.
func (h *Head) laws(l Lifetimes) []Lifetimes {
	laws := make([]Lifetimes, len(h.Running))
	for i := range laws {
		laws[i] = lifetimesOf(l, h.Running[i].Request)
	}
	return laws
}

// HeadPredictor predicts how long the job at the head of the queue will stay
// there, in seconds. The prediction is at least Shortest and below Longest; its
// Observations are the number of running jobs on which it rests.
type HeadPredictor interface {
	Name() string // as in commands and tables, such as "downey-a"
	// Predict returns the predicted time at the head, and false if it has
	// none.
	Predict(h *Head) (workload.Prediction, bool)
}

// Downey returns Downey's predictors in their customary order: downey-a,
// downey-a-exact, downey-b, downey-n32 and downey-benefactors.
func Downey(l Lifetimes) []HeadPredictor {
	return []HeadPredictor{DowneyA{l}, DowneyAExact{l}, DowneyB{l}, DowneyN32{l}, DowneyBenefactors{l}}
}
