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
	defer s.Log.Close()
	a.warnOfLoad(o.Load.Load)
	if err := a.putStream(ctx, o.Jobs, o.input, &s.Stream); err != nil {
		return nil, err
	}
	return &findings{about: o.input, remarks: view.Warnings(s.Warnings()), after: func() { a.note("%s", s) }}, nil
}
