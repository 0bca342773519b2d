package change

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Series contains the values of an attribute job by job, in order of
// submission. Compare needs the order, which a fit.Sample does not have,
// because neighbouring jobs are alike.
type Series struct {
	Attribute fit.Attribute
	Label     string    // which jobs
	Values    []float64 // finite, above 0
	// Stride tells that every Stride-th usable job was kept; 1 if all were. A
	// thinned series has the same law, and its neighbours are less alike.
	Stride  int64
	Jobs    int64 // usable jobs, kept or not
	LeftOut []fit.LeftOut
}

// SeriesOptions select the jobs of a series. The zero value selects all jobs.
type SeriesOptions struct {
	Label  string                   // "" means "all"
	Keep   func(*workload.Job) bool // nil keeps every job
	Status []int64                  // the status codes to keep; empty keeps every job
	Limit  int                      // largest number of values kept; 0 means 2^20
}

const defaultSeriesLimit = 1 << 20

// CollectSeries gathers attributes of the jobs of a log, each as one series, in
// the order of submission, which may differ from the log's as workload.InOrder
// allows. Interarrival times are those between the jobs kept. Jobs without a
// submission time, and those whose value is unknown, infinite or not above 0,
// are left out and counted. Memory is bounded by the limit. It stops at an
// error from jobs and returns it.
func CollectSeries(jobs iter.Seq2[workload.Job, error], attributes []fit.Attribute, o SeriesOptions) ([]Series, error) {
	all, err := collectSides(jobs, attributes, o)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// collectSides gathers several sides in one reading.
func collectSides(jobs iter.Seq2[workload.Job, error], attributes []fit.Attribute, sides ...SeriesOptions) ([][]Series, error) {
	var collectors [][]*seriesCollector
	for _, o := range sides {
		var of []*seriesCollector
		for _, a := range attributes {
			c, err := newSeriesCollector(a, o)
			if err != nil {
				return nil, err
			}
			of = append(of, c)
		}
		collectors = append(collectors, of)
	}
	add := func(j *workload.Job) {
		for i, o := range sides {
			if len(o.Status) > 0 && !slices.Contains(o.Status, j.Status) || o.Keep != nil && !o.Keep(j) {
				continue
			}
			for _, c := range collectors[i] {
				c.add(j)
			}
		}
	}
	timed := func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil && math.IsNaN(j.Submit) {
				add(&j)
			} else if !yield(j, err) {
				return
			}
		}
	}
	for j, err := range workload.InOrder(timed, nil) {
		if err != nil {
			return nil, err
		}
		add(&j)
	}
	out := make([][]Series, len(sides))
	for i := range collectors {
		for _, c := range collectors[i] {
			out[i] = append(out[i], c.series())
		}
	}
	return out, nil
}

// seriesCollector gathers one series.
type seriesCollector struct {
	out   Series
	limit int
	last  float64 // submission of the job before, NaN before the first

	unplaced, missing, infinite, notPositive int64
}

func newSeriesCollector(a fit.Attribute, o SeriesOptions) (*seriesCollector, error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	if o.Limit < 0 {
		return nil, fmt.Errorf("change: limit of a series is %d, want 0 or more", o.Limit)
	}
	if o.Limit == 0 {
		o.Limit = defaultSeriesLimit
	}
	if o.Label == "" {
		o.Label = "all"
	}
	return &seriesCollector{out: Series{Attribute: a, Label: o.Label, Stride: 1}, limit: max(o.Limit, 2), last: math.NaN()}, nil
}

func (c *seriesCollector) add(j *workload.Job) {
	if math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0) {
		c.unplaced++
		return
	}
	v := c.out.Attribute.Of(j)
	if c.out.Attribute == fit.Interarrival {
		v, c.last = j.Submit-c.last, j.Submit
	}
	switch {
	case math.IsNaN(v):
		c.missing++
	case math.IsInf(v, 1):
		c.infinite++
	case v <= 0:
		c.notPositive++
	default:
		c.out.add(v, c.limit)
	}
}

func (c *seriesCollector) series() Series {
	name := strings.ReplaceAll(string(c.out.Attribute), "_", " ")
	for _, l := range []fit.LeftOut{
		{Why: "submission unknown", Jobs: c.unplaced}, {Why: name + " unknown", Jobs: c.missing},
		{Why: name + " not positive", Jobs: c.notPositive}, {Why: name + " infinite", Jobs: c.infinite},
	} {
		if l.Jobs > 0 {
			c.out.LeftOut = append(c.out.LeftOut, l)
		}
	}
	return c.out
}

// add adds a value to a series of at most limit values: a full one drops every
// other value and goes on with a stride twice as long.
func (s *Series) add(v float64, limit int) {
	if s.Jobs%s.Stride == 0 {
		if len(s.Values) >= limit {
			half := s.Values[:0]
			for i := 0; i < len(s.Values); i += 2 {
				half = append(half, s.Values[i])
			}
			s.Values = half
			s.Stride *= 2
		}
		if s.Jobs%s.Stride == 0 {
			s.Values = append(s.Values, v)
		}
	}
	s.Jobs++
}

// Sample returns the series' values without their order.
func (s Series) Sample() fit.Sample {
	out := fit.NewSample(s.Attribute, s.Values)
	out.LeftOut = append(out.LeftOut, s.LeftOut...)
	return out
}

// Validate returns an error if a field of the Series is out of range.
func (s Series) Validate() error {
	if err := s.Attribute.Validate(); err != nil {
		return err
	}
	for i, v := range s.Values {
		if !(v > 0) || math.IsInf(v, 1) {
			return fmt.Errorf("change: value %d of the series of %s is %g, want a finite number above 0", i, s.Label, v)
		}
	}
	return nil
}

// block returns the mean length of blocks to resample the series by.
func (s Series) block(length float64) stats.BlockLength {
	if length == 0 {
		return stats.AutomaticBlockLength(s.Values)
	}
	return stats.BlockLength{N: len(s.Values), Mean: length}
}
