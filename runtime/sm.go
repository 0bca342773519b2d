package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// sm is the sliding median: the median of the class's last run times, five of
// them unless told otherwise; of an even number the mean of the middle two.
// Sonmez and others (2009), section 3.1.
type sm struct {
	window int
	sorted []float64 // scratch of predict
}

var _ rule = sm{}

func newSM(window int) sm { return sm{window, make([]float64, window)} }

func (s sm) width() int { return s.window }

func (s sm) observe(state []float64, n int, j *workload.Job) { state[n%s.window] = j.Run }

func (s sm) predict(state []float64, n int, _ *workload.Request) workload.Prediction {
	n = min(n, s.window)
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
