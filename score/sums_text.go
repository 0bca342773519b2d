package score

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/stats"
)

// SumsText is the form of Clusters in a JSON result. It lets a later run
// compute an interval for the difference from this one. Each quantity is one
// string of numbers separated by spaces, one number for each cluster (user,
// week or day); an indented JSON array would need a line for each. "jobs" is
// the fingerprint of the scored jobs.
type SumsText map[string]string

const sumsJobs = "jobs"

// sumColumn is one number of a cluster's sums.
type sumColumn struct {
	name string
	at   func(*Sums, *stats.CorrelationSums) *float64
}

// lossColumn is only of bounds.
const lossColumn = "pinball_loss_min"

var waitSumColumns = []sumColumn{
	{"predicted", func(s *Sums, _ *stats.CorrelationSums) *float64 { return &s.Predicted }},
	{"accuracy", func(s *Sums, _ *stats.CorrelationSums) *float64 { return &s.Accuracy }},
	{"held", func(s *Sums, _ *stats.CorrelationSums) *float64 { return &s.Held }},
	{lossColumn, func(s *Sums, _ *stats.CorrelationSums) *float64 { return &s.Loss }},
	{"log_pairs", func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.N }},
	{"log_predicted_mean", func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.MeanX }},
	{"log_actual_mean", func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.MeanY }},
	{"log_predicted_squares", func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.XX }},
	{"log_actual_squares", func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.YY }},
	{"log_products", func(_ *Sums, c *stats.CorrelationSums) *float64 { return &c.XY }},
}

// sumColumns are those of waits, or of run times.
func sumColumns(waits bool) []sumColumn {
	if waits {
		return waitSumColumns
	}
	return waitSumColumns[:2]
}

// sumsDigits are the significant digits that are written, and sumsRounding what
// comparisons of such numbers allow.
const (
	sumsDigits   = 9
	sumsRounding = 1e-9
)

// Text returns the clusters as text, of waits or else of run times; nil if
// there are none.
func (c Clusters) Text(waits bool) SumsText {
	if len(c.Sums) == 0 {
		return nil
	}
	js := SumsText{sumsJobs: strconv.FormatUint(c.Jobs, 16)}
	for _, column := range sumColumns(waits) {
		if column.name == lossColumn && math.IsNaN(c.Whole().Loss) {
			continue
		}
		var text []byte
		for i := range c.Sums {
			logs := c.Sums[i].Logs.Sums()
			text = strconv.AppendFloat(append(text, ' '), *column.at(&c.Sums[i], &logs), 'g', sumsDigits, 64)
		}
		js[column.name] = string(text[1:])
	}
	return js
}

func (js SumsText) read(waits bool) (*Clusters, error) {
	if js == nil {
		return nil, nil
	}
	jobs, err := strconv.ParseUint(js[sumsJobs], 16, 64)
	if err != nil {
		return nil, fmt.Errorf("sums.%s: saw %q, want a hexadecimal number", sumsJobs, js[sumsJobs])
	}
	c := &Clusters{Jobs: jobs}
	var logs []stats.CorrelationSums
	columns := sumColumns(waits)
	for _, column := range columns {
		words := strings.Fields(js[column.name])
		if c.Sums == nil {
			c.Sums, logs = make([]Sums, len(words)), make([]stats.CorrelationSums, len(words))
		}
		if _, ok := js[column.name]; !ok && column.name == lossColumn {
			for i := range c.Sums {
				c.Sums[i].Loss = math.NaN()
			}
			continue
		}
		if len(words) == 0 || len(words) != len(c.Sums) {
			return nil, fmt.Errorf("sums.%s: saw %d numbers, want as many as in sums.%s, %d", column.name, len(words), columns[0].name, len(c.Sums))
		}
		for i, w := range words {
			x, err := strconv.ParseFloat(w, 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, fmt.Errorf("sums.%s: saw %q, want a number", column.name, w)
			}
			*column.at(&c.Sums[i], &logs[i]) = x
		}
	}
	for i := range c.Sums {
		s := &c.Sums[i]
		s.Logs = logs[i].Correlation()
		switch most := s.Predicted * (1 + sumsRounding); {
		case s.Predicted < 0 || logs[i].N < 0 || logs[i].N > most:
			return nil, fmt.Errorf("sums: saw %g predictions, %g with logarithms, of one cluster", s.Predicted, logs[i].N)
		case s.Accuracy < 0 || s.Accuracy > most || s.Held < 0 || s.Held > most:
			return nil, fmt.Errorf("sums: saw an accuracy of %g and %g held of %g predictions of one cluster", s.Accuracy, s.Held, s.Predicted)
		case s.Loss < 0:
			return nil, fmt.Errorf("sums: saw a pinball loss of %g of one cluster, want none below 0", s.Loss)
		case logs[i].XX < 0 || logs[i].YY < 0:
			return nil, fmt.Errorf("sums: saw squares of %g and %g, want none below 0", logs[i].XX, logs[i].YY)
		case math.Abs(logs[i].XY) > math.Sqrt(logs[i].XX)*math.Sqrt(logs[i].YY)*(1+1e-6): // a correlation above 1
			return nil, fmt.Errorf("sums: saw squares of %g and %g and products of %g, want no more than the root of the squares' product", logs[i].XX, logs[i].YY, logs[i].XY)
		}
	}
	return c, nil
}

// MarshalJSON writes the clusters of run times as SumsText.
func (c Clusters) MarshalJSON() ([]byte, error) { return json.Marshal(c.Text(false)) }

// JSONShape returns the type that the JSON has, of WaitClusters too.
func (Clusters) JSONShape() any { return SumsText{} }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Clusters) UnmarshalJSON(text []byte) error { return c.unmarshal(text, false) }

func (c *Clusters) unmarshal(text []byte, waits bool) error {
	var js SumsText
	if err := json.Unmarshal(text, &js); err != nil {
		return err
	}
	read, err := js.read(waits)
	if err == nil && read != nil {
		*c = *read
	}
	return err
}

// WaitClusters are Clusters of waits, whose JSON form includes the sums for
// correlations.
type WaitClusters struct{ Clusters }

// MarshalJSON writes the clusters of waits as SumsText.
func (c WaitClusters) MarshalJSON() ([]byte, error) { return json.Marshal(c.Text(true)) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *WaitClusters) UnmarshalJSON(text []byte) error { return c.Clusters.unmarshal(text, true) }
