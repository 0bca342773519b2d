package score

import "fmt"

// RunTimeMeasure is a custom score of run time predictions. It is computed from sums over
// predictions. It holds no state, and its functions depend on their arguments alone.
type RunTimeMeasure struct {
	// Name is the name in results and in --require: lower case with underscores, and
	// the unit at the end, such as "loss_s".
	Name  string
	Lower bool // whether a lower value is better
	Sums  int  // number of sums, 1 or more
	// Add adds the contribution of a prediction to the sums. Both times are finite, in
	// seconds; the actual one is 0 or more.
	Add func(sums []float64, predicted, actual float64)
	// Value returns the score from the sums and the number of predictions, 1 or more;
	// NaN where it is not defined. It does not change the sums.
	Value func(sums []float64, predictions int) float64
}

// Validate returns an error if the measure cannot be used.
func (m RunTimeMeasure) Validate() error {
	letters := m.Name != ""
	for i, c := range m.Name {
		letters = letters && (c >= 'a' && c <= 'z' || i > 0 && (c == '_' || c >= '0' && c <= '9'))
	}
	switch {
	case !letters:
		return fmt.Errorf("score: the measure %q, want a name of lower case letters, digits and underscores", m.Name)
	case m.Sums < 1 || m.Add == nil || m.Value == nil:
		return fmt.Errorf("score: the measure %s, want 1 or more sums, Add and Value", m.Name)
	}
	return nil
}

// RunTimeMeasureTally accumulates a measure.
type RunTimeMeasureTally struct {
	measure     RunTimeMeasure
	sums        []float64
	predictions int
}

// NewRunTimeMeasureTally returns an empty tally of a measure that Validate accepts.
func NewRunTimeMeasureTally(m RunTimeMeasure) RunTimeMeasureTally {
	return RunTimeMeasureTally{measure: m, sums: make([]float64, m.Sums)}
}

// Measure returns the measure.
func (t *RunTimeMeasureTally) Measure() RunTimeMeasure { return t.measure }

// Add enters one job: its predicted run time, NaN where there was no prediction, and its
// actual one, in seconds. A job with a time that is not finite is skipped.
func (t *RunTimeMeasureTally) Add(predicted, actual float64) {
	if finite(predicted) && finite(actual) {
		t.measure.Add(t.sums, predicted, actual)
		t.predictions++
	}
}

// Value returns the score of the jobs so far; NaN where none had a prediction.
func (t *RunTimeMeasureTally) Value() float64 {
	if t.predictions == 0 {
		return ratio(0, 0)
	}
	return t.measure.Value(t.sums, t.predictions)
}
