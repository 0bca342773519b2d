package evaluate

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/score"
)

// What no run writes, in a result that is read to be compared with.

// wanted is a number of an earlier result, and what it has to be.
type wanted struct {
	name string
	saw  float64
	ok   bool
	want string
}

// impossible returns the error for the first number that no run writes.
func impossible(numbers ...wanted) error {
	for _, x := range numbers {
		if !x.ok {
			return fmt.Errorf("%s: saw %g, want %s", x.name, x.saw, x.want)
		}
	}
	return nil
}

// between01 is a wanted number between 0 and 1, and fromOne one of 1 or more.
func between01(name string, x float64) wanted {
	return wanted{name, x, x > 0 && x < 1, "a number between 0 and 1"}
}

func fromOne(name string, x float64) wanted { return wanted{name, x, x >= 1, "1 or more"} }

func (r *RunTimesResult) check() error {
	o := &r.Options
	err := impossible(
		fromOne("log.jobs", float64(r.Log.Jobs)),
		wanted{"options.alpha", o.Alpha, o.Alpha >= 0 && o.Alpha <= 1, "0 to 1"},
		fromOne("options.window", float64(o.Window)), fromOne("options.neighbours", float64(o.Neighbours)),
		between01("options.quantile", o.Quantile), between01("options.confidence", o.Confidence),
	)
	if err != nil {
		return err
	}
	for i := range r.Scores {
		s := &r.Scores[i]
		if err := checkScore(s.Label(), runTimeMetrics, s, s.Jobs, s.Predicted, s.clusters()); err != nil {
			return err
		}
		if s.CommonJobs == 0 { // or of an older version
			continue
		}
		if s.CommonJobs < 0 || s.CommonJobs > s.Predicted {
			return fmt.Errorf("%s: accuracy_common_jobs: saw %d, want 0 to predicted, %d", s.Label(), s.CommonJobs, s.Predicted)
		}
		if x := float64(s.AccuracyCommon); !(x >= -rounding && x <= 1+rounding) {
			return fmt.Errorf("%s: accuracy_common_mean: saw %g, want a number from 0 to 1", s.Label(), x)
		}
		if err := checkScore(s.Label(), []metric[RunTimeScore]{commonMetric}, s, s.Jobs, s.CommonJobs, s.commonClusters()); err != nil {
			return err
		}
	}
	return nil
}

func (r *WaitsResult) check() error {
	o := &r.Options
	err := impossible(
		fromOne("log.jobs", float64(r.Log.Jobs)), between01("quantile", r.Quantile), between01("confidence", r.Confidence),
		wanted{"options.trim", o.Trim, o.Trim >= 0 && o.Trim < 0.5, "0 or more and less than 0.5"},
		wanted{"options.months", float64(o.Months), o.Months >= 1 && 12%o.Months == 0, "1, 2, 3, 4, 6 or 12"},
		wanted{"options.estimate_factor", o.Factor, o.Factor == 0 || o.Factor >= 1 && o.Factor <= 1e6, "0, or 1 to 1e6"},
	)
	if err != nil {
		return err
	}
	for i := range r.Scores {
		s := &r.Scores[i]
		s.Bound = isBound(s)
		if err := checkScore(s.Predictor, waitMetrics, s, s.Jobs, s.Predicted, s.clusters()); err != nil {
			return err
		}
		c := s.clusters()
		switch {
		case c == nil:
		case s.Bound:
			err = c.CheckCoverage(float64(s.Coverage))
		default:
			err = c.CheckCorrelation(float64(s.CorrelationLog))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Predictor, err)
		}
	}
	return nil
}

// isBound says whether a score that was read is of bounds: they cover a share of the
// waits above 0, and have no correlation. Results of older versions may lack that share.
func isBound(s *WaitScore) bool {
	return s.NonZeroCoverage > 0 && math.IsNaN(float64(s.CorrelationLog)) || isBoundName(s.Predictor)
}

// checkScore finds what no run writes in the metrics of a score, of which the
// first is a mean accuracy: a score is null of no predictions and, the accuracy,
// of no others; an interval holds it.
func checkScore[S any](of string, metrics []metric[S], s *S, jobs, predicted int, clusters *score.Clusters) error {
	if predicted > jobs {
		return fmt.Errorf("%s: predicted: saw %d, want at most jobs, %d", of, predicted, jobs)
	}
	for i, m := range metrics {
		value := float64(m.value(s))
		switch none := math.IsNaN(value); {
		case i > 0:
		case none && predicted > 0:
			return fmt.Errorf("%s(%s): %s: saw null, want a number: %d jobs were predicted", m.name, of, m.field, predicted)
		case !none && predicted == 0:
			return fmt.Errorf("%s(%s): %s: saw %g, want null: no job was predicted", m.name, of, m.field, value)
		}
		if err := m.checkInterval(value, float64(m.low(s)), float64(m.high(s))); err != nil {
			return fmt.Errorf("%s(%s): %w", m.name, of, err)
		}
		if i == 0 && clusters != nil {
			if err := clusters.Check(float64(predicted), value); err != nil {
				return fmt.Errorf("%s(%s): %w", m.name, of, err)
			}
		}
	}
	return nil
}

func (m *metric[S]) checkInterval(value, low, high float64) error {
	lowField, highField := m.name+"_low", m.name+"_high"
	switch noLow, noHigh := math.IsNaN(low), math.IsNaN(high); {
	case noLow && !noHigh:
		return fmt.Errorf("%s: saw null beside an %s", lowField, highField)
	case noHigh && !noLow:
		return fmt.Errorf("%s: saw null beside an %s", highField, lowField)
	case math.IsNaN(value) && !noLow:
		return fmt.Errorf("%s: saw a bound of a %s that is null", lowField, m.field)
	case low > high:
		return fmt.Errorf("%s: saw %g, want at most %s, %g", lowField, low, highField, high)
	case low > value+rounding:
		return fmt.Errorf("%s: saw %g, want at most %s, %g", lowField, low, m.field, value)
	case high < value-rounding:
		return fmt.Errorf("%s: saw %g, want at least %s, %g", highField, high, m.field, value)
	}
	return nil
}
