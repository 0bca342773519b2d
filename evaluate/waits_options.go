package evaluate

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// WaitsOptions says what Waits scores, and how. The zero value scores the usual
// predictors (WaitPredictors), without intervals.
type WaitsOptions struct {
	// Predictors are names of AllWaitPredictors; none stands for the usual.
	Predictors []string
	// Own are predictors of bounds from outside, scored beside the others on
	// the log's own waits. They learn, so they are for one call.
	Own []predict.BoundPredictor
	// Processors of the simulated machine; 0 stands for the header's.
	Processors int64
	// Sites has a machine for each partition in the simulated queue, as
	// sched.Config says; nil is one machine for all.
	Sites map[int64]int64
	// FirstJobs replays so many jobs by submission only; 0 is all.
	FirstJobs int

	// Law is a family of package fit, for the lifetimes of running jobs;
	// "" stands for uniform-log.
	Law string
	// Classes are columns: each class of jobs has a law of lifetimes.
	Classes []string
	// Trim is the share of the shortest and of the longest jobs left out of
	// the line of lifetimes, below 0.5: 0 stands for 0.1, below 0 for none.
	Trim float64
	// Limits ends lifetimes at the users' estimates.
	Limits bool
	// Parameters says when the laws are known: Hindsight (and ""), those of the
	// whole log, or Previous, those of the interval before.
	Parameters string
	// Months are those of an interval of Previous, a divisor of 12; 0 stands
	// for 1. IntervalJobs, unless it is 0, counts jobs that end instead.
	Months, IntervalJobs int
	// Unbias scores the predictors at the head of the queue once more with
	// their bias corrected.
	Unbias bool

	// EstimateFactor draws missing estimates between the run time and so many
	// times it, 1 or more; 0 draws none.
	EstimateFactor float64

	// Quantile is the share of waits that a bound is to cover, and Confidence
	// how surely; 0 stands for 0.95.
	Quantile, Confidence float64
	// Groups are columns: bounds rest on jobs of the same group. None stands
	// for ranges of processors.
	Groups []string
	// Changes says when older waits no longer count for a bound.
	Changes predict.ChangeRule

	// By scores parts of the log too: names of WaitsParts.
	By []string
	// Calibration also finds the share achieved at many quantiles.
	Calibration bool
	// Pictures gathers what pictures need beside the scores.
	Pictures bool
	// Replicates is how many times the bootstrap draws weeks or days, as in
	// RunTimesOptions, and Seed its seed.
	Replicates int
	Seed       uint64

	// Predicted is called with every prediction as it is scored; an error of its
	// ends the call. The predictors take turns then, and are not run side by
	// side. nil is for none.
	Predicted func(WaitPrediction) error
	// Reopen opens the log once more. Where it is given, no more than half a
	// million jobs are held in memory, and a larger log is read for each
	// pipeline; nil holds every log.
	Reopen func() (*workload.Log, error)
	// Watch wraps each pass over the jobs, n of them or 0 where that is not
	// known, to show progress, say. nil is for none.
	Watch func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error]
	// Early is called at once with a warning that is worth it before the log
	// has been read to its end. nil is for none.
	Early func(workload.Warning)
}

// WaitPrediction is what one predictor said of one job: a bound, or a point
// prediction, of which Quantile and Confidence are NaN. Request is valid until
// the next prediction and not to be altered.
type WaitPrediction struct {
	Request   *workload.Request
	Waits     string // which wait: LogWaits, QueueWaits, ...
	Predictor string
	predict.Bound
	Actual float64 // s
}

// The waits that are predicted.
const (
	HeadWaits  = "simulated-fcfs-head" // at the head of a simulated queue
	QueueWaits = "simulated-fcfs"      // in a simulated queue
	EASYWaits  = "simulated-easy"      // the same under EASY backfilling
	LogWaits   = "log"                 // the log's own
)

// The sources of the parameters of lifetimes.
const (
	Hindsight = "hindsight"
	Previous  = "previous"
)

var (
	queueNames = []string{"simulated", "simulated-corrected", "estimates"}
	easyNames  = []string{"simulated-easy", "simulated-easy-corrected"}
)

func headNames() []string {
	var names []string
	for _, p := range predict.Downey(predict.OneLaw{}) {
		names = append(names, p.Name())
	}
	return names
}

func boundNames() []string { return slices.Concat(predict.BoundNames(), predict.BoundVariants()) }

// WaitPredictors are the predictors of wait that are scored as a rule.
func WaitPredictors() []string { return slices.Concat(headNames(), queueNames, predict.BoundNames()) }

