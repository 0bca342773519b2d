package cli

import (
	"context"
	"fmt"

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
	note := func() string {
		return fmt.Sprintf("a sample: %s, seed %d; the offered load is the sample's", s.What, o.Seed)
	}
	return a.putAltered(ctx, o.Jobs, o.input, s.Altered, "loadstone sample", note)
}
