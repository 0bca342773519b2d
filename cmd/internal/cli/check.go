package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

type checkOptions struct {
	score.CheckOptions
	input, model string
	result       resultOptions
}

func newCheckCmd(a *app, run func(context.Context, *app, checkOptions) error) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check LOG --model MODEL",
		Short: "Check a log against a model",
		Long: `Compares the jobs of a log with a model of distributions: a published one, or
one that 'loadstone fit --form lublin2003 -o' wrote. It checks sizes, run times
(overall and by size), interarrival times, the daily cycle and the offered load.
The exit code is 3 if the log does not agree with the model.

The checks suit generated logs: they assume independent jobs, which those of
real logs are not. 'loadstone compare --schedule' compares users, bursts and
waits too.`,
		Annotations: map[string]string{flags.Details: `The tolerances follow from a false alarm rate of one in a million over all
checks, so that a log generated from the model passes. 'generate --check' runs
the same checks.`},
		Example: `  loadstone check new.swf --model laws.json
  loadstone check new.swf --model lublin1999 --load 0.7 --format json`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if o.model == "" {
				return flags.Usagef(cmd, "want --model, a model file or the name of a published model")
			}
			if !(o.Load >= 0 && o.Load <= generate.MaxLoad) || cmd.Flags().Changed("load") && o.Load == 0 {
				return flags.Usagef(cmd, "--load %g: want a number above 0, at most %g", o.Load, float64(generate.MaxLoad))
			}
			return run(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.model, "model", "", "a `model` file, or the name of a published model")
	cmd.Flags().Float64Var(&o.Load, "load", 0, "offered load that the interarrival times were scaled to")
	addResultFlags(cmd, &o.result, true)
	flags.Common(cmd, "model", "load", "format", "output")
	return cmd
}

func runCheck(ctx context.Context, a *app, o checkOptions) error {
	if err := a.notOver([]string{o.input, o.model}, o.result.output); err != nil {
		return err
	}
	if m, err := a.modelOfUsers(o.model, nil); m != nil || err != nil {
		return cmp.Or(err, wantLaws(o.model, fmt.Sprintf("'loadstone compare %s %s --replicas 20' ranks a log among those drawn from a model of users", o.input, o.model)))
	}
	site, err := a.loadModel(o.model)
	if err != nil {
		return err
	}
	log, err := a.open(o.input)
	if err != nil {
		return err
	}
	defer log.Close()
	r, err := evaluate.Check(ctx, log, site, o.CheckOptions)
	if err != nil {
		return about(o.input, err)
	}
	a.warnAll(o.input, r.Warnings)
	if err := a.put(o.result, tables.Check(r)); err != nil {
		return err
	}
	if err := checkFault("the log", r.ModelCheck); err != nil {
		return thresholds.Unmet(o.input, []string{err.Error()})
	}
	return nil
}

// checkGenerated makes a workload again and holds it against its model: what
// 'generate --check' says on standard error. A workload that is not its model's
// is an error.
func checkGenerated(ctx context.Context, a *app, w *generate.Workload) error {
	log, read := workload.NewLog(w.Site.Name, "generated")
	log.Header, read.Batches = w.Header.Clone(), workload.Batches(w.Jobs(), nil)
	r, err := evaluate.Check(ctx, log, w.Site, score.CheckOptions{Load: w.MeanLoad()})
	if err != nil {
		return err
	}
	if !a.quiet {
		a.progress.Aside(func() { err = tables.Check(r).Write(a.Err, "table") })
		if err != nil {
			return err
		}
	}
	return checkFault("the workload", r.ModelCheck)
}

// checkFault is the error of a workload that is not as the model says.
func checkFault(what string, m score.ModelCheck) error {
	failed := 0
	for _, c := range m.Checks {
		if c.Failed() {
			failed++
		}
	}
	switch {
	case failed > 0:
		return fmt.Errorf("%s does not agree with model %s: %d of %d checks failed", what, m.Model, failed, len(m.Checks))
	case !m.Agrees():
		return fmt.Errorf("model %s: none of the checks applies to this log", m.Model)
	}
	return nil
}