// AllWaitPredictors are those and variants of them.
func AllWaitPredictors() []string {
	return slices.Concat(WaitPredictors(), easyNames, predict.BoundVariants())
}

// WaitsParts are the ways of cutting a log into parts: by site, by calendar
// month, and jobs in a burst of one user's and others (score.Bursts).
func WaitsParts() []string { return []string{"site", "month", "burst"} }

// filled has the defaults in place of zeros.
func (o WaitsOptions) filled() WaitsOptions {
	if len(o.Predictors) == 0 {
		o.Predictors = WaitPredictors()
	}
	if o.Law == "" {
		o.Law = "uniform-log"
	}
	if o.Parameters == "" {
		o.Parameters = Hindsight
	}
	for of, usual := range map[*float64]float64{&o.Quantile: 0.95, &o.Confidence: 0.95, &o.Trim: 0.1} {
		if *of == 0 {
			*of = usual
		}
	}
	if o.Months == 0 {
		o.Months = 1
	}
	return o
}

// Scored returns the names of the predictors that the options score.
func (o WaitsOptions) Scored() []string {
	names := slices.Clone(o.filled().Predictors)
	if o.Unbias {
		for _, name := range headNames() {
			if slices.Contains(names, name) {
				names = append(names, name+"-unbiased")
			}
		}
	}
	for _, p := range o.Own {
		names = append(names, p.Name())
	}
	return names
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o WaitsOptions) Validate() error {
	o = o.filled()
	if err := validateReplicates(o.Replicates); err != nil {
		return err
	}
	fault := func(option string, saw any, want string) error {
		return &workload.OptionError{Option: option, Saw: fmt.Sprint(saw), Want: want}
	}
	switch {
	case !(o.Quantile > 0 && o.Quantile < 1):
		return fault("quantile", o.Quantile, "a number between 0 and 1")
	case !(o.Confidence > 0 && o.Confidence < 1):
		return fault("confidence", o.Confidence, "a number between 0 and 1")
	case math.IsNaN(o.Trim) || o.Trim >= 0.5:
		return fault("trim", o.Trim, "0 or more and less than 0.5")
	case o.Months < 1 || 12%o.Months != 0:
		return fault("months", o.Months, "1, 2, 3, 4, 6 or 12")
	case o.IntervalJobs < 0:
		return fault("interval-jobs", o.IntervalJobs, "1 or more")
	case o.FirstJobs < 0:
		return fault("first-jobs", o.FirstJobs, "1 or more")
	case o.Processors < 0:
		return fault("procs", o.Processors, "1 or more")
	case o.EstimateFactor != 0 && !(o.EstimateFactor >= 1 && o.EstimateFactor <= 1e6):
		return fault("estimate-factor", o.EstimateFactor, "a number from 1 to 1e6")
	case int(o.Changes) >= len(predict.ChangeRules()):
		return fault("changes", uint8(o.Changes), "one of package predict's rules")
	}
	for _, x := range []struct {
		option string
		saw    []string
		valid  []string
	}{
		{"predictors", o.Predictors, AllWaitPredictors()},
		{"by", o.By, WaitsParts()},
		{"law", []string{o.Law}, fit.Families()},
		{"parameters", []string{o.Parameters}, []string{Hindsight, Previous}},
	} {
		for _, name := range x.saw {
			if !slices.Contains(x.valid, name) {
				return fault(x.option, strconv.Quote(name), "one of "+strings.Join(x.valid, ", "))
			}
		}
	}
	for _, x := range []struct {
		option  string
		columns []string
	}{{"classes", o.Classes}, {"groups", o.Groups}} {
		if _, err := fit.NewClassifier(classColumns(x.columns)); err != nil {
			_, want, _ := strings.Cut(err.Error(), "want ")
			return fault(x.option, strings.Join(x.columns, ","), want)
		}
	}
	names := o.Scored()
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return fault("predictors", strconv.Quote(name)+" twice", "each once")
		}
	}
	return nil
}

func classColumns(names []string) []fit.ClassColumn {
	var columns []fit.ClassColumn
	for _, n := range names {
		columns = append(columns, fit.ClassColumn{Column: n})
	}
	return columns
}

// bounds are the options that all bounds share.
func (o *WaitsOptions) bounds() (predict.BoundOptions, error) {
	b := predict.BoundOptions{Changes: o.Changes}
	if len(o.Groups) == 0 {
		return b, nil
	}
	var err error
	b.Groups, err = fit.NewClassifier(classColumns(o.Groups))
	return b, err
}
