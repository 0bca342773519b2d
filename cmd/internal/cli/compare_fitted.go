package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/change"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fittedOptions are of 'compare --fitted' and 'compare --at', and of the flags of
// fit that they were.
type fittedOptions struct {
	change.Options
	inputs []string // one with At, else two
	result resultOptions
}

// addFittedFlags adds the flags of 'compare --fitted'.
func addFittedFlags(cmd *cobra.Command, f *fitFlags, asked *bool, o *fittedOptions) {
	set := cmd.Flags()
	set.BoolVar(asked, "fitted", false, "compare distributions fitted to two logs, parameter by parameter")
	set.StringVar(&o.At, "at", "", "the same for one log, before and after this `time`: a date, or seconds from the log's start")
	f.attributes = []string{string(fit.RunTime)}
	flags.Enums(cmd, &f.attributes, "attribute", "what to fit", attributeNames())
	flags.Enum(cmd, &o.Family, "family", "family of distributions (default: uniform-log for run times, else hyper-gamma)", fit.Families())
	set.IntSliceVar(&f.status, "status", nil, "only jobs with these status codes, such as 1 for completed")
	addLawFlags(cmd, f, &o.Fit)
}

// fittedFlags are the flags that mean something with --fitted and --at only.
var fittedFlags = append([]string{"attribute", "family", "status"}, lawFlags...)

// readFitted turns what was typed into options.
func (f *fitFlags) readFitted(cmd *cobra.Command, o *fittedOptions) error {
	for _, name := range f.attributes {
		o.Attributes = append(o.Attributes, fit.Attribute(name))
	}
	for _, code := range f.status {
		o.Status = append(o.Status, int64(code))
	}
	if err := f.readLaws(cmd, &o.Fit); err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return flags.OptionFault(cmd, err)
	}
	return nil
}

func runCompareFitted(ctx context.Context, a *app, o fittedOptions) error {
	if err := a.notOver(o.inputs, o.result.output); err != nil {
		return err
	}
	var logs [2]*workload.Log
	for i, input := range o.inputs {
		log, err := a.open(input)
		if err != nil {
			return err
		}
		defer log.Close()
		logs[i] = log
	}
	o.Work = a.progress.Work
	r, err := change.Logs(ctx, logs[0], logs[1], o.Options)
	if err != nil {
		return err
	}
	for _, w := range r.Warnings {
		a.warn("%s: %s", w.About, w)
	}
	return a.put(o.result, tables.Changes(r))
}
