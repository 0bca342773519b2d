package score

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Sums contains the sums, over the jobs of one cluster, from which scores are
// computed. A cluster is the jobs of one user, or those submitted in one week.
// A bootstrap draws clusters and needs nothing else of the jobs.
type Sums struct {
	Predicted float64           // jobs that had a prediction
	Held      float64           // of these, jobs whose time does not exceed the prediction
	Accuracy  float64           // sum of the accuracies
	Loss      float64           // sum of the pinball losses of bounds of waits, min; NaN if unknown, 0 for run times
	Logs      stats.Correlation // of ln predicted and ln actual waits; empty for run times
}

// AccuracyMean returns the mean accuracy in [0, 1]; NaN without predictions.
func (s Sums) AccuracyMean() float64 { return s.Accuracy / s.Predicted }

// HeldShare returns the share of the predicted jobs whose wait does not exceed
// the prediction: the coverage of a bound.
func (s Sums) HeldShare() float64 { return s.Held / s.Predicted }

// LossMean returns the mean pinball loss of bounds of waits, min.
func (s Sums) LossMean() float64 { return s.Loss / s.Predicted }

// CorrelationLog returns the correlation coefficient of ln predicted and ln
// actual.
func (s Sums) CorrelationLog() float64 { return s.Logs.R() }

// SumsScore returns the function that computes a score from sums, by the tag sums of the
// score's field. It panics for an unknown tag.
func SumsScore(tag string) func(Sums) float64 {
	switch tag {
	case "accuracy", "common":
		return Sums.AccuracyMean
	case "held":
		return Sums.HeldShare
	case "loss":
		return Sums.LossMean
	case "correlation":
		return Sums.CorrelationLog
	}
	panic("score: unknown sums tag " + strconv.Quote(tag))
}

func (s *Sums) add(o *Sums, times int) {
	n := float64(times)
	s.Predicted += n * o.Predicted
	s.Held += n * o.Held
	s.Accuracy += n * o.Accuracy
	s.Loss += n * o.Loss
	if o.Logs.N() > 0 {
		for range times {
			s.Logs.Merge(o.Logs)
		}
	}
}

// Clusters contains the sums of one predictor for each cluster of a log's jobs.
type Clusters struct {
	// Jobs is a fingerprint of the scored jobs and their clusters, with or
	// without predictions: equal values mean the same jobs.
	Jobs uint64
	Sums []Sums
}

// Same reports whether two runs scored the same jobs in the same clusters.
func (c Clusters) Same(o Clusters) bool { return c.Jobs == o.Jobs && len(c.Sums) == len(o.Sums) }

// Whole returns the sums over all clusters.
func (c Clusters) Whole() (s Sums) {
	for i := range c.Sums {
		s.add(&c.Sums[i], 1)
	}
	return s
}

// identify is a job's part in Clusters.Jobs, which is the sum over all jobs.
func identify(cluster int64, actual float64) uint64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], uint64(cluster))
	binary.LittleEndian.PutUint64(b[8:], math.Float64bits(actual))
	h := fnv.New64a()
	h.Write(b[:])
	return h.Sum64()
}

// bootstrap draws clusters with replacement, as many as there are, replicates times, the same
// for all predictors, which have the same clusters, and returns each predictor's scores of
// each draw. There are no draws of fewer than two clusters. Each draw has a random stream of
// its own, made from the seed and its number.
func bootstrap(predictors []Clusters, replicates int, seed uint64, scores ...func(Sums) float64) [][][]float64 {
	drawn := make([][][]float64, len(predictors))
	for k := range predictors {
		drawn[k] = make([][]float64, len(scores))
	}
	if len(predictors) == 0 || len(predictors[0].Sums) < 2 {
		return drawn
	}
	times := make([]int, len(predictors[0].Sums))
	for r := range replicates {
		stats.DrawTimes(rand.New(rand.NewPCG(seed, uint64(r))), times)
		for k, c := range predictors {
			var sums Sums
			for i, t := range times {
				if t > 0 {
					sums.add(&c.Sums[i], t)
				}
			}
			for i, of := range scores {
				drawn[k][i] = append(drawn[k][i], of(sums))
			}
		}
	}
	return drawn
}

// Interval is a mean with a confidence interval. Low and High are NaN if fewer
// than two clusters (users or blocks of time) were scored.
type Interval struct{ Mean, Low, High float64 }

// interval returns the percentile interval of that level of the draws that have a value: one
// may lack all jobs that were predicted, or all that varies.
func interval(mean float64, drawn []float64, level float64) Interval {
	drawn = slices.DeleteFunc(drawn, math.IsNaN)
	slices.Sort(drawn)
	return Interval{mean, stats.Quantile(drawn, (1-level)/2), stats.Quantile(drawn, (1+level)/2)}
}

