package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// sm is the sliding median: the median of the class's last run times, five of
// them unless told otherwise; of an even number the mean of the middle two.
// Sonmez and others (2009), section 3.1.
type sm struct {
	Window int       `opt:"window" in:"[1,1000]" help:"how many run times"`
	sorted []float64 // scratch of predict
}

var _ starter = sm{}

func (s sm) start() (rule, error) {
	s.sorted = make([]float64, s.Window)
	return s, nil
}

func (s sm) width() int { return s.Window }

func (s sm) observe(state []float64, n int, j *workload.Job) { state[n%s.Window] = j.Run }

func (s sm) predict(state []float64, n int, _ *workload.Request) workload.Prediction {
	n = min(n, s.Window)
	// Insertion: the window is short, and seldom far from sorted.
	sorted := s.sorted[:n]
	for i, x := range state[:n] {
		for i > 0 && sorted[i-1] > x {
			sorted[i] = sorted[i-1]
			i--
		}
		sorted[i] = x
	}
	median := sorted[n/2]
	if n%2 == 0 {
		median = (sorted[n/2-1] + median) / 2
	}
	return workload.Prediction{Seconds: median, Observations: n}
}
