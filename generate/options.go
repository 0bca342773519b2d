package generate

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options determine what to generate. Exactly one of Jobs and Days must be set.
type Options struct {
	Days float64 `opt:"days" in:"(0,3652425]" not:"jobs" common:"true" help:"length in days (default: the log's, with --like or a model of users; other models need --days or --jobs)"` // period in which jobs are submitted, in days
	Jobs int64   `opt:"jobs" in:"[1,1e12]" common:"true" help:"number of jobs"`
	// Processors is the size of the machine; 0 means that of the model (see
	// model.Site.ForProcessors).
	Processors int64 `opt:"procs" in:"[1,16777216]" common:"true" help:"processors of the machine (default: the model's)"`
	// Load is the offered load of the jobs from the first submission to the last. It is reached
	// by multiplying all interarrival times by one factor, without changing the daily cycle; with
	// Days, the number of jobs changes. It is met within 0.1 % (see Made.Load), unless there are
	// few jobs and the last would be submitted in hours without arrivals. If half hours have
	// shapes of their own (model.Method.ByShape), it is met within a few percent, and the last
	// job may come days before the end of Days. 0 leaves the times unchanged.
	Load float64 `opt:"load" in:"(0,100]"`
	// Times, if above 0, sets the load instead of Load, as a multiple of the load of the model.
	Times float64
	// Seed is the seed of the random numbers. The same seed gives the same jobs.
	Seed uint64 `opt:"seed" usual:"1" common:"true" help:"seed of the random numbers"`
	// Method, if given, replaces the method by which the daily cycle shapes the model's arrivals.
	Method model.Method `opt:"method" help:"how the daily cycle shapes the arrivals; the two expected- methods also change the rate, unless --load is given; stationary leaves the cycle out (default: the model's)"`
	// Estimates, if given, replaces the model's estimates: the run times that users request.
	// MaxEstimate is the largest estimate of EstimatesTsafrir, in seconds; see
	// model.TsafrirEstimates.
	Estimates   EstimateChoice `opt:"estimates" common:"true" help:"run times that users request (default: the model's, or none)"`
	MaxEstimate float64        `opt:"max-estimate" for:"estimates=tsafrir" in:"[3600,1e9]" want:"whole seconds from 3600 to 1e9" help:"largest estimate of --estimates tsafrir, in seconds; longer run times are cut to it"`
	// Start is second 0 of the log: a midnight in a zone of the IANA database or in one with a
	// fixed offset (time.FixedZone), but not time.Local. Each day of the daily cycle has 24
	// hours, even if the zone's clock is put forward or back. The zero time means midnight of
	// some Monday, without a date.
	Start   time.Time
	Workers int // goroutines; 0 or less means one for each core. The jobs do not depend on it
	// Exact leaves times as they are drawn, not rounded to whole seconds.
	Exact bool
	// By names the program and its version, for the header.
	By string
}

// EstimateChoice selects the estimates of jobs.
type EstimateChoice string

const (
	EstimatesNone    EstimateChoice = "none"    // no estimates
	EstimatesTsafrir EstimateChoice = "tsafrir" // the model of Tsafrir, Etsion and Feitelson (2005)
)

const secondsPerDay = 86400

// check checks the options as far as that does not depend on the model.
func (o Options) check() error {
	fault := workload.OptionFault
	if err := opt.Check(&o); err != nil {
		return err
	}
	h, m, sec := o.Start.Clock()
	switch {
	case o.Jobs == 0 && o.Days == 0:
		return fault("jobs", "is missing, and so is `days`", "either `jobs` or `days`")
	case o.Estimates == EstimatesTsafrir && o.MaxEstimate == 0:
		return fault("estimates", o.Estimates, "`max-estimate` too, the longest run time that the machine allows, in seconds, such as 64800")
	case o.MaxEstimate != 0 && o.Estimates != EstimatesTsafrir:
		return fault("max-estimate", o.MaxEstimate, "`estimates` tsafrir too")
	case o.MaxEstimate != math.Trunc(o.MaxEstimate):
		return fault("max-estimate", o.MaxEstimate, "whole seconds")
	case o.Start.IsZero():
	case o.Start.Location() == time.Local:
		return fault("start", "a time in this machine's own zone", "a time in a named zone, such as UTC")
	case h != 0 || m != 0 || sec != 0 || o.Start.Nanosecond() != 0:
		return fault("start", o.Start.Format("15:04:05.999999999"), "a midnight, because the daily cycle begins with one")
	}
	return nil
}

// Choices returns the allowed values of an option that has a fixed set of values.
func (o Options) Choices(option string) []string {
	switch option {
	case "method":
		return model.Methods()
	case "estimates":
		return []string{string(EstimatesNone), string(EstimatesTsafrir)}
	}
	return nil
}

// apply returns the model as changed by the options. It copies the classes.
func (o Options) apply(s model.Site) (model.Site, error) {
	s.Classes = slices.Clone(s.Classes)
	for i := range s.Classes {
		c := &s.Classes[i]
		c.Arrivals.Method = cmp.Or(o.Method, c.Arrivals.Method)
		switch {
		case o.Estimates == EstimatesNone:
			c.Estimates = nil
		case o.Estimates == EstimatesTsafrir && c.Malleable != nil:
			return s, workload.OptionFault("estimates", o.Estimates, "none: the jobs of class %s are malleable", c.Name)
		case o.Estimates == EstimatesTsafrir:
			c.Estimates = &model.TsafrirEstimates{Max: int64(o.MaxEstimate)}
		}
	}
	if err := s.Validate(); err != nil {
		return s, workload.OptionFault("method", o.Method, "one that goes with the model (%v)", err)
	}
	if o.Processors == 0 {
		return s, nil
	}
	scaled := s.ForProcessors(o.Processors)
	err := scaled.Validate()
	switch {
	case err == nil:
		return scaled, nil
	case o.Processors < s.Processors:
		return s, workload.OptionFault("procs", o.Processors, "a machine for the sizes of model %s, of at least %d processors", s.Name, nearestProcessors(s, o.Processors))
	default:
		return s, workload.OptionFault("procs", o.Processors, "a machine for model %s, of at most %d processors (%v)", s.Name, nearestProcessors(s, o.Processors), err)
	}
}

// nearestProcessors returns the number of processors for which the model is valid that is nearest
// to bad, between the model's own number and bad.
func nearestProcessors(s model.Site, bad int64) int64 {
	good := s.Processors
	for {
		middle := good + (bad-good)/2 // good if the two are neighbours
		switch {
		case middle == good:
			return good
		case s.ForProcessors(middle).Validate() == nil:
			good = middle
		default:
			bad = middle
		}
	}
}
