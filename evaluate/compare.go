package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CompareInput is a workload to compare: a log, or a model that jobs are drawn
// from.
type CompareInput struct {
	Name  string                        // in the result
	About string                        // in warnings and errors
	Open  func() (*workload.Log, error) // the log, which is closed; nil for a model
	Model model.Site
	Users *population.Model // a model of users, in place of Model
	// Like tells, for a verdict, that the input is a twin of the first one,
	// made by package resample. Open is nil.
	Like bool
}

// CompareOptions are the options of Compare.
type CompareOptions struct {
	// By contains words of workload.ParseClasses separated by commas: two
	// workloads are then also compared class by class. "" means no classes.
	By    string                `opt:"by" group:"What is compared" common:"true" help:"also compare the jobs of each class"`
	Named []workload.NamedClass `opt:"class"` // what the word "class" stands for
	// Jobs is the number of jobs drawn from a model. 0 means, for a model of users,
	// as many as it has in the time of its log; for another model DefaultCompareJobs
	// or, for a verdict, as many as the log has.
	Jobs int64 `opt:"jobs" in:"[2,)" common:"true" help:"number of jobs to draw from a model (default: 50000, but of a model of users as many as in the time of its log)"`
	// Seed is of what is drawn from models and logs.
	Seed uint64 `opt:"seed" usual:"1" help:"seed of the jobs drawn from models"`
	// Verdict, if not nil, makes a verdict on the second input as a twin of the
	// first, which is a log.
	Verdict *VerdictOptions
}

// DefaultCompareJobs is the default number of jobs that Compare draws from a model.
const DefaultCompareJobs = 50000

// CompareResult is the result of Compare.
type CompareResult struct {
	*score.Compared
	// Profiles are the profiles of the workloads, for figures.
	Profiles []*score.Profile `json:"-"`
}

// ModelStart is second 0 of the jobs drawn from a model: a Monday's midnight.
var ModelStart = time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC)

// Compare compares two workloads. It is an error if one of them has no jobs.
func Compare(ctx context.Context, inputs [2]CompareInput, o CompareOptions) (*CompareResult, error) {
	if err := o.validate(inputs); err != nil {
		return nil, err
	}
	r := &CompareResult{}
	var (
		odd []workload.Warning
		all []*gathered
	)
	for i := range inputs {
		var log *gathered
		if i > 0 {
			log = all[0]
		}
		g, err := inputs[i].gather(ctx, &o, log)
		if err != nil {
			return nil, workload.About(inputs[i].About, err)
		}
		odd = append(odd, workload.WarningsAbout(inputs[i].About, g.warnings)...)
		all = append(all, g)
		r.Profiles = append(r.Profiles, g.profile)
	}
	c := score.Compare(r.Profiles[0], r.Profiles[1])
	r.Compared = &score.Compared{Schema: score.CompareSchema, Workloads: []score.Workload{c.A, c.B}, Comparison: c}
	if o.Verdict != nil {
		v := verdict{ctx: ctx, o: &o, source: &inputs[1], log: all[0], twin: all[1]}
		var err error
		if r.Verdict, err = v.make(); err != nil {
			return nil, err
		}
		odd = append(odd, v.odd...)
	}
	odd = append(odd, unequalLengths(c.A, c.B)...)
	r.Warnings = append(odd, sameJobs(&c)...)
	return r, nil
}

// mostTimesLonger is how many times as long as the other a log may be without a warning.
const mostTimesLonger = 4

// unequalLengths warns of two logs of which one is many times as long as the other. Jobs
// drawn from a model have no seasons.
func unequalLengths(a, b score.Workload) []workload.Warning {
	if a.Months < b.Months {
		a, b = b, a
	}
	if a.Kind != "log" || b.Kind != "log" || !(a.Months > mostTimesLonger*b.Months) {
		return nil
	}
	days := func(w score.Workload) string { return fmt.Sprintf("%s covers %.3g days", w.Name, w.Months*(365.25/12)) }
	return []workload.Warning{{Rule: "unequal-lengths", Count: 1, Text: days(a) + " and " + days(b) +
		": differences may come from this alone; compare a part of the longer log ('loadstone split'), or generate as many days ('loadstone generate --days')"}}
}

// sameJobs warns of two workloads with the same jobs, of which a comparison says nothing. A
// log that was generated from the model beside it has them with the same seed.
func sameJobs(c *score.Comparison) []workload.Warning {
	same := func(x, y stats.Number) bool {
		return x == y || math.IsNaN(float64(x)) && math.IsNaN(float64(y))
	}
	compared := false
	for _, x := range c.Attributes {
		if x.Why == "" {
			if x.D != 0 || x.Wasserstein != 0 || x.A.Jobs != x.B.Jobs {
				return nil
			}
			compared = true
		}
	}
	for _, p := range slices.Concat(c.Correlations, c.Autocorrelations) { // of the jobs in their order
		if !same(p.A, p.B) {
			return nil
		}
	}
	if !compared || c.A.Jobs != c.B.Jobs || c.Day != nil && c.Day.ChiSquare != 0 {
		return nil
	}
	text := fmt.Sprintf("%s and %s have the same jobs: all distances are 0", c.A.Name, c.B.Name)
	for i, w := range []score.Workload{c.A, c.B} {
		if other := []score.Workload{c.B, c.A}[i]; w.Seed != nil && other.Seed == nil {
			text += fmt.Sprintf("; the jobs of %s were drawn with seed %d, as those of %s were: --seed N draws others", w.Name, *w.Seed, other.Name)
		}
	}
	return []workload.Warning{{Rule: "same-jobs", Text: text, Count: 1}}
}

// Grouping is that of ways to sort jobs.
func (o *CompareOptions) Grouping(option string) *workload.Grouping {
	if option == "by" {
		return new(workload.Grouping)
	}
	return nil
}

// classes are those of By, in a workload with a header; a nil one is for a check
// before there is a workload.
func (o *CompareOptions) classes(h *workload.Header) (*workload.Classifier, error) {
	if o.By == "" {
		return nil, nil
	}
	return workload.Grouping{}.ClassesBy(o.By, o.Named, h)
}

// validate returns a *workload.OptionError for what does not go together.
func (o *CompareOptions) validate(inputs [2]CompareInput) error {
	if err := opt.Check(o); err != nil {
		return err
	}
	if _, err := o.classes(nil); err != nil {
		return err
	}
	if o.Verdict == nil {
		return nil
	}
	if inputs[0].Open == nil {
		return &workload.OptionError{Option: "schedule", Saw: "with a model as the first input", Want: "a log"}
	}
	if o.Verdict.Replicas > 0 && inputs[1].Open != nil {
		return &workload.OptionError{Option: "replicas", Saw: "of a second log", Want: "a model, or `like` for twins of the log"}
	}
	return o.Verdict.Validate()
}
