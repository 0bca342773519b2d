package cli

import (
	"context"
	"io"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type cleanOptions struct {
	oneLog
	Filters []string `opt:"filter" repeat:"true" common:"true" want:"a condition, such as 'status=0,5', or duplicates" help:"remove the jobs that match this <filter> (see --list); repeatable"` // not split at commas, which filters contain
	Removed string   `opt:"removed" file:"write" common:"true" help:"write the removed jobs to this CSV <file>: job, row, filter, reason"`
	List    bool     `opt:"list" common:"true" help:"list the filters, and the fields of conditions"`
	Jobs    jobsOptions

	filters []reshape.Filter
}

func (o *cleanOptions) args(args []string) error {
	if o.List {
		return noArgs{}.args(args)
	}
	return o.oneLog.args(args)
}

func (o *cleanOptions) check(*app) error {
	for _, text := range o.Filters {
		f, err := reshape.ParseFilter(text)
		if err != nil {
			return flags.Usage(err)
		}
		o.filters = append(o.filters, f)
	}
	switch {
	case len(o.filters) == 0 && !o.List:
		return flags.Usagef("want at least one --filter; --list shows them")
	case o.Removed == "-":
		return flags.Usagef("--removed -: want a file")
	}
	return nil
}

func (o *cleanOptions) run(ctx context.Context, a *app) (*findings, error) {
	if o.List {
		return &findings{result: tables.Filters(), to: o.Jobs.ofList()}, nil
	}
	log, err := a.open(o.input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	var c *reshape.Cleaned
	clean := func(removed func(reshape.Removal) error) (err error) {
		if c, err = reshape.Clean(ctx, log, o.filters, removed); err != nil {
			return inLog(o.input, err)
		}
		return a.putStream(ctx, o.Jobs, o.input, &c.Stream)
	}
	if o.Removed == "" {
		err = clean(func(reshape.Removal) error { return nil })
	} else {
		err = a.writeNamed(o.Removed, func(w io.Writer) error { return reshape.WriteRemovals(w, clean) })
	}
	if err != nil {
		return nil, err
	}
	return &findings{about: o.input, remarks: view.Warnings(c.Warnings()), after: func() { o.tell(a, c) }}, nil
}

// tell reports how many jobs were removed.
func (o *cleanOptions) tell(a *app, c *reshape.Cleaned) {
	for _, f := range c.Outcomes {
		a.note("%s: %d removed", f.Filter, f.Removed)
	}
	a.note("%s: %d of %d records stay", o.input, c.Kept(), c.Records())
}
