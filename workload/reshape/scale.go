package reshape

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Method is a way to change the load of a log.
type Method string

// The methods.
const (
	// Thin keeps jobs at random, for lower loads. The distributions over hours, weekdays and kinds
	// of jobs stay; users submit fewer jobs.
	Thin Method = "thin"
	// Interarrival shortens the time between jobs, measured along the weekly cycle, for higher
	// loads.
	Interarrival Method = "interarrival"
)

// ScaleOptions are the options of Scale.
type ScaleOptions struct {
	Load       LoadTarget `opt:"load" common:"true" help:"offered load to reach, such as 0.9, or 1.2x for 1.2 times the log's"`
	Processors int64      `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`
	Seed       uint64     `opt:"seed" usual:"1" common:"true" help:"seed of the random numbers"`
}

// Validate returns a *workload.OptionError for the first invalid option.
func (o *ScaleOptions) Validate() error {
	above0 := func(x float64) bool { return x > 0 && !math.IsInf(x, 1) }
	switch l := o.Load; {
	case l == LoadTarget{}:
		return workload.OptionFault("load", "is missing", "the offered load to reach, such as 0.9")
	case above0(l.Load) == above0(l.Times) || min(l.Load, l.Times) != 0:
		return workload.OptionFault("load", &l, "a number above 0")
	}
	return opt.Check(o)
}

// LoadTarget is an offered load to reach, or a multiple of the load of a model or a log, such as
// "1.2x". One of the two fields is 0.
type LoadTarget struct{ Load, Times float64 }

// String returns the target in the form that Set reads.
func (l *LoadTarget) String() string {
	if l.Times != 0 {
		return fmt.Sprintf("%gx", l.Times)
	}
	return strconv.FormatFloat(l.Load, 'g', -1, 64)
}

// Type returns the name of the type for help.
func (l *LoadTarget) Type() string { return "float64" }

// Set reads an offered load, or a multiple followed by x.
func (l *LoadTarget) Set(text string) error {
	number, relative := strings.CutSuffix(text, "x")
	x, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil || !(x > 0) || math.IsInf(x, 1):
		return workload.OptionFault("load", strconv.Quote(text), "an offered load above 0, such as 0.9, or 1.2x for 1.2 times the model's or the log's")
	case relative:
		*l = LoadTarget{Times: x}
	default:
		*l = LoadTarget{Load: x}
	}
	return nil
}

// Load is the work of a log's jobs and the time in which they are submitted. Use NewLoad.
type Load struct {
	Jobs  int64
	Work  float64 // processor seconds, over jobs with known size and positive run time
	First float64 // s, first submission; +Inf if none is known
	Last  float64 // s, last submission; -Inf if none is known
	Whole bool    // all submissions are at whole seconds
}

// NewLoad returns the load of no jobs.
func NewLoad() *Load { return &Load{First: math.Inf(1), Last: math.Inf(-1), Whole: true} }

// Add counts a job.
func (l *Load) Add(j *workload.Job) {
	l.Jobs++
	if !math.IsNaN(j.Submit) {
		l.First, l.Last = min(l.First, j.Submit), max(l.Last, j.Submit)
		l.Whole = l.Whole && j.Submit == math.Trunc(j.Submit)
	}
	l.Work += workOf(j)
}

// workOf returns a job's work in processor seconds, 0 if its size or run time is unknown.
func workOf(j *workload.Job) float64 {
	if j.Size == workload.Unknown || !(j.Run > 0) {
		return 0
	}
	return float64(j.Size) * j.Run
}

// Offered returns the offered load of a machine: Work as a fraction of the machine's capacity from
// the first to the last submission. It is NaN if either is unknown or 0.
func (l *Load) Offered(processors int64) float64 {
	if span := l.Last - l.First; span > 0 && l.Work > 0 && processors > 0 {
		return l.Work / (float64(processors) * span)
	}
	return math.NaN()
}

// factor returns the factor by which the load must be multiplied to reach the target offered load,
// or an error if the load cannot be scaled.
func (l *Load) factor(processors int64, target float64) (float64, error) {
	now := l.Offered(processors)
	switch {
	case math.IsInf(l.Work, 1):
		return 0, fmt.Errorf("the log's load is not known: its %d jobs have more than 1.8e308 processor seconds of work; want run times that add up to a number", l.Jobs)
	case math.IsNaN(now) || math.IsInf(now, 0):
		return 0, fmt.Errorf("the log's load is not known: %d jobs with %g processor seconds of work; want some of known size and run time, submitted at two moments at least", l.Jobs, l.Work)
	case math.IsInf(target, 0) || math.IsInf(target/now, 0):
		return 0, fmt.Errorf("the log's load is %g: %g is more than 1.8e308 times as much; its jobs are submitted from %g s to %g s, want a shorter time", now, target, l.First, l.Last)
	}
	return target / now, nil
}

