package report

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Report holds the results computed from a log. Its exported fields and methods are for the
// templates.
type Report struct {
	o     *Options
	input string
	name  string
	steps []*step // in the order in which the page names them

	Log    *inspect.Description
	Use    *inspect.Usage
	Checks inspect.Validation
	Fits   *site.Result
	Why    map[string]string // by part, why it has no result; "" if it has one

	model    *population.Model
	file     []byte // the encoded model
	compared *score.Compared
	runTimes *evaluate.RunTimesResult
	waits    *evaluate.WaitsResult
}

// Compute describes, validates, fits and scores a log. It returns an error if an option is
// invalid, the log cannot be read, or ctx is done. A part without a result is not an error:
// Report.Why has the reason.
func Compute(ctx context.Context, o Options) (*Report, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Open == nil {
		o.Open = func(name string) (*workload.Log, error) { return logfile.Open(name, workload.Options{}) }
	}
	r := &Report{o: &o, input: o.Log, name: filepath.Base(o.Log), Why: map[string]string{}}
	described := r.begin("describe")
	if err := r.describe(ctx, described); err != nil {
		return nil, workload.About(r.input, err)
	}
	if err := r.measure(ctx); err != nil {
		return nil, err
	}
	// The parts run sequentially: several hold the jobs in memory, and each uses all cores.
	for _, t := range []struct {
		part, command string
		run           func(context.Context, *step) error
	}{
		{"validate", "validate", r.validate}, {"fit", "fit", r.fit}, {"model", "fit", r.modelUsers},
		{Verdict, Verdict, r.judge}, {RunTimes, RunTimes, r.scoreRunTimes}, {Waits, Waits, r.scoreWaits},
	} {
		if err := r.do(ctx, t.part, r.begin(t.command), t.run); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// begin adds a step to those listed on the page.
func (r *Report) begin(command string) *step {
	s := &step{command: command}
	r.steps = append(r.steps, s)
	return s
}

// do runs a step, unless it is left out, and records in Why why it has no result. It returns an
// error if the log cannot be read or ctx is done.
func (r *Report) do(ctx context.Context, part string, s *step, run func(context.Context, *step) error) error {
	var input *workload.InputError
	why := ""
	if slices.Contains(r.o.Without, part) {
		s.isLeftOut, why = true, "It was left out by --without "+part+"."
	} else if err := run(ctx, s); ctx.Err() != nil {
		return ctx.Err()
	} else if errors.As(err, &input) && !errors.Is(err, workload.ErrNoJobs) {
		return err
	} else if err != nil {
		text := err.Error()
		for _, prefix := range []string{r.input + ": ", r.name + ": "} {
			text = strings.TrimPrefix(text, prefix)
		}
		why = sentence(text)
	}
	r.Why[part] = why
	return nil
}
