package evaluate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CompareInput is a workload to compare: a log, or a model that jobs are drawn
// from.
type CompareInput struct {
	Name  string                        // in the result
	About string                        // in warnings and errors
	Open  func() (*workload.Log, error) // the log, which is closed; nil for a model
	Model model.Site
}

// CompareOptions says how workloads are compared.
type CompareOptions struct {
	By string // column by whose values two workloads are compared too; "" for none
	score.MapOptions
	Jobs int64 // drawn from a model
}

// CompareResult says how alike workloads are.
type CompareResult struct {
	*score.Compared
	// Profiles are those of the workloads, which pictures are drawn from.
	Profiles []*score.Profile `json:"-"`
}

// ModelStart is second 0 of the jobs drawn from a model: a Monday's midnight.
var ModelStart = time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC)

// Compare compares two workloads, or makes the map of three or more. It is an
// error if one of them has no jobs, or if three or more have no variable in common
// that varies.
func Compare(ctx context.Context, inputs []CompareInput, o CompareOptions) (*CompareResult, error) {
	r := &CompareResult{}
	var odd []workload.Warning
	for _, in := range inputs {
		p, warnings, err := profile(ctx, in, o)
		if err != nil {
			return nil, workload.About(in.About, err)
		}
		for _, w := range warnings {
			w.About = in.About
			odd = append(odd, w)
		}
		r.Profiles = append(r.Profiles, p)
	}
	var err error
	if r.Compared, err = score.CompareAll(r.Profiles, o.MapOptions); err != nil {
		return nil, &CompareError{odd, err}
	}
	r.Warnings = slices.Concat(odd, r.Warnings)
	return r, nil
}

// CompareError says why profiles of three or more workloads make no map.
type CompareError struct {
	Warnings []workload.Warning // of the workloads
	Err      error
}

func (e *CompareError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *CompareError) Unwrap() error { return e.Err }

// profile reads a log, or draws jobs from a model.
func profile(ctx context.Context, in CompareInput, o CompareOptions) (*score.Profile, []workload.Warning, error) {
	var (
		ask  = score.ProfileOptions{Name: in.Name, By: o.By}
		jobs workload.JobSeq
		log  *workload.Log
		odd  []workload.Warning
	)
	if in.Open == nil {
		w, err := generate.New(in.Model, generate.Options{Jobs: o.Jobs, Seed: o.Seed, Start: ModelStart})
		if err != nil {
			return nil, nil, err
		}
		ask.Processors, ask.Drawn, jobs = w.Site.Processors, &o.Seed, w.Jobs()
		ask.Clock, _ = w.Header.Clock()
	} else {
		var err error
		if log, err = in.Open(); err != nil {
			return nil, nil, err
		}
		defer log.Close()
		var note string
		ask.Processors, _ = log.Header.Processors()
		if ask.Clock, note = log.Header.Clock(); note != "" {
			odd = append(odd, workload.Warning{Rule: "clock", Text: note, Count: 1})
		}
		jobs = log.Jobs()
	}
	p := score.NewProfile(ask)
	some := false
	for j, err := range workload.Until(ctx, jobs) {
		if err != nil {
			return nil, nil, err
		}
		p.Add(&j)
		some = true
	}
	if !some {
		return nil, nil, fmt.Errorf("nothing to compare: %w", workload.ErrNoJobs)
	}
	if log != nil {
		odd = append(odd, log.Warnings()...)
	}
	return p, odd, nil
}
