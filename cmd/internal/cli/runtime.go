package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

type runtimeOptions struct {
	input       string
	predictors  []string
	classes     []string
	fallback    []string
	alpha       float64
	window      int
	neighbours  int
	quantile    float64
	confidence  float64
	by          []string
	against     string
	replicates  int
	seed        uint64
	predictions string
	plots       string
	require     []string
	baseline    string
	result      resultOptions

	requirements []requirement // of require
}

const requireForm = "accuracy(last2,user)>=0.48"

func newRuntimeCmd(a *app, run func(context.Context, *app, runtimeOptions) error) *cobra.Command {
	o := runtimeOptions{predictors: runtime.PaperPredictorNames(), classes: runtime.ClassesNames()}
	cmd := &cobra.Command{
		Use:   "runtime IN",
		Short: "Score predictors of run time",
		Long: `Replays a log once. When a job is submitted, every predictor predicts its run
time from the jobs of its class that had ended by then; when it has ended, the
predictors learn. Accuracy is 1 for a perfect prediction, else the smaller of
predicted and actual over the larger; it is a mean over the jobs for which there
was a prediction, and coverage says how many these are. Its 95 % interval is from
a bootstrap of users, and so is that of the difference from --against.

Predictors: es exponential smoothing, rm mean of all, sm median of the last
five, last the last one, last2 mean of the last two; and, if asked for: estimate
the user's own, tsafrir last2 up to the estimate, des exponential smoothing with
the best alpha so far, nws the best of the first five so far, knn mean of the
most similar jobs, linear regression with a loss that fears long predictions,
quantile an upper bound. Classes: site (partition), user, user-site,
user-app-size-site, all, or columns joined by +.

The exit code is 3 where --require or --baseline is not met; the result is
written all the same.`,
		Example: "  loadstone runtime KTH-SP2-1996.swf.gz\n" +
			"  loadstone runtime kth.parquet --classes user,user+queue --predictors last2,sm --format json\n" +
			"  loadstone runtime kth.parquet --predictors all --fallback default,estimate --plots figures\n" +
			"  loadstone runtime kth.parquet --require '" + requireForm + "' --baseline scores.json",
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	enumsFlag(cmd, &o.predictors, "predictors", "predictors to score", append(runtime.PredictorNames(), "all"))
	addClassesFlags(cmd, &o)
	cmd.Flags().Float64Var(&o.alpha, "alpha", 0.5, "weight that es gives the newest run time, 0 to 1")
	cmd.Flags().IntVar(&o.window, "window", 5, "how many run times sm takes the median of")
	cmd.Flags().IntVar(&o.neighbours, "neighbours", 5, "how many similar jobs knn takes the mean of")
	cmd.Flags().Float64Var(&o.quantile, "quantile", 0.95, "share of run times that the bound of quantile is to cover")
	cmd.Flags().Float64Var(&o.confidence, "confidence", 0.95, "confidence that it does")
	enumsFlag(cmd, &o.by, "by", "score parts of the log too", runtimeParts)
	cmd.Flags().StringVar(&o.against, "against", "", "`predictor,classes` that the others are compared with (default last2,user, or the first)")
	addBootstrapFlags(cmd, &o.replicates, &o.seed, "user", "")
	addPredictionsFlag(cmd, &o.predictions)
	cmd.Flags().StringVar(&o.plots, "plots", "", "draw accuracies and their distributions into this folder, as SVG")
	addRequireFlag(cmd, &o.require, requireForm, metricNames(runtimeMetrics))
	cmd.Flags().StringVar(&o.baseline, "baseline", "", "exit with code 3 where an accuracy is below its interval in this result (`scores.json`) of an earlier run")
	addResultFlags(cmd, &o.result, true)
	return cmd
}

// runtimeRun is one replay and what came of it.
type runtimeRun struct {
	a         *app
	o         runtimeOptions
	log       *workload.Log
	entries   []runtime.Entry
	reference int // the entry that others are compared with
	tallies   []score.RunTimeTally
	users     score.RunTimeUsers
	parts     []runtimePart
	unknown   []runtime.Field // fields that no job has had
	warnings  workload.Warnings
	leftOut   []leftOutJSON
	intervals []score.RunTimeInterval
}

func runRuntime(ctx context.Context, a *app, o runtimeOptions) error {
	if err := a.notOver([]string{o.input, o.baseline}, o.predictions, o.result.output); err != nil {
		return err
	}
	var baseline *runtimeBaseline
	if o.baseline != "" {
		var err error
		if baseline, err = readRuntimeBaseline(o.baseline); err != nil {
			return err
		}
	}
	r := &runtimeRun{a: a, o: o}
	if err := r.prepare(); err != nil {
		return err
	}
	defer r.log.Close()
	// The predictions are put in place last: where there is no result, there
	// is no file.
	err := r.withPredictions(func(save func(*runtime.Row) error) error {
		if err := r.replay(ctx, save); err != nil {
			return about(o.input, err)
		}
		if err := r.settle(); err != nil {
			return err
		}
		if o.plots != "" {
			if err := r.plot(); err != nil {
				return err
			}
		}
		return a.put(o.result, r.result())
	})
	if err != nil {
		return err
	}
	return r.thresholds(baseline)
}

// prepare opens the log and makes the entries.
func (r *runtimeRun) prepare() error {
	o := &r.o
	var err error
	if r.entries, err = runtime.Entries(o.classes, o.predictors, o.rules()); err != nil {
		return err
	}
	if len(o.fallback) > 0 {
		more, err := runtime.FallbackEntries(fallbackLabel, o.fallback, o.predictors, o.rules())
		if err != nil {
			return err
		}
		r.entries = append(r.entries, more...)
	}
	against := o.against
	if against == "" {
		against = "last2,user"
	}
	r.reference = max(0, slices.IndexFunc(r.entries, func(e runtime.Entry) bool { return e.Predictor+","+e.Classes.Name == against }))
	if r.log, err = r.a.open(o.input); err != nil {
		return err
	}
	r.tallies = make([]score.RunTimeTally, len(r.entries))
	r.users.Reference = r.reference
	for _, by := range o.by {
		r.parts = append(r.parts, newRuntimePart(by, r.log))
	}
	for _, e := range r.entries {
		for _, f := range fieldsOf(e) {
			if !slices.Contains(r.unknown, f) {
				r.unknown = append(r.unknown, f)
			}
		}
	}
	return nil
}

// replay makes and scores all predictions.
func (r *runtimeRun) replay(ctx context.Context, save func(*runtime.Row) error) error {
	jobs := r.a.inOrder(ctx, r.log, &r.warnings)
	for row, err := range runtime.Replay(jobs, &r.warnings, r.entries...) {
		if err != nil {
			return err
		}
		for i, p := range row.Predictions {
			r.tallies[i].Add(p.Seconds, row.Job.Run)
		}
		if r.o.replicates > 0 {
			r.users.Add(row.Job.User, row.Predictions, row.Job.Run)
		}
		for i := range r.parts {
			r.parts[i].add(row)
		}
		if len(r.unknown) > 0 {
			r.unknown = slices.DeleteFunc(r.unknown, func(f runtime.Field) bool { return f.Known(&row.Job.Request) })
		}
		if err := save(row); err != nil {
			return err
		}
	}
	return nil
}

// settle leaves out the classes that the log has not the columns for, and
// draws the intervals.
func (r *runtimeRun) settle() error {
	r.a.warnAll(r.o.input, r.log.Warnings())
	for _, w := range r.warnings.List() {
		// Columns that the log lacks are told once, below.
		if !slices.ContainsFunc(r.unknown, func(f runtime.Field) bool { return w.Rule == "no-"+f.String() }) {
			r.a.warnAll(r.o.input, []workload.Warning{w})
		}
	}
	if r.tallies[0].Jobs() == 0 {
		return fmt.Errorf("%s: no job has a run time to score: %w", r.o.input, workload.ErrNoJobs)
	}
	r.leaveOut()
	if len(r.scored()) == 0 {
		return fmt.Errorf("%s: %s: no classes are left to score", r.o.input, r.leftOut[0].Why)
	}
	r.intervals = r.users.Intervals(r.o.replicates, intervalLevel, r.o.seed)
	return nil
}

// scored are the numbers of the entries that are not left out.
func (r *runtimeRun) scored() []int {
	var all []int
	for i, e := range r.entries {
		if r.lacks(e) == "" {
			all = append(all, i)
		}
	}
	return all
}
