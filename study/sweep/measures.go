package sweep

import (
	"math"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Value is a measure with its value in one run.
type Value struct {
	Measure string       `json:"measure"`
	Value   stats.Number `json:"value"` // null where it has none
}

// Measure describes a quantity that runs measure.
type Measure struct {
	Name    string // with its unit
	Meaning string
	Main    bool // in tables for people
	Drawn   bool // in pictures
}

// measure is one of a kind of result.
type measure[T any] struct {
	Measure
	of func(*T) stats.Number
}

// scheduled is a schedule, and the offered load of its jobs.
type scheduled struct {
	*score.Schedule
	load float64
}

var scheduleMeasures = []measure[scheduled]{
	{Measure{"jobs", "jobs scheduled", false, false}, func(s *scheduled) stats.Number { return stats.Number(s.Jobs) }},
	{Measure{"offered_load", "work over what the machine can do while jobs are submitted", false, false}, func(s *scheduled) stats.Number { return stats.Number(s.load) }},
	{Measure{"utilisation", "utilisation", true, true}, func(s *scheduled) stats.Number { return s.Utilisation }},
	{Measure{"wait_mean_s", "mean wait", true, true}, func(s *scheduled) stats.Number { return s.Wait.Mean }},
	{Measure{"wait_median_s", "median wait", false, false}, func(s *scheduled) stats.Number { return s.Wait.Median }},
	{Measure{"wait_q90_s", "wait that 90 % of the jobs do not exceed", true, true}, func(s *scheduled) stats.Number { return s.Wait.Q90 }},
	{Measure{"wait_q95_s", "wait that 95 % of the jobs do not exceed", false, false}, func(s *scheduled) stats.Number { return s.Wait.Q95 }},
	{Measure{"wait_max_s", "longest wait", false, true}, func(s *scheduled) stats.Number { return s.Wait.Max }},
	{Measure{"waited_pct", "jobs that wait", false, false}, func(s *scheduled) stats.Number { return s.WaitedPct }},
	{Measure{"response_mean_s", "mean time from submission to end", false, false}, func(s *scheduled) stats.Number { return s.Response.Mean }},
	{Measure{"bounded_slowdown_mean", "mean bounded slowdown", true, true}, func(s *scheduled) stats.Number { return s.BoundedSlowdown.Mean }},
	{Measure{"bounded_slowdown_median", "median bounded slowdown", false, false}, func(s *scheduled) stats.Number { return s.BoundedSlowdown.Median }},
	{Measure{"bounded_slowdown_q95", "bounded slowdown that 95 % of the jobs do not exceed", false, false}, func(s *scheduled) stats.Number { return s.BoundedSlowdown.Q95 }},
	{Measure{"queued_mean", "waiting jobs, mean over time", false, false}, func(s *scheduled) stats.Number { return s.QueuedMean }},
	{Measure{"queued_most", "most waiting jobs at once", false, false}, func(s *scheduled) stats.Number { return stats.Number(s.QueuedMost) }},
	{Measure{"jobs_per_day", "jobs that end a day; of closed simulations", false, false}, func(s *scheduled) stats.Number {
		if s.Throughput == nil {
			return stats.Number(math.NaN())
		}
		return s.Throughput.JobsPerDay
	}},
}

var runTimeMeasures = []measure[evaluate.RunTimeScore]{
	{Measure{"coverage", "share of jobs with a prediction", true, false}, func(s *evaluate.RunTimeScore) stats.Number { return s.Coverage }},
	{Measure{"accuracy_mean", "mean accuracy of predictions", true, false}, func(s *evaluate.RunTimeScore) stats.Number { return s.AccuracyMean }},
	{Measure{"absolute_error_mean_s", "mean absolute error", true, false}, func(s *evaluate.RunTimeScore) stats.Number { return s.AbsoluteErrorMean }},
	{Measure{"absolute_error_median_s", "median absolute error", false, false}, func(s *evaluate.RunTimeScore) stats.Number { return s.AbsoluteErrorMedian }},
}

var waitMeasures = []measure[evaluate.WaitScore]{
	{Measure{"coverage", "share of jobs with a prediction; of bounds, share of waits covered", true, false}, func(s *evaluate.WaitScore) stats.Number { return s.Coverage }},
	{Measure{"accuracy_mean", "mean accuracy of predictions", true, false}, func(s *evaluate.WaitScore) stats.Number { return s.AccuracyMean }},
	{Measure{"absolute_error_mean_min", "mean absolute error", true, false}, func(s *evaluate.WaitScore) stats.Number { return s.AbsoluteErrorMean }},
	{Measure{"correlation_log", "correlation of the logarithms of predicted and actual waits", true, false}, func(s *evaluate.WaitScore) stats.Number { return s.CorrelationLog }},
	{Measure{"tightness_median", "median of bound over wait", false, false}, func(s *evaluate.WaitScore) stats.Number { return s.TightnessMedian }},
}

func valuesOf[T any](all []measure[T], result *T) (values []Value) {
	for _, m := range all {
		x := m.of(result)
		if math.IsInf(float64(x), 0) {
			x = stats.Number(math.NaN())
		}
		values = append(values, Value{m.Name, x})
	}
	return values
}

// nothing is the values of a predictor that is not scored.
func nothing[T any](all []measure[T]) (values []Value) {
	for _, m := range all {
		values = append(values, Value{m.Name, stats.Number(math.NaN())})
	}
	return values
}

func measuresOf[T any](all []measure[T]) (out []Measure) {
	for _, m := range all {
		out = append(out, m.Measure)
	}
	return out
}

// measures are those of the k-th run.
func (p *Plan) measures(k int) []Measure {
	switch p.points[k%len(p.points)].kind {
	case KindRunTime:
		return measuresOf(runTimeMeasures)
	case KindWait:
		return measuresOf(waitMeasures)
	}
	return measuresOf(scheduleMeasures)
}
