package generate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// LogEstimatesSchema is the version of LogEstimates' JSON.
const LogEstimatesSchema = "loadstone.estimates/1"

// AccuracyCells is the number of ranges of a run time's share of its estimate:
// see AccuracyEnd.
const AccuracyCells = accuracySteps + accuracyHalvings

const (
	accuracySteps    = 20 // equal ranges of the whole
	accuracyHalvings = 10 // of the first of them, which has a fifth of the jobs and more
)

// AccuracyEnd returns the upper end of a cell from 0 to AccuracyCells-1, from
// 1/20480 over 1/10240, ..., 1/40, 1/20, and from there in steps of 1/20 to 1.
// A cell begins above the end of the one before, the first with 0.
func AccuracyEnd(cell int) float64 { return accuracyEnd(cell) / accuracySteps }

// accuracyEnd is in steps, where it is exact.
func accuracyEnd(cell int) float64 {
	if cell <= accuracyHalvings {
		return math.Ldexp(1, cell-accuracyHalvings)
	}
	return float64(cell - accuracyHalvings + 1)
}

// accuracyCell takes a share in steps.
func accuracyCell(x float64) int {
	if x > 1 {
		return min(accuracyHalvings+int(math.Ceil(min(x, accuracySteps)))-1, AccuracyCells-1)
	}
	if x <= 0 {
		return 0
	}
	f, e := math.Frexp(x)
	if f == 0.5 { // a power of two is the end of its cell
		e--
	}
	return max(0, accuracyHalvings+e)
}

// LogEstimates are the estimates of a log: how many jobs have each, and which
// share of it they ran.
type LogEstimates struct {
	Schema  string        `json:"schema"`   // LogEstimatesSchema
	RoundTo float64       `json:"round_s"`  // estimates are rounded up to multiples of it, s; 0 is not at all
	LeftOut int64         `json:"left_out"` // jobs without a known estimate above 0, or without a known run time
	Overrun int64         `json:"overrun"`  // jobs that ran longer than their estimate; they are in the last cell
	Bins    []LogEstimate `json:"bins"`     // ascending times
}

// LogEstimate is one estimate of a log.
type LogEstimate struct {
	Time float64 `json:"time_s"`
	Jobs int64   `json:"jobs"`
	// Accuracy counts the jobs by run time / estimate, in the cells of
	// AccuracyEnd. The last has also what ran longer.
	Accuracy [AccuracyCells]int64 `json:"accuracy"`
}

// Validate returns nil, or an *OptionError for the first field that is out of
// its range.
func (l LogEstimates) Validate() error {
	switch {
	case l.Schema != LogEstimatesSchema:
		return estimateError("schema", strconv.Quote(LogEstimatesSchema), "%q", l.Schema)
	case !validRound(l.RoundTo):
		return estimateError("round_s", wantRound, "%g", l.RoundTo)
	case l.LeftOut < 0:
		return estimateError("left_out", "at least 0", "%d", l.LeftOut)
	}
	if err := l.Distribution().Validate(); err != nil {
		return err
	}
	last := int64(0)
	for i, b := range l.Bins {
		sum := int64(0)
		for _, n := range b.Accuracy {
			// Each at most jobs, so that the sum stays in range.
			if n < 0 || n > b.Jobs {
				return estimateError(fmt.Sprintf("bins[%d].accuracy", i), fmt.Sprintf("counts from 0 to the bin's %d jobs", b.Jobs), "%d", n)
			}
			sum += n
		}
		if sum != b.Jobs {
			return estimateError(fmt.Sprintf("bins[%d].accuracy", i), fmt.Sprintf("counts that sum to the bin's %d jobs", b.Jobs), "a sum of %d", sum)
		}
		last += b.Accuracy[AccuracyCells-1]
	}
	if l.Overrun < 0 || l.Overrun > last {
		return estimateError("overrun", fmt.Sprintf("0 to the %d jobs in the last cells", last), "%d", l.Overrun)
	}
	return nil
}

// Distribution returns the estimates alone.
func (l LogEstimates) Distribution() Bins {
	bins := make(Bins, len(l.Bins))
	for i, b := range l.Bins {
		bins[i] = Bin{b.Time, b.Jobs}
	}
	return bins
}

