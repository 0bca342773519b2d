package generate

import (
	"context"
	"fmt"
	"time"

	people "github.com/loadstone-hpc/loadstone/generate/population"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Drawn is a synthetic workload from a model of either form. It can be read once, by Jobs or by
// Batches.
type Drawn struct {
	Processors int64 // number of processors of the machine
	Optional   workload.ColumnSet
	Begun      workload.Header // the header as far as it is known before the jobs are read
	Jobs       workload.JobSeq
	Batches    workload.BatchSeq
	// Header returns the complete header, once all jobs have been read; nil if Begun is complete.
	Header func() workload.Header
	// Made has the totals of the jobs read so far.
	Made Made
	// Load is the offered load requested by the options; 0 for the model's own.
	Load float64
}

// FirstDay is second 0 of the jobs if neither the model nor the options specify it: 0:00 on a
// Monday.
var FirstDay = time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC)

// Draw draws jobs from a model of either form. A model of users requires neither Days nor Jobs;
// options that it does not support are errors. Without a Start the first day is that of the
// model's log, or 2001-01-01 if that is unknown.
func Draw(ctx context.Context, m model.Model, o Options) (*Drawn, error) {
	if site, ok := m.(model.Site); ok {
		if o.Start.IsZero() {
			o.Start = FirstDay
		}
		w, err := New(site, o)
		if err != nil {
			return nil, err
		}
		d := &Drawn{Processors: w.Site.Processors, Optional: w.Optional(), Begun: w.Header, Load: w.options.Load}
		d.Batches = workload.Until(ctx, w.Counted(&d.Made))
		d.Jobs = workload.Jobs(d.Batches)
		return d, nil
	}
	site := m.(*population.Model)
	for _, x := range []struct {
		option, saw, instead string
	}{
		{"method", string(o.Method), "a model of distributions, such as lublin2003"},
		{"max-estimate", fmt.Sprint(o.MaxEstimate), "a model of distributions, such as lublin2003"},
		{"estimates", string(o.Estimates), "the estimates of the log's users, which the model has; take the part estimates out for none"},
	} {
		if x.saw != "" && x.saw != "0" {
			return nil, workload.OptionFault(x.option, x.saw+", for "+site.Name+", a model of users", "%s", x.instead)
		}
	}
	if o.Times > 0 {
		o.Load = o.Times * site.Log.Load
	}
	w, err := people.New(*site, people.Options{Days: o.Days, Jobs: o.Jobs, Load: o.Load, Processors: o.Processors, Start: o.Start, Seed: o.Seed, Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	d := &Drawn{Processors: w.Processors(), Optional: w.Optional(), Load: o.Load}
	d.Header = func() workload.Header { return w.Header(&d.Made, o.By) }
	d.Begun = d.Header()
	d.Jobs = w.Counted(ctx, &d.Made)
	d.Batches = workload.Batches(d.Jobs)
	return d, nil
}
