package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type scaleOptions struct {
	oneLog
	reshape.ScaleOptions
	Jobs jobsOptions
}

func (o *scaleOptions) run(ctx context.Context, a *app) (*findings, error) {
	src, err := a.source(o.input)
	if err != nil {
		return nil, err
	}
	defer src.close()
	s, err := reshape.Scale(ctx, src.open, o.ScaleOptions)
	switch {
	case errors.Is(err, workload.ErrNoMachine):
		return nil, fmt.Errorf("%s: %w: give --procs", o.input, err)
	case err != nil:
		return nil, inLog(o.input, err)
	}
	a.warnOfLoad(o.Load.Load)
	says := func() string {
		return fmt.Sprintf("offered load %s on %d processors, asked for %s, before %s; method %s",
			view.Sig(s.Reached()), s.Processors, view.Sig(s.Asked), view.Sig(s.Before), s.Method)
	}
	header := func() workload.Header {
		return s.Header("loadstone scale", fmt.Sprintf("scaled: %s, seed %d; waits are those of the old load", says(), o.Seed))
	}
	if err := a.putStream(ctx, o.Jobs, o.input, s.Stream, header); err != nil {
		return nil, err
	}
	return &findings{about: o.input, remarks: view.Warnings(s.Warnings()), after: func() { a.note("%s", says()) }}, nil
}
