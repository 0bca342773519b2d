package cli

import (
	"context"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

type runtimeOptions struct {
	logs
	evaluate.RunTimesOptions
	programOptions
	thresholds.Conditions `group:"Scores" of:"accuracy(last2,user)>=0.48|the numbers of --format csv"`
	Baseline              thresholds.Baseline `of:"an accuracy fell"`
	Result                resultOptions       `group:"Output"`
	Predictions           string              `opt:"predictions" file:"table" common:"true" help:"write every prediction to this <file>: .csv"`
	Plots                 plotOptions         `of:"accuracies and their distributions"`
}

func newRuntimeOptions() *runtimeOptions {
	o := &runtimeOptions{Result: resultOptions{page: true}}
	o.Predictors, o.Classes = runtime.PaperPredictorNames(), runtime.ClassesNames()
	return o
}

func (o *runtimeOptions) check(a *app) error {
	if err := o.checkBoard(a, o.Result, "against"); err != nil {
		return err
	}
	o.Programs = o.commands(a)
	o.UserEstimates = len(o.all) == 0 && !a.given("predictors")
	return nil
}

// judgeOfRunTimes returns a judge of scores of entries.
func judgeOfRunTimes(a *app, c thresholds.Conditions, b thresholds.Baseline, entries []runtime.Entry) (j thresholds.Judge[*evaluate.RunTimesResult], err error) {
	j.Baseline, j.Note, j.Warn = b, a.note, a.warn
	j.Conditions, err = c.Parse("accuracy(last2,user)>=0.48", field.Numbers[evaluate.RunTimeScore](), func(r thresholds.Requirement) error {
		return evaluate.CheckScored("require", r.Text, r.Of, entries)
	})
	return j, err
}

func (o *runtimeOptions) run(ctx context.Context, a *app) (*findings, error) {
	entries, err := o.Entries()
	if err != nil {
		return nil, err
	}
	judge, err := judgeOfRunTimes(a, o.Conditions, o.Baseline, entries)
	if err != nil {
		return nil, err
	}
	if len(o.all) > 0 {
		b, err := evaluate.RunTimesBoard(ctx, o.all, o.RunTimesOptions, func(ctx context.Context, name string, of evaluate.RunTimesOptions) (*evaluate.RunTimesResult, error) {
			return scoreRunTimes(ctx, a, name, of)
		})
		return a.ofBoard(b, err)
	}
	if err := judge.ReadBaseline(evaluate.DecodeRunTimes); err != nil {
		return nil, err
	}
	var r *evaluate.RunTimesResult
	err = saveRows(a, o.Predictions, func(save func(evaluate.RunTimePrediction) error) (err error) {
		o.Predicted = save
		r, err = scoreRunTimes(ctx, a, o.input, o.RunTimesOptions)
		return err
	})
	if err != nil {
		return nil, err
	}
	return ofRunTimes(o.input, r, &judge), nil
}

// scoreRunTimes opens the log and scores the predictors on it.
func scoreRunTimes(ctx context.Context, a *app, input string, o evaluate.RunTimesOptions) (*evaluate.RunTimesResult, error) {
	r, err := fromLog(a, input, func(log *workload.Log) (*evaluate.RunTimesResult, error) {
		o.Watch = a.watch(log)
		return evaluate.RunTimes(ctx, log, o)
	})
	if fault := ofProgram(err); fault != nil { // do not name the log
		return nil, fault
	}
	return r, err
}

// ofRunTimes returns the findings for scores of run-time predictors.
func ofRunTimes(input string, r *evaluate.RunTimesResult, j *thresholds.Judge[*evaluate.RunTimesResult]) *findings {
	find := func(q thresholds.Requirement) (float64, string) {
		of := append(slices.Clone(q.Of), "") // of[1] are the classes, "" for predictors without
		if s := r.Score(of[0], of[1]); s != nil {
			return q.Score(*s), ""
		}
		if i := slices.IndexFunc(r.LeftOut, func(c evaluate.ClassesLeftOut) bool { return c.Classes == of[1] }); i >= 0 {
			return 0, "its classes are left out: " + r.LeftOut[i].Why
		}
		if i := slices.IndexFunc(r.Scores, func(s evaluate.RunTimeScore) bool { return s.Predictor == of[0] }); i >= 0 {
			return 0, "it is scored under the classes " + r.Scores[i].Classes + ", not " + of[1]
		}
		return 0, sched.ErrNoEstimates.Error()
	}
	return &findings{
		about:   input,
		remarks: view.Warnings(r.Warnings),
		plots:   func() []figure.Spec { return figure.OfRunTimes(r) },
		result:  tables.RunTimes(r),
		unmet:   func() ([]string, error) { return j.Unmet(r, find) },
	}
}
