package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Result holds the measures of a run.
type Result struct {
	Run
	Study    string             `json:"study"` // Plan.Identity
	Measures []Value            `json:"measures"`
	Warnings []workload.Warning `json:"warnings,omitempty"`
}

// Value is a measure with its value in one run.
type Value struct {
	Measure string       `json:"measure"`
	Value   stats.Number `json:"value"` // NaN if it has none
}

// Do performs the runs with the given numbers concurrently on the given number of workers (0 means
// one for each core), and saves their results. done, if not nil, is called after each run, from any
// goroutine. A result is saved as soon as its run is done, so that after an interruption of any
// kind, Do with the runs that are Missing continues. Results do not depend on the order of the runs
// or the number of workers.
func (s *Store) Do(ctx context.Context, numbers []int, workers int, done func()) error {
	p := s.plan
	workers = par.Workers(workers)
	type task struct {
		k, turn int
		w       *sharedJobs
	}
	var tasks []task
	workloads := map[int]*sharedJobs{}
	for _, number := range numbers {
		if _, err := p.At(number); err != nil {
			return err
		}
		t := task{k: number - 1, turn: number}
		if t.w = workloads[p.workload(t.k)]; t.w == nil {
			t.w = &sharedJobs{read: sync.OnceValues(func() (*jobs, error) { return p.read(ctx, t.k) })}
			workloads[p.workload(t.k)] = t.w
			// Start the first run of a workload early, since it reads the workload: meanwhile
			// the other workers are busy with earlier runs.
			t.turn -= workers
		}
		t.w.left.Add(1)
		tasks = append(tasks, t)
	}
	slices.SortStableFunc(tasks, func(a, b task) int { return cmp.Compare(a.turn, b.turn) })
	return par.Run(ctx, workers, len(tasks), func(i int) error {
		t := tasks[i]
		defer t.w.release()
		j, err := t.w.read()
		if err != nil {
			return err
		}
		r, err := p.on(ctx, j, t.k)
		if err == nil {
			err = s.Save(r)
		}
		if err == nil && done != nil {
			done()
		}
		return err
	})
}

// sharedJobs contains the jobs of a workload. The first run reads them, and the last one frees
// them.
type sharedJobs struct {
	read func() (*jobs, error)
	left atomic.Int64 // number of runs left
}

func (w *sharedJobs) release() {
	if w.left.Add(-1) == 0 {
		w.read = nil
	}
}

// Run performs the run with a number from 1 to Runs.
func (p *Plan) Run(ctx context.Context, number int) (*Result, error) {
	if _, err := p.At(number); err != nil {
		return nil, err
	}
	j, err := p.read(ctx, number-1)
	if err != nil {
		return nil, err
	}
	return p.on(ctx, j, number-1)
}

// on performs the k-th run on its jobs.
func (p *Plan) on(ctx context.Context, j *jobs, k int) (*Result, error) {
	r := &Result{Run: p.at(k), Study: p.Identity}
	processors := cmp.Or(r.Processors, j.processors)
	s, err := evaluate.Schedule(ctx, j.log(), evaluate.ScheduleOptions{Policy: r.Policy, Estimates: r.Estimates, Feedback: r.Feedback, Processors: processors})
	if errors.Is(err, sched.ErrNoEstimates) {
		err = fmt.Errorf("%w: estimates: [perfect], or a predictor such as last2, needs none in the workload", err)
	}
	if err != nil {
		return nil, workload.About(fmt.Sprintf("run %d of study %s, %s", r.Number, p.Study.Name, p.describe(k)), plain(ctx, err))
	}
	load := j.load
	if r.Processors > 0 {
		load *= float64(j.processors) / float64(processors)
	}
	row := field.Row{reflect.ValueOf(scheduled{stats.Number(load), &s.Whole})}
	for _, m := range measures {
		x := m.field.Number(row)
		if math.IsInf(x, 0) {
			x = math.NaN()
		}
		r.Measures = append(r.Measures, Value{m.Name, stats.Number(x)})
	}
	r.Warnings = slices.Concat(j.warnings, s.Warnings)
	return r, nil
}

// Measure describes a quantity measured by runs: a field of scheduled with the tag study, which
// marks main and drawn measures.
type Measure struct {
	Name    string // with its unit
	Meaning string
	Main    bool // shown in tables for people
	Drawn   bool // shown in figures
	Range   field.Range
	field   field.Field // field with its value
}

// scheduled is a schedule with the offered load of its jobs.
type scheduled struct {
	Load stats.Number `json:"offered_load" study:"" help:"work over what the machine can do while jobs are submitted"`
	*score.Schedule
}

// measures are the measures of a run, in order.
var measures = func() (all []Measure) {
	for _, f := range field.Of[scheduled]() {
		if use, ok := f.Tag("study"); ok {
			can, _ := f.Range()
			all = append(all, Measure{f.Name, f.Help(), strings.Contains(use, "main"), strings.Contains(use, "drawn"), can, f})
		}
	}
	return all
}()
