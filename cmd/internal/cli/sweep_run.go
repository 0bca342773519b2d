package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/study/sweep"
)

func (a *app) listSweep(o sweepOptions, plan *sweep.Plan) error {
	return tables.SweepList(plan).Write(a.Out, o.Format)
}

// doRuns does the runs that are not done.
func (a *app) doRuns(ctx context.Context, o sweepOptions, plan *sweep.Plan, store *sweep.Store) error {
	all := sweep.AllOptions{}
	if o.Run != "" {
		all.From, all.To, _ = o.runs()
	}
	clock := sweepClock{a: a, seed: plan.Group()}
	end := func() {}
	all.Begun = func(runs, done int) {
		if o.Run == "" && runs > done {
			a.note("%s: %d runs, %d done", o.Results, runs, done)
		}
		clock.start, clock.runs = time.Now(), runs-done
		clock.one, end = a.progress.Work("runs", "runs", runs-done)
	}
	all.Done = clock.done
	err := plan.All(ctx, store, all)
	end()
	return err
}

// sweepClock estimates how long a study takes, from its first runs.
type sweepClock struct {
	a     *app
	one   func() // of the line of progress; nil for none
	start time.Time
	seed  int // runs of a seed
	mu    sync.Mutex
	runs  int // to do
	count int // done
	told  int // estimates
}

// A study's time is estimated after sweepFirst, and again when all runs of its first seed are
// done. Less than sweepLong is not told.
const (
	sweepFirst = time.Minute
	sweepLong  = 2 * time.Minute
)

func (c *sweepClock) done() {
	if c.one != nil {
		c.one()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	took := time.Since(c.start) // by the monotonic clock
	if c.told > 1 || c.count < c.seed && (c.told > 0 || took < sweepFirst) {
		return
	}
	c.told++
	if c.count >= c.seed {
		c.told = 2
	}
	if left := time.Duration(float64(took) / float64(c.count) * float64(c.runs-c.count)); left > sweepLong {
		c.a.note("%d runs took %.3g hours; the other %d take about %.3g hours", c.count, took.Hours(), c.runs-c.count, left.Hours())
	}
}

// readOnly reports whether an error is that of a file that may not be written.
func readOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// collectSweep writes the tables and pictures of all runs.
func (a *app) collectSweep(ctx context.Context, o sweepOptions, plan *sweep.Plan, store *sweep.Store) error {
	table, err := plan.Tabulate(ctx, store)
	if err != nil {
		return err
	}
	if err := store.Tidy(); err != nil {
		return err
	}
	form := tables.SweepRuns(plan.Study)
	for _, format := range []string{"csv", "parquet"} {
		path := filepath.Join(o.Results, "table."+format)
		err := a.writeFile(path, func(w io.Writer) error {
			return form.Write(format, w, table.Rows)
		})
		if _, missing := os.Stat(path); missing == nil && readOnly(err) {
			continue // a finished study that is kept: the table is the same
		}
		if err != nil {
			return err
		}
	}
	summary := table.Summary()
	if o.Plots.Folder != "" {
		if err := a.drawAll(o.Plots, figure.OfSweep(summary)); err != nil {
			return err
		}
	}
	for _, w := range table.Warnings {
		a.warn("%s", fmt.Sprintf("%d of %d runs, the first of them run %d: %s", w.Runs, plan.Runs(), w.Run, w.Text))
	}
	return tables.Sweep(summary).Write(a.Out, o.Format)
}
