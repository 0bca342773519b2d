package cli

import (
	"context"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/study/capacity"
)

type capacityOptions struct {
	oneLog
	capacity.Options
	Machine  string `opt:"machine" file:"read" not:"procs" group:"The machine" common:"true" help:"today's machine: a JSON <file> as in 'loadstone simulate', or what 'scontrol show nodes' prints"`
	WaitFrom queuedFrom
	Strict   bool          `opt:"strict" for:"target" group:"Results" common:"true" help:"exit with status 3 if the simulation of today's machine does not reproduce the log's waits"`
	Plots    plotOptions   `of:"the target's waits by size"`
	Result   resultOptions `group:"Results"`
}

func (o *capacityOptions) run(ctx context.Context, a *app) (*findings, error) {
	log, err := a.open(o.input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	study := o.Options
	study.Log = log
	var end func()
	study.Simulated, end = a.progress.Work("simulating", "simulations", 0)
	defer end()
	if o.Machine != "" {
		data, err := flags.ReadFile(o.Machine)
		if err != nil {
			return nil, err
		}
		if study.Cluster, err = sched.DecodeCluster(o.Machine, data); err != nil {
			return nil, err
		}
	}
	r, err := capacity.Compute(ctx, study)
	found := &findings{about: o.input}
	if r != nil {
		found.remarks = view.Warnings(r.Warnings)
	}
	if err != nil {
		return found, about(o.input, err)
	}
	found.result = tables.Capacity(r)
	found.plots = func() []figure.Spec { return figure.OfCapacity(r) }
	if o.Strict {
		found.unmet = func() ([]string, error) { return r.Unmet(), nil }
	}
	return found, nil
}