// Scaled is a log that is scaled while it is read.
type Scaled struct {
	Stream
	Method     Method
	Processors int64
	Asked      float64 // offered load to reach
	Before     float64 // offered load of the log

	reached *Load
}

// Reached returns the offered load of the jobs read so far.
func (s *Scaled) Reached() float64 { return s.reached.Offered(s.Processors) }

// String describes the change and the load reached so far.
func (s *Scaled) String() string {
	return fmt.Sprintf("offered load %.4g on %d processors, asked for %.4g, before %.4g; method %s", s.Reached(), s.Processors, s.Asked, s.Before, s.Method)
}

// Warnings returns the warnings of the log, and one if the load that was reached differs
// from the load asked for.
func (s *Scaled) Warnings() []workload.Warning {
	all := s.Stream.Warnings()
	if off := s.Reached()/s.Asked - 1; !(math.Abs(off) < 0.005) {
		all = append(all, workload.Warning{Rule: "load-off", Count: 1,
			Text: fmt.Sprintf("the load is %.3g %% off because a few jobs dominate it; try another seed", 100*off)})
	}
	return all
}

// Scale scales a log to another offered load, a lower one by Thin, a higher one by Interarrival.
// Each keeps the daily cycle. Dividing all submission times by a factor would move noon to
// midnight, so it is not offered. Waits and all other values of jobs stay as in the log;
// simulate the result to get waits under the new load. For a higher load with more users in
// the same time, draw a twin of the log (workload/resample).
//
// The log is opened twice. An invalid option is a *workload.OptionError. If the size of the machine
// is unknown, the error is workload.ErrNoMachine.
func Scale(ctx context.Context, open func() (*workload.Log, error), o ScaleOptions) (*Scaled, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	load, kept := NewLoad(), &shares{}
	draw := random(o.Seed)
	var arrivals arrivals
	first, err := workload.WithLog(open, func(log *workload.Log) error {
		arrivals = newArrivals(&log.Header)
		return eachJob(ctx, log, func(j *workload.Job) {
			load.Add(j)
			kept.add(draw.Float64(), j) // the number that Thin will draw
			arrivals.add(j.Submit)
		})
	})
	if err != nil {
		return nil, err
	}
	s := &Scaled{Method: Thin, Processors: o.Processors, Asked: o.Load.Load, reached: NewLoad()}
	if s.Processors == 0 {
		var ok bool
		if s.Processors, ok = first.Header.Processors(); !ok {
			return nil, workload.ErrNoMachine
		}
	}
	s.Before = load.Offered(s.Processors)
	if o.Load.Times > 0 {
		s.Asked = o.Load.Times * s.Before
	}
	factor, err := load.factor(s.Processors, s.Asked)
	if err != nil {
		return nil, err
	}
	var change func(*workload.Job) (bool, error)
	if factor < 1 {
		factor = kept.below(factor)
		draw := random(o.Seed)
		change = func(*workload.Job) (bool, error) { return draw.Float64() < factor, nil }
	} else {
		s.Method = Interarrival
		for _, w := range first.Header.ClockWarnings() {
			s.odd.Count(w)
		}
		w, err := newWarp(load, &arrivals, load.Work/(float64(s.Processors)*s.Asked))
		if err != nil {
			return nil, err
		}
		change = w.move
	}
	log, err := open()
	if err != nil {
		return nil, err
	}
	s.alter(ctx, log, func(j *workload.Job) (bool, error) {
		keep, err := change(j)
		if keep {
			s.reached.Add(j)
		}
		return keep, err
	})
	s.note = func() []string {
		return []string{fmt.Sprintf("scaled: %s, seed %d; waits are those of the old load", s, o.Seed)}
	}
	s.expected = load.Jobs
	return s, nil
}

// shares finds the probability with which to keep jobs so that they have a share of the work, and
// not only on average: each job is kept if its random number is below the probability, so that the
// work of the jobs kept grows with it. Memory does not depend on the number of jobs.
type shares struct {
	work  [1 << 16]float64 // by random number
	total float64
}

// add counts a job with its random number, from 0 to 1.
func (s *shares) add(u float64, j *workload.Job) {
	w := workOf(j)
	s.work[int(u*float64(len(s.work)))] += w
	s.total += w
}

// below returns the number such that jobs with a random number below it have the share of the work,
// as nearly as possible. It returns the share itself if that number would be 0 or 1.
func (s *shares) below(share float64) float64 {
	sum := 0.0
	for i, w := range s.work {
		if next := sum + w; next >= share*s.total {
			if share*s.total-sum > next-share*s.total {
				i++
			}
			if i == 0 || i == len(s.work) {
				break
			}
			return float64(i) / float64(len(s.work))
		}
		sum += w
	}
	return share
}
