package cli

import (
	"context"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/workload"
)

type lifetimesOptions struct {
	oneLog
	lifetimes.ComputeOptions
	Result resultOptions `group:"The result"`
	Plots  plotOptions   `group:"The result" of:"the classes and periods with their fits"`
}

func (o *lifetimesOptions) run(ctx context.Context, a *app) (*findings, error) {
	o.Work = a.progress.Work
	open := func() (*workload.Log, error) { return a.open(o.input) }
	r, err := lifetimes.Compute(ctx, open, o.ComputeOptions)
	if err != nil {
		return nil, about(o.input, err)
	}
	return &findings{
		about:   o.input,
		remarks: view.Warnings(r.Warnings),
		plots:   func() []figure.Spec { return figure.OfLifetimes(r) },
		result:  tables.Lifetimes(r),
	}, nil
}