// Difference draws clusters with replacement, replicates times, and returns the
// percentile interval at that level (0.95 for 95 %) of the change of a score:
// now less before. If both runs scored the same jobs (see Clusters.Same), each
// draw takes the same clusters of both: the comparison is paired, and jobs that
// are hard for either run cancel. Else the two are drawn independently. Low and
// High are NaN if either has fewer than two clusters. The same seed gives the
// same interval.
func Difference(before, now Clusters, of func(Sums) float64, replicates int, level float64, seed uint64) Interval {
	other := seed
	if !before.Same(now) {
		other = ^seed
	}
	was, is := bootstrap([]Clusters{before}, replicates, other, of)[0][0], bootstrap([]Clusters{now}, replicates, seed, of)[0][0]
	var drawn []float64
	for i := range min(len(was), len(is)) {
		drawn = append(drawn, is[i]-was[i])
	}
	return interval(of(now.Whole())-of(before.Whole()), drawn, level)
}

// SumsText is the form of Clusters in a JSON result. It lets a later run
// compute an interval for the difference from this one. Each quantity is one
// string of numbers separated by spaces, one number for each cluster (user,
// week or day); an indented JSON array would need a line for each. "jobs" is
// the fingerprint of the scored jobs.
type SumsText map[string]string

const (
	sumsJobs   = "jobs"
	lossColumn = "pinball_loss_min" // of bounds alone
	// sumsDigits are the significant digits that are written.
	sumsDigits = 9
)

// sumColumn is one number of a cluster's sums.
type sumColumn struct {
	name   string
	signed bool // may be below 0
	of     func(*Sums, *stats.CorrelationSums) *float64
}

// sumColumns are those of waits; the first two are those of run times.
var sumColumns = []sumColumn{
	{"predicted", false, func(s *Sums, _ *stats.CorrelationSums) *float64 { return &s.Predicted }},
	{"accuracy", false, func(s *Sums, _ *stats.CorrelationSums) *float64 { return &s.Accuracy }},
	{"held", false, func(s *Sums, _ *stats.CorrelationSums) *float64 { return &s.Held }},
	{lossColumn, false, func(s *Sums, _ *stats.CorrelationSums) *float64 { return &s.Loss }},
	{"log_pairs", false, func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.N }},
	{"log_predicted_mean", true, func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.MeanX }},
	{"log_actual_mean", true, func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.MeanY }},
	{"log_predicted_squares", false, func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.XX }},
	{"log_actual_squares", false, func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.YY }},
	{"log_products", true, func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.XY }},
}

func (c Clusters) marshal(columns []sumColumn) ([]byte, error) {
	if len(c.Sums) == 0 {
		return []byte("null"), nil
	}
	js := SumsText{sumsJobs: strconv.FormatUint(c.Jobs, 16)}
	for _, column := range columns {
		if column.name == lossColumn && math.IsNaN(c.Whole().Loss) {
			continue
		}
		var text []byte
		for i := range c.Sums {
			logs := c.Sums[i].Logs.Sums()
			text = strconv.AppendFloat(append(text, ' '), *column.of(&c.Sums[i], &logs), 'g', sumsDigits, 64)
		}
		js[column.name] = string(text[1:])
	}
	return json.Marshal(js)
}

func (c *Clusters) unmarshal(text []byte, columns []sumColumn) error {
	var js SumsText
	if err := json.Unmarshal(text, &js); err != nil || js == nil {
		return err
	}
	jobs, err := strconv.ParseUint(js[sumsJobs], 16, 64)
	if err != nil {
		return fmt.Errorf("sums.%s: saw %q, want a hexadecimal number", sumsJobs, js[sumsJobs])
	}
	n := len(strings.Fields(js[columns[0].name]))
	sums, logs := make([]Sums, n), make([]stats.CorrelationSums, n)
	for _, column := range columns {
		words := strings.Fields(js[column.name])
		if column.name == lossColumn && len(words) == 0 {
			words = slices.Repeat([]string{"NaN"}, n)
		} else if len(words) == 0 || len(words) != n {
			return fmt.Errorf("sums.%s: saw %d numbers, want as many as in sums.%s, %d", column.name, len(words), columns[0].name, n)
		}
		for i, w := range words {
			x, err := strconv.ParseFloat(w, 64)
			if isLoss := column.name == lossColumn; err != nil || math.IsInf(x, 0) || math.IsNaN(x) && !isLoss || x < 0 && !column.signed {
				return fmt.Errorf("sums.%s: saw %q, want a number%s", column.name, w, map[bool]string{false: " of 0 or more"}[column.signed])
			}
			*column.of(&sums[i], &logs[i]) = x
		}
	}
	for i := range sums {
		sums[i].Logs = logs[i].Correlation()
	}
	*c = Clusters{jobs, sums}
	return nil
}

// MarshalJSON writes the clusters of run times as SumsText; null if there are none.
func (c Clusters) MarshalJSON() ([]byte, error) { return c.marshal(sumColumns[:2]) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Clusters) UnmarshalJSON(text []byte) error { return c.unmarshal(text, sumColumns[:2]) }

// JSONShape returns the type that the JSON has, of WaitClusters too.
func (Clusters) JSONShape() any { return SumsText{} }

// WaitClusters are Clusters of waits, whose JSON form includes the sums for
// correlations.
type WaitClusters struct{ Clusters }

// MarshalJSON writes the clusters of waits as SumsText; null if there are none.
func (c WaitClusters) MarshalJSON() ([]byte, error) { return c.marshal(sumColumns) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *WaitClusters) UnmarshalJSON(text []byte) error { return c.unmarshal(text, sumColumns) }
