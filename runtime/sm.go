package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// sm is the sliding median: the median of the class's last Window run times, by default
// five; for an even number, the mean of the middle two.
// Sonmez and others (2009), section 3.1.
type sm struct {
	Window int `opt:"window" in:"[1,1000]" help:"how many run times"`
	runs   sortedRing
}

func (s sm) New() Predictor { return &s }

func (s *sm) Observe(j *workload.Job) { s.runs.put(j.Run, s.Window) }

func (s *sm) Predict(*workload.Request) (workload.Prediction, bool) {
	sorted := s.runs.sorted
	n := len(sorted)
	switch {
	case n == 0:
		return nothing()
	case n%2 == 0:
		return fromJobs(n, (sorted[n/2-1]+sorted[n/2])/2)
	}
	return fromJobs(n, sorted[n/2])
}
