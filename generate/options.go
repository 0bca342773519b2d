package generate

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options determine what to generate. Exactly one of Jobs and Days must be set.
type Options struct {
	Days float64 `opt:"days" in:"(0,3652425]" not:"jobs" common:"true" help:"length in days (default: the log's, with --like or a model of users; other models need --days or --jobs)"` // in which jobs are submitted
	Jobs int64   `opt:"jobs" in:"[1,)" common:"true" help:"number of jobs"`
	// Processors is the size of the machine; 0 means that of the model (see
	// model.Site.ForProcessors).
	Processors int64 `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the model's)"`
	// Load is the offered load of the jobs, from the first submission to the last,
	// to reach by multiplying all interarrival times by one factor, without changing
	// the daily cycle; days are filled by fewer or more jobs. It is met within 0.1 %
	// (see Made.Load), but for few jobs whose last would fall into hours
	// without any. It is at most MaxLoad; 0 leaves the times unchanged. It cannot be
	// used with Exact.
	Load float64 `opt:"load" in:"(0,100]"`
	// Seed is that of the random numbers: the same gives the same jobs.
	Seed uint64 `opt:"seed" usual:"1" common:"true" help:"seed of the random numbers"`
	// Method, if given, replaces how the daily cycle shapes the model's arrivals.
	Method model.Method `opt:"method" help:"how the daily cycle shapes the arrivals; the two expected- methods also change the rate, unless --load is given; stationary leaves the cycle out (default: the model's)"`
	// Estimates, if given, replaces the model's estimates: the run times that users
	// request. MaxEstimate, if above 0, is the largest of Tsafrir's, in seconds: see
	// model.Estimates.
	Estimates   EstimateChoice `opt:"estimates" common:"true" help:"run times that users request (default: the model's, or none)"`
	MaxEstimate float64        `opt:"max-estimate" for:"estimates=tsafrir" in:"[3600,1e9]" want:"whole seconds from 3600 to 1e9" help:"largest estimate of --estimates tsafrir, in seconds; longer run times are cut to it (default: the model's)"`
	// Start is second 0 of the log: a midnight in a zone of the IANA database, whose
	// daylight saving time the daily cycle follows, or in one with a fixed offset
	// (time.FixedZone), but not time.Local. A half hour that the clock skips
	// has no jobs; one that it repeats has them twice. The zero time means
	// midnight of some Monday, without a date.
	Start   time.Time
	Workers int // goroutines; 0 means one for each core. The jobs do not depend on it
	// Exact draws from the laws alone: times are not rounded to whole seconds
	// and their laws are truncated only at model.MaxLnLimit, and the shares of
	// serial jobs and of powers of two are exactly those of the model, because
	// other sizes never hit a power of two by chance. It is for tests of fits.
	Exact bool
	// OriginalClock keeps a class's clock truncated to whole seconds after
	// every job, as the authors' program does: the daily cycle drifts by half
	// a second a job. It has no effect with Exact.
	OriginalClock bool
	// By names the program and its version, for the header.
	By string
}

// EstimateChoice selects the estimates of jobs.
type EstimateChoice string

const (
	// EstimatesOfModel are those of the model; it is an error if it has none.
	// Without a choice (""), jobs have the estimates of the model if there are
	// any.
	EstimatesOfModel EstimateChoice = "model"
	EstimatesNone    EstimateChoice = "none"    // no estimates
	EstimatesTsafrir EstimateChoice = "tsafrir" // the model of Tsafrir, Etsion and Feitelson (2005)
	EstimatesUniform EstimateChoice = "uniform" // uniform between the run time and the model's factor, or 5, times it
)

// EstimateChoices returns the names of the choices of estimates.
func EstimateChoices() []string {
	return []string{string(EstimatesNone), string(EstimatesTsafrir), string(EstimatesUniform), string(EstimatesOfModel)}
}

// MaxDays is the largest Options.Days, 10,000 years.
const MaxDays = extent.MaxDays

// MaxLoad is the largest Options.Load: a hundred times what a machine can do.
const MaxLoad = extent.MaxLoad

const secondsPerDay = 86400

// optionError says which option cannot be used, why, and what would work.
func optionError(option, saw, want string) error {
	return &workload.OptionError{Option: option, Saw: saw, Want: want}
}

// check looks at what does not depend on the model.
func (o Options) check() error {
	fail := func(option, want, saw string, args ...any) error {
		return optionError(option, fmt.Sprintf(saw, args...), want)
	}
	if err := opt.Check(&o); err != nil {
		return err
	}
	switch {
	case o.Jobs > mostExpected:
		return fail("jobs", fmt.Sprintf("at most %.2g", float64(mostExpected)), "%d", o.Jobs)
	case o.Jobs == 0 && o.Days == 0:
		return fail("jobs", "either `jobs` or `days`", "is missing, and so is `days`")
	case o.Load > 0 && o.Exact:
		return fail("load", "none with `exact`: the load is that of truncated distributions", "%g", o.Load)
	case o.MaxEstimate != 0 && o.Estimates != EstimatesTsafrir:
		return fail("max-estimate", "`estimates` tsafrir too", "%g", o.MaxEstimate)
	case o.MaxEstimate != math.Trunc(o.MaxEstimate):
		return fail("max-estimate", "whole seconds", "%g", o.MaxEstimate)
	case strings.ContainsAny(o.By, "\n\r"):
		return fail("by", "one line", "%q", o.By)
	case o.Workers < 0:
		return fail("workers", "at least 1, or 0 for one a core", "%d", o.Workers)
	}
	if o.Start.IsZero() {
		return nil
	}
	if o.Start.Location() == time.Local {
		return fail("start", "a time in a named zone, such as UTC", "a time in this machine's own zone")
	}
	if h, m, s := o.Start.Clock(); h != 0 || m != 0 || s != 0 || o.Start.Nanosecond() != 0 {
		return fail("start", "a midnight, because the daily cycle begins with one", "%s", o.Start.Format("15:04:05.999999999"))
	}
	return nil
}

// Choices are the values of options that take one of some.
func (o Options) Choices(option string) (names []string) {
	switch option {
	case "method":
		for _, m := range model.Methods() {
			names = append(names, string(m))
		}
	case "estimates":
		return EstimateChoices()
	}
	return names
}
