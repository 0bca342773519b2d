package evaluate

import (
	"context"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/resample"
)

// CompareInput is a workload to compare: a log, or a model from which jobs are drawn.
type CompareInput struct {
	Name  string                        // name in the result
	About string                        // name in warnings and errors
	Open  func() (*workload.Log, error) // opens the log, which Compare closes; nil for a model
	Model model.Model                   // used if Open is nil
	// Like, allowed only with a verdict, makes the input a twin of the first one, drawn by
	// package resample. Open is then nil.
	Like bool
}

// CompareOptions are the options of Compare.
type CompareOptions struct {
	// Jobs is the number of jobs drawn from a model. 0 means, for a model of users, as many
	// as it draws for the period of its log; for another model, DefaultCompareJobs or, with a
	// verdict, as many as the log has.
	Jobs int64 `opt:"jobs" in:"[2,)" group:"What is compared" common:"true" help:"number of jobs to draw from a model (default: 50000, or for a model of users as many as in the period of its log)"`
	// Seed is the seed of the jobs drawn from models and of a twin.
	Seed uint64 `opt:"seed" usual:"1" help:"seed of the jobs drawn from models"`
	// Verdict, if not nil, requests a verdict on the second input as a twin of the
	// first, which must be a log.
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

// Compare compares two workloads. If one of them has no jobs, the error wraps
// workload.ErrNoJobs.
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
		v := verdict{ctx: ctx, o: &o, log: all[0], twin: all[1]}
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

// mostTimesLonger is the ratio of the lengths of two logs above which there is a warning.
const mostTimesLonger = 4

// unequalLengths warns if one of two logs is many times as long as the other. It does not
// warn of models, since jobs drawn from them have no seasons.
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

// sameJobs warns if one workload was drawn from the other, a model, with the same seed: the
// distances are then all 0, whatever the quality of the model.
func sameJobs(c *score.Comparison) []workload.Warning {
	for _, x := range c.Attributes {
		if x.D != 0 || x.A.Jobs != x.B.Jobs { // they differ, or the attribute is unknown in one of them
			return nil
		}
	}
	if c.A.Jobs != c.B.Jobs || c.A.Seed == nil && c.B.Seed == nil || c.Day != nil && c.Day.ChiSquare != 0 {
		return nil
	}
	return []workload.Warning{{Rule: "same-jobs", Count: 1, Text: fmt.Sprintf("%s and %s have the same jobs, drawn with the same seed: all distances are 0; --seed N draws others", c.A.Name, c.B.Name)}}
}

// validate returns a *workload.OptionError for invalid options, or for options that do not fit
// the inputs.
func (o *CompareOptions) validate(inputs [2]CompareInput) error {
	if err := opt.Check(o); err != nil {
		return err
	}
	if o.Verdict == nil {
		return nil
	}
	if inputs[0].Open == nil {
		return &workload.OptionError{Option: "schedule", Saw: "with a model as the first input", Want: "a log"}
	}
	return o.Verdict.Validate()
}

// gathered is a workload that has been read.
type gathered struct {
	name     string
	profile  *score.Profile
	header   workload.Header
	jobs     []workload.Job // by submission; only for a verdict
	warnings []workload.Warning
}

// drawing is a workload to be read.
type drawing struct {
	header workload.Header
	jobs   workload.JobSeq
	close  func() error
	odd    func() []workload.Warning // returns the warnings after jobs has been read
}

// open opens a log, draws jobs from a model, or draws a twin of the first input. log is the
// first input; nil if it is the first input that is opened.
func (in *CompareInput) open(ctx context.Context, o *CompareOptions, log *gathered) (*drawing, error) {
	switch {
	case in.Like:
		twin, err := resample.New(ctx, workload.JobsOf(log.jobs), log.header, resample.Options{Seed: o.Seed, Processors: o.Verdict.Processors, Workers: o.Verdict.Workers})
		if err != nil {
			return nil, err
		}
		return &drawing{log.header, twin.Jobs(ctx), func() error { return nil }, twin.Warnings}, nil
	case in.Open == nil:
		jobs := o.Jobs
		if jobs == 0 && in.Model.Summary().Days == 0 {
			if jobs = DefaultCompareJobs; o.Verdict != nil && log != nil {
				jobs = int64(len(log.jobs))
			}
		}
		d, err := generate.Draw(ctx, in.Model, generate.Options{Jobs: jobs, Seed: o.Seed})
		if err != nil {
			return nil, err
		}
		return &drawing{d.Begun, d.Jobs, func() error { return nil }, noWarnings}, nil
	}
	l, err := in.Open()
	if err != nil {
		return nil, err
	}
	return &drawing{l.Header, l.Jobs(), l.Close, l.Warnings}, nil
}

func noWarnings() []workload.Warning { return nil }

// gather reads a workload. log is the first input, as for open.
func (in *CompareInput) gather(ctx context.Context, o *CompareOptions, log *gathered) (*gathered, error) {
	d, err := in.open(ctx, o, log)
	if err != nil {
		return nil, err
	}
	defer d.close()
	ask := score.ProfileOptions{Name: in.Name}
	g := &gathered{name: in.Name, header: d.header}
	if ask.Processors, _ = d.header.Processors(); ask.Processors == 0 && o.Verdict != nil {
		ask.Processors = o.Verdict.Processors
	}
	ask.Clock, _ = d.header.Clock()
	if in.Open == nil {
		ask.Drawn, ask.Twin = &o.Seed, in.Like
	} else {
		g.warnings = append(g.warnings, d.header.ClockWarnings()...)
	}
	g.profile = score.NewProfile(ask)
	jobs := workload.Each(workload.Until(ctx, d.jobs), func(j *workload.Job) { g.profile.Add(j) })
	if o.Verdict != nil {
		var odd workload.Warnings
		if in.Open != nil { // drawn jobs come in order
			jobs = workload.InOrder(jobs, &odd)
		}
		if g.jobs, err = hold(jobs); err != nil {
			return nil, err
		}
		g.warnings = append(g.warnings, odd.List()...)
	} else {
		for _, err = range jobs {
			if err != nil {
				return nil, err
			}
		}
	}
	if g.profile.Jobs() == 0 {
		return nil, fmt.Errorf("nothing to compare: %w", workload.ErrNoJobs)
	}
	g.warnings = append(g.warnings, d.odd()...)
	return g, nil
}

// hold reads jobs, in order of submission, into memory and renumbers their rows. It skips
// jobs with an infinite submission time.
func hold(jobs workload.JobSeq) ([]workload.Job, error) {
	var all []workload.Job
	for j, err := range jobs {
		switch {
		case err != nil:
			return nil, err
		case math.IsInf(j.Submit, 0):
			continue
		case len(all) == MaxVerdictJobs:
			return nil, fmt.Errorf("saw more than %d jobs, the most that fit in memory for a verdict: use a part of the log ('loadstone sample' or 'split')", MaxVerdictJobs)
		}
		j.Row = int64(len(all))
		all = append(all, j)
	}
	return all, nil
}
