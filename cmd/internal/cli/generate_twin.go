package cli

import (
	"context"
	"math"
	"path/filepath"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/resample"
)

// resample makes a twin of the log given by --like.
func (o *generateOptions) resample(ctx context.Context, a *app) error {
	log, err := a.open(o.Like)
	if err != nil {
		return err
	}
	defer log.Close()
	twin, err := resample.New(ctx, a.progress.Watch(log)(log.Jobs()), log.Header, o.twin)
	if err != nil {
		return about(o.Like, err)
	}
	a.tell(o.Like, view.Warnings(append(log.Warnings(), twin.Warnings()...)))
	var made resample.Made
	header := func() workload.Header { return twin.Header(log.Header, filepath.Base(o.Like), &made) }
	if err := a.putChanged(ctx, o.Jobs, log.Header, log.Optional(), twin.Counted(ctx, &made), header); err != nil {
		return err
	}
	a.tellTwin(twin, &made, o.twin)
	return nil
}

// tellTwin reports the load of a twin and the share of its jobs that keep their week and hour.
func (a *app) tellTwin(twin *resample.Twin, made *resample.Made, o resample.Options) {
	if made.Jobs == 0 {
		a.warn("no job is submitted in so short a time, or at so low a load: the twin would be empty")
		return
	}
	if reached := made.Load(twin.Processors()); !math.IsNaN(reached) {
		a.note("offered load: %s on %d processors; the log's is %s", view.Sig(reached), twin.Processors(), view.Sig(twin.Load()))
		if o.Load > 0 && math.Abs(reached/o.Load-1) > loadTolerance {
			a.warn("the load is not within .5 %% of the %s asked for: there are too few jobs or users; ask for more jobs or days", view.Sig(o.Load))
		}
	}
	a.note("%s %% of its jobs keep their week and hour", view.Fixed(100*made.Stayed(), 1))
	a.note("the jobs are records of the log's users: anonymise the log before you pass a twin on")
}
