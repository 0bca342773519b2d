package cli

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload"
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
	header := func() workload.Header {
		return s.Header("loadstone sample", fmt.Sprintf("a sample: %s, seed %d; the offered load is the sample's", s.What, o.Seed))
	}
	if err := a.putStream(ctx, o.Jobs, o.input, s.Stream, header); err != nil {
		return nil, err
	}
	return &findings{about: o.input, remarks: view.Warnings(s.Warnings())}, nil
}
