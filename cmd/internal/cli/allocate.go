package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/study/allocate"
)

type allocateOptions struct {
	oneLog // input is "" if the workload is drawn from a model
	allocate.Options
	PerJob string        `opt:"per-job" file:"table" group:"Results" help:"write every job under every strategy to this <file>: .csv"`
	Plots  plotOptions   `group:"Results" of:"the paper's figures"`
	Result resultOptions `group:"Results"`
}

func (o *allocateOptions) args(args []string) error {
	if len(args) == 0 {
		return nil
	}
	return o.oneLog.args(args)
}

// check returns an error for a given flag that would have no effect.
func (o *allocateOptions) check(a *app) error {
	unused, is := []string{"seeds", "seed", "days", "load"}, "a workload that is drawn, and "+o.input+" is a log"
	if o.input == "" {
		unused, is = []string{"sigma"}, "a log, and none is given"
	}
	for _, name := range unused {
		if a.given(name) {
			return flags.Usagef("--%s is for %s", name, is)
		}
	}
	return nil
}

func (o *allocateOptions) run(ctx context.Context, a *app) (*findings, error) {
	study := o.Options
	study.Keep = study.Keep || o.Plots.Folder != ""
	if o.input != "" {
		log, err := a.open(o.input)
		if err != nil {
			return nil, err
		}
		defer log.Close()
		if _, err := machine(o.input, &log.Header, o.Processors); err != nil {
			return nil, err
		}
		study.Log = log
	}
	var end func()
	study.Simulated, end = a.progress.Work("simulating", "simulations", study.Simulations())
	defer end()
	var r *allocate.Result
	err := saveRows(a, o.PerJob, func(save func(allocate.PlacedJob) error) (err error) {
		study.Placed = save
		r, err = allocate.Compute(ctx, study)
		return err
	})
	found := &findings{about: o.input}
	if r != nil {
		found.remarks = view.Warnings(r.Warnings)
	}
	if errors.Is(err, allocate.ErrRigid) && study.Sigma == nil {
		err = fmt.Errorf("%w: '--sigma 1' assumes one", err)
	}
	if err != nil {
		return found, about(o.input, err)
	}
	found.plots = func() []figure.Spec { return figure.OfAllocation(r) }
	found.result = tables.Allocation(r)
	return found, nil
}