// UnmarshalJSON refuses fields that are unknown or missing, and what Validate
// refuses.
func (l *LogEstimates) UnmarshalJSON(data []byte) error {
	type bin struct {
		Time     *float64 `json:"time_s"`
		Jobs     *int64   `json:"jobs"`
		Accuracy []int64  `json:"accuracy"`
	}
	var in struct {
		Schema  *string  `json:"schema"`
		RoundTo *float64 `json:"round_s"`
		LeftOut *int64   `json:"left_out"`
		Overrun *int64   `json:"overrun"`
		Bins    []bin    `json:"bins"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return fmt.Errorf("generate: estimates: %w", err)
	}
	if in.Schema == nil || in.RoundTo == nil || in.LeftOut == nil || in.Overrun == nil {
		return estimateError("fields", "schema, round_s, left_out, overrun and bins", "one is missing")
	}
	out := LogEstimates{Schema: *in.Schema, RoundTo: *in.RoundTo, LeftOut: *in.LeftOut, Overrun: *in.Overrun}
	for i, b := range in.Bins {
		if b.Time == nil || b.Jobs == nil || len(b.Accuracy) != AccuracyCells {
			return estimateError(fmt.Sprintf("bins[%d]", i), fmt.Sprintf("time_s, jobs and %d counts of accuracy", AccuracyCells), "%d counts, or a field is missing", len(b.Accuracy))
		}
		out.Bins = append(out.Bins, LogEstimate{*b.Time, *b.Jobs, [AccuracyCells]int64(b.Accuracy)})
	}
	if err := out.Validate(); err != nil {
		return err
	}
	*l = out
	return nil
}

const wantRound = "0, or a number of seconds above 0 and at most 86400"

func validRound(r float64) bool { return r == 0 || r > 0 && r <= 86400 }

// EstimateCounter counts the estimates of a log. Its memory is that of
// MaxEstimateBins estimates.
type EstimateCounter struct {
	log  LogEstimates // without bins
	bins map[float64]*LogEstimate
}

// NewEstimateCounter takes the seconds of which estimates are rounded up to a
// multiple (60, say, for logs whose users ask for odd times), or 0.
func NewEstimateCounter(roundTo float64) (*EstimateCounter, error) {
	if !validRound(roundTo) {
		return nil, estimateError("round_s", wantRound, "%g", roundTo)
	}
	return &EstimateCounter{LogEstimates{Schema: LogEstimatesSchema, RoundTo: roundTo}, map[float64]*LogEstimate{}}, nil
}

// Add counts jobs by what they ran and what they asked for, in seconds; NaN is
// unknown. It fails, and the count cannot be used, where there are more than
// MaxEstimateBins distinct estimates.
func (c *EstimateCounter) Add(runs, requested []float64) error {
	if len(runs) != len(requested) {
		return estimateError("columns", "two of one length", "%d run times, %d estimates", len(runs), len(requested))
	}
	for i, e := range requested {
		r := runs[i]
		if c.log.RoundTo > 0 {
			e = math.Ceil(e/c.log.RoundTo) * c.log.RoundTo
		}
		if !knownRun(r) || !(e > 0 && e <= MaxEstimateTime) {
			c.log.LeftOut++
			continue
		}
		b, err := c.bin(e)
		if err != nil {
			return err
		}
		if r > e {
			c.log.Overrun++
		}
		b.Jobs++
		b.Accuracy[accuracyCell(float64(accuracySteps*min(r, e))/e)]++
	}
	return nil
}

func (c *EstimateCounter) bin(e float64) (*LogEstimate, error) {
	b, ok := c.bins[e]
	if !ok {
		if len(c.bins) == MaxEstimateBins {
			return nil, estimateError("bins", "round_s, 60 say, that leaves fewer", "more than %d distinct estimates", MaxEstimateBins)
		}
		b = &LogEstimate{Time: e}
		c.bins[e] = b
	}
	return b, nil
}

// Merge adds what another counter has counted with the same rounding. It fails
// as Add does.
func (c *EstimateCounter) Merge(other *EstimateCounter) error {
	if c.log.RoundTo != other.log.RoundTo {
		return estimateError("round_s", "one for both counts", "%g and %g", c.log.RoundTo, other.log.RoundTo)
	}
	c.log.LeftOut += other.log.LeftOut
	c.log.Overrun += other.log.Overrun
	for e, o := range other.bins {
		b, err := c.bin(e)
		if err != nil {
			return err
		}
		b.Jobs += o.Jobs
		for k, n := range o.Accuracy {
			b.Accuracy[k] += n
		}
	}
	return nil
}

// Result returns what was counted. It fails where no job had an estimate.
func (c *EstimateCounter) Result() (LogEstimates, error) {
	l := c.log
	for _, b := range c.bins {
		l.Bins = append(l.Bins, *b)
	}
	slices.SortFunc(l.Bins, func(a, b LogEstimate) int {
		if a.Time < b.Time {
			return -1
		}
		return 1
	})
	if len(l.Bins) == 0 {
		return LogEstimates{}, estimateError("log", "jobs with a known requested time above 0 and a known run time", "none in %d jobs", l.LeftOut)
	}
	return l, nil
}
