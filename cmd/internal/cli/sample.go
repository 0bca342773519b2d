package cli

import (
	"context"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type sampleOptions struct {
	oneLog
	reshape.SampleOptions
	Jobs jobsOptions
}

func (o *sampleOptions) run(ctx context.Context, a *app) (*findings, error) {
	src, err := a.source(o.input)
	if err != nil {
		return nil, err
	}
	defer src.close()
	s, err := reshape.Sample(ctx, src.open, o.SampleOptions)
	if err != nil {
		return nil, inLog(o.input, err)
	}
	defer s.Log.Close()
	if err := a.putStream(ctx, o.Jobs, o.input, s); err != nil {
		return nil, err
	}
	return &findings{about: o.input, remarks: view.Warnings(s.Warnings())}, nil
}
