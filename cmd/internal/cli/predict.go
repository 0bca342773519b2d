package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

type predictOptions struct {
	logs
	evaluate.WaitsOptions
	programOptions
	WaitFrom              countFrom `group:"Who predicts"`
	thresholds.Conditions `group:"Scores" of:"coverage(bmbp)>=0.95|the numbers of --format csv"`
	Baseline              thresholds.Baseline `of:"an accuracy or a correlation fell, a bound's coverage is farther below its quantile, or its pinball loss rose"`
	Result                resultOptions       `group:"Output"`
	Predictions           string              `opt:"predictions" file:"table" common:"true" help:"write every prediction to this <file>: .csv"`
	Plots                 plotOptions         `of:"predictions and scores"`
}

// Choices returns the choices of the library and, for predictors, "all".
func (o *predictOptions) Choices(option string) []string {
	names := o.WaitsOptions.Choices(option)
	if option == "predictors" {
		return append(names, "all")
	}
	return names
}

func newPredictOptions() *predictOptions {
	return &predictOptions{WaitsOptions: evaluate.WaitsOptions{Predictors: evaluate.WaitPredictors()}, Result: resultOptions{page: true}}
}

func (o *predictOptions) check(a *app) error {
	switch {
	case o.Sample > 0 && !a.given("predictors"):
		o.Predictors = evaluate.SamplePredictors()
	case !slices.Contains(o.Predictors, "all"):
	case len(o.Predictors) > 1:
		return flags.Usagef("--predictors %s: want all, or names without it", strings.Join(o.Predictors, ","))
	default:
		o.Predictors = o.allPredictors()
	}
	if err := o.checkBoard(a, o.Result, "predictions"); err != nil {
		return err
	}
	if o.Sites != nil && len(o.Sites) == 0 && o.Processors == 0 {
		return flags.Usagef("--sites all: want --procs, the processors of each site")
	}
	o.Programs = o.commands(a)
	o.Pictures = o.Plots.Folder != ""
	return nil
}

// allPredictors returns the predictors that can be scored with the other options.
func (o *predictOptions) allPredictors() []string {
	all, not := evaluate.AllWaitPredictors(), []string{}
	switch {
	case len(o.all) > 0:
		all, not = slices.Concat(predict.BoundNames(), predict.BoundVariants()), []string{predict.ConformalPoint}
	case o.Sample == 0:
		not = evaluate.ArrivalPredictors()
	}
	return slices.DeleteFunc(all, func(name string) bool { return slices.Contains(not, name) })
}

// judgeOfWaits returns a judge of scores of wait predictors. scored are the predictors that will be
// scored.
func judgeOfWaits(a *app, c thresholds.Conditions, b thresholds.Baseline, scored []string) (j thresholds.Judge[*evaluate.WaitsResult], err error) {
	const form = "coverage(bmbp)>=0.95"
	j.Baseline, j.Note, j.Warn = b, a.note, a.warn
	j.Conditions, err = c.Parse(form, union(field.Numbers[evaluate.WaitScore](), field.Numbers[evaluate.ArrivalScore]()), func(r thresholds.Requirement) error {
		switch {
		case len(r.Of) != 1:
			return fmt.Errorf("saw %q, want one predictor, such as '%s'", r.Text, form)
		case !slices.Contains(scored, r.Of[0]):
			return fmt.Errorf("%q: %q is none of the predictors scored: %s", r.Text, r.Of[0], strings.Join(scored, ", "))
		}
		return nil
	})
	return j, err
}

func (o *predictOptions) run(ctx context.Context, a *app) (*findings, error) {
	judge, err := judgeOfWaits(a, o.Conditions, o.Baseline, o.Scored())
	if err != nil {
		return nil, err
	}
	w := o.WaitsOptions
	if len(o.all) > 0 {
		if !a.given("predictors") && o.Sample == 0 {
			w.Predictors = nil // use those of the board
		}
		b, err := evaluate.WaitsBoard(ctx, o.all, w, func(ctx context.Context, name string, w evaluate.WaitsOptions) (*evaluate.WaitsResult, error) {
			return a.scoreWaits(ctx, name, w, evaluate.Waits)
		})
		return a.ofBoard(b, err)
	}
	if err := judge.ReadBaseline(evaluate.DecodeWaits); err != nil {
		return nil, err
	}
	var r *evaluate.WaitsResult
	err = saveRows(a, o.Predictions, func(save func(evaluate.WaitPrediction) error) (err error) {
		w.Predicted = save
		r, err = a.scoreWaits(ctx, o.input, w, evaluate.Waits)
		return err
	})
	if err != nil {
		return nil, err
	}
	return ofWaits(o.input, r, o.Processors, &judge), nil
}

// ofWaits returns the findings for scores of wait predictors.
func ofWaits(input string, r *evaluate.WaitsResult, processors int64, j *thresholds.Judge[*evaluate.WaitsResult]) *findings {
	find := func(q thresholds.Requirement) (float64, string) {
		name, why := q.Of[0], "it is not scored"
		if s := r.Score(name); s != nil {
			return q.Score(*s), ""
		}
		if s := r.Arrivals.Score(name); s != nil {
			return q.Score(*s), ""
		}
		if i := slices.IndexFunc(r.LeftOut, func(p evaluate.PredictorLeftOut) bool { return p.Predictor == name }); i >= 0 {
			why = r.LeftOut[i].Why
		}
		return 0, name + " is left out: " + why
	}
	return &findings{
		about:   input,
		remarks: tables.WaitRemarks(r),
		plots:   func() []figure.Spec { return figure.OfWaits(r) },
		result:  tables.Waits(r, processors),
		unmet:   func() ([]string, error) { return j.Unmet(r, find) },
	}
}

// watch returns a function that wraps a pass over n jobs of a log (0 if unknown) to show its
// progress.
func (a *app) watch(log *workload.Log) func(iter.Seq2[workload.Job, error], int) iter.Seq2[workload.Job, error] {
	return func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
		if n == 0 {
			return a.progress.Watch(log)(jobs)
		}
		return a.progress.Counted("jobs of "+filepath.Base(log.Name), n, jobs)
	}
}

// waitsScorer is a function such as evaluate.Waits.
type waitsScorer func(context.Context, *workload.Log, evaluate.WaitsOptions) (*evaluate.WaitsResult, error)

// scoreWaits opens the log and scores predictors on it.
func (a *app) scoreWaits(ctx context.Context, input string, w evaluate.WaitsOptions, score waitsScorer) (*evaluate.WaitsResult, error) {
	log, err := a.open(input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	if input != "-" {
		w.Reopen = func() (*workload.Log, error) { return a.reopen(input) }
	}
	w.Watch = a.watch(log)
	r, err := score(ctx, log, w)
	if fault := ofProgram(err); fault != nil { // do not name the log
		return nil, fault
	}
	a.warnWhyNoJobs(input, log, err)
	switch {
	case errors.Is(err, predict.ErrNoWaits):
		return nil, about(input, fmt.Errorf("%w: %s", err, tables.HintSimulate))
	case errors.Is(err, workload.ErrNoMachine):
		return nil, about(input, fmt.Errorf("%w: give --procs, or ask only predictors that need no machine: --predictors bmbp,qbets,combined", err))
	case err != nil:
		return nil, about(input, err)
	}
	return r, nil
}
