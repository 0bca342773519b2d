package cli

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeOptions struct {
	oneLog
	inspect.DescribeOptions
	Plots    plotOptions `of:"submissions over time"`
	WaitFrom countFrom
	Result   resultOptions
}

func (o *describeOptions) args(args []string) error {
	if len(args) == 2 {
		return fmt.Errorf("want one log, saw %q: 'loadstone compare' takes two", args)
	}
	return o.oneLog.args(args)
}

func (o *describeOptions) run(ctx context.Context, a *app) (*findings, error) {
	d, err := fromLog(a, o.input, func(log *workload.Log) (*inspect.Description, error) {
		return inspect.Describe(ctx, log, o.DescribeOptions)
	})
	if err != nil {
		return nil, err
	}
	return &findings{
		about:   o.input,
		remarks: view.Warnings(d.Warnings),
		plots:   func() []figure.Spec { return figure.OfDescription(d) },
		result:  tables.Description(d),
	}, nil
}
