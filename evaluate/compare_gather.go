package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/generate"
	users "github.com/loadstone-hpc/loadstone/generate/population"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/resample"
)

// gathered is a workload that is compared.
type gathered struct {
	name     string
	profile  *score.Profile
	header   workload.Header
	jobs     []workload.Job // by submission; for a verdict alone
	some     bool           // it has jobs
	warnings []workload.Warning
}

// drawing is a workload to read, and what becomes known of it.
type drawing struct {
	header workload.Header
	jobs   workload.JobSeq
	close  func() error
	odd    func() []workload.Warning // once it is read
}

// open opens a log, or draws jobs from a model or after a log. log is the first
// input, nil while that is opened.
func (in *CompareInput) open(ctx context.Context, o *CompareOptions, log *gathered, seed uint64) (*drawing, error) {
	switch {
	case in.Like:
		twin, err := resample.New(ctx, workload.JobsOf(log.jobs), log.header, resample.Options{Seed: seed, Processors: o.Verdict.Processors, Workers: o.Verdict.Workers})
		if err != nil {
			return nil, err
		}
		return &drawing{log.header, twin.Jobs(ctx), twin.Close, twin.Warnings}, nil
	case in.Users != nil:
		w, err := users.New(*in.Users, users.Options{Jobs: o.Jobs, Seed: seed})
		if err != nil {
			return nil, err
		}
		return &drawing{w.Header(new(users.Made), ""), w.Jobs(ctx), nil, noWarnings}, nil
	case in.Open == nil:
		jobs := o.Jobs
		switch {
		case jobs > 0:
		case o.Verdict != nil && log != nil:
			jobs = int64(len(log.jobs))
		default:
			jobs = DefaultCompareJobs
		}
		w, err := generate.New(in.Model, generate.Options{Jobs: jobs, Seed: seed, Start: ModelStart})
		if err != nil {
			return nil, err
		}
		h := w.Header.Clone()
		return &drawing{h, w.Jobs(), nil, noWarnings}, nil
	}
	l, err := in.Open()
	if err != nil {
		return nil, err
	}
	return &drawing{l.Header, l.Jobs(), l.Close, l.Warnings}, nil
}

func noWarnings() []workload.Warning { return nil }

// gather reads a workload.
func (in *CompareInput) gather(ctx context.Context, o *CompareOptions, log *gathered) (*gathered, error) {
	d, err := in.open(ctx, o, log, o.Seed)
	if err != nil {
		return nil, err
	}
	if d.close != nil {
		defer d.close()
	}
	ask := score.ProfileOptions{Name: in.Name, By: o.By}
	g := &gathered{name: in.Name, header: d.header}
	if ask.Classes, err = o.classes(&d.header); err != nil {
		return nil, errors.New(err.Error()) // of this header: no fault of the options
	}
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
	jobs := g.profiled(workload.Until(ctx, d.jobs))
	if o.Verdict != nil {
		var odd workload.Warnings
		if in.Open != nil { // what is drawn comes in order
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
	if !g.some {
		return nil, fmt.Errorf("nothing to compare: %w", workload.ErrNoJobs)
	}
	g.warnings = append(g.warnings, d.odd()...)
	return g, nil
}

// profiled passes jobs on and profiles them.
func (g *gathered) profiled(jobs workload.JobSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				g.profile.Add(&j)
				g.some = true
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}

// hold reads jobs that come by submission, and numbers their rows anew.
func hold(jobs workload.JobSeq) ([]workload.Job, error) {
	var all []workload.Job
	for j, err := range jobs {
		switch {
		case err != nil:
			return nil, err
		case math.IsInf(j.Submit, 0):
			continue
		case len(all) == MaxVerdictJobs:
			return nil, fmt.Errorf("saw more than %d jobs, the most that a verdict holds in memory: take a part of the log by 'sample' or 'split'", MaxVerdictJobs)
		}
		j.Row = int64(len(all))
		all = append(all, j)
	}
	return all, nil
}
