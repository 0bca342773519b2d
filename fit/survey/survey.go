package survey

import (
	"context"
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ErrNothing is the cause of the error of Compute if nothing could be fitted.
var ErrNothing = errors.New("nothing could be fitted")

// Compute fits laws and, if requested, the site's model to a log.
//
// An option that cannot be used is a *workload.OptionError; a log without jobs
// is an error that wraps workload.ErrNoJobs. If nothing could be fitted the
// error wraps ErrNothing, and the Result contains the jobs that were collected.
// The log is read to its end, not closed.
func Compute(ctx context.Context, log *workload.Log, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	g, err := newGathered(log, o)
	if err != nil {
		return nil, err
	}
	if err := g.read(ctx, log); err != nil {
		return nil, err
	}
	s := survey{o: g.o, log: log}
	s.out = Result{Schema: Schema, By: s.o.By, Attributes: s.o.Attributes}
	s.clock, _ = log.Header.Clock()
	if err := s.take(g); err != nil {
		return nil, err
	}
	s.out.Warnings = append(s.out.Warnings, log.Header.ClockWarnings()...)
	s.out.Fits = []fit.Report{}
	if !s.o.NoLaws {
		if err := s.fitLaws(ctx); err != nil {
			return nil, err
		}
	}
	if s.o.Model {
		if err := s.fitSite(); err != nil {
			return nil, err
		}
		s.markModel()
	}
	if len(s.out.Fits) == 0 && len(s.out.Model.Classes) == 0 {
		if why := s.out.WhyNoModel; why != nil {
			return &s.out, fmt.Errorf("%s: %w: %w", log.Name, ErrNothing, why)
		}
		return &s.out, fmt.Errorf("%s: %w", log.Name, ErrNothing)
	}
	return &s.out, nil
}

// survey is one fit of a log and what came of it.
type survey struct {
	o     Options
	log   *workload.Log
	clock workload.Clock
	out   Result
	// byKinds says whether interactive and batch jobs are fitted beside all jobs.
	byKinds bool
}

func (s *survey) warn(rule, format string, args ...any) {
	s.out.Warnings = append(s.out.Warnings, workload.Warning{Rule: rule, Text: fmt.Sprintf(format, args...), Count: 1})
}
