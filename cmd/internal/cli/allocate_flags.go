package cli

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/workload"
)

// drawnOnly are the flags of a workload that is drawn, and logOnly those of a
// log.
var (
	drawnOnly = []string{"seeds", "seed", "days", "load", "sweep"}
	logOnly   = []string{"sigma", "log-days"}
)

func addAllocateFlags(cmd *cobra.Command, o *allocateOptions) {
	f := cmd.Flags()
	flags.Enums(cmd, &o.study.Strategies, "strategies", "strategies to compare with avg", allocate.StrategyNames())
	f.IntVar(&o.study.Seeds, "seeds", o.study.Seeds, "number of workloads to draw")
	f.Uint64Var(&o.study.FirstSeed, "seed", o.study.FirstSeed, "seed of the first workload")
	f.IntVar(&o.study.Workload.Days, "days", o.study.Workload.Days, "days of each workload")
	f.Float64Var(&o.study.Workload.Load, "load", o.study.Workload.Load, "offered load of the day: sequential time that arrives over what the machine has; above 1 predictions take ten times as long a job")
	flags.Procs(cmd, &o.processors, "processors of the machine (default: from the log's header, or 128)")
	f.Float64Var(&o.study.Sigma, "sigma", math.NaN(), "variance of parallelism that a log's rigid jobs are assumed to have")
	f.Lookup("sigma").DefValue = "0" // of which help says nothing: there is none
	f.BoolVar(&o.study.LogDays, "log-days", false, "a log's submissions are days of 24 hours, and the next morning follows from the schedule")
	flags.Enum(cmd, &o.study.Rules.Predictor, "predictor", "predictor of waits; all but downey-benefactors take a hundred times as long", allocate.Predictors())
	f.BoolVar(&o.study.Search, "search", false, "search heur's four parameters for what single jobs save most by")
	f.StringVar(&o.sweep, "sweep", "", "`parameter=value,...`: studies each value; parameters: "+strings.Join(allocate.Parameters(), ", "))
	f.StringVar(&o.perJob, "per-job", "", "write every job under every strategy to this `file`: .csv, .parquet or .arrow")
	addPlotFlags(cmd, &o.plots, "the paper's figures 1 to 5 and the sweep")
	addResultFlags(cmd, &o.result, true)
	flags.Refuse(cmd, "feedback", "allocate is always open, because it compares what each job saves with its submission held; 'loadstone simulate' and 'loadstone grid' close the loop")
	flags.Groups(cmd,
		flags.Group("Workload", "seeds", "seed", "days", "load", "sigma", "log-days"),
		flags.Group("Machine", "procs"),
		flags.Group("Strategies", "strategies", "search", "predictor"),
		flags.Group("Results", "sweep", "per-job", "plots", "plot-format", "output", "format"),
	)
	flags.Common(cmd, "strategies", "load", "days", "seeds", "procs", "sigma", "sweep", "plots", "format", "output")
	flags.Brief(cmd, map[string]string{
		"strategies": "strategies to compare with avg, such as opt,bias (default: all)",
		"load":       "offered load of the day",
		"sweep":      "`parameter=value,...`: study each value, such as load=0.5,0.75",
	})
}

// check finds the faults of options that are out of range or at odds.
func (o *allocateOptions) check(cmd *cobra.Command) error {
	if err := flags.CheckProcs(cmd, o.processors); err != nil {
		return err
	}
	s := &o.study
	if o.processors > 0 {
		s.Workload.Processors = int(min(o.processors, math.MaxInt32))
	}
	if cmd.Flags().Changed("sigma") && math.IsNaN(s.Sigma) {
		return flags.Usagef(cmd, "--sigma NaN: want a number from 0 to 1e6")
	}
	var fault *workload.OptionError
	err := s.Validate()
	if errors.As(err, &fault) {
		return flags.OptionFault(cmd, err)
	}
	if err := o.checkUse(cmd); err != nil {
		return err
	}
	if err != nil && o.input == "" {
		return flags.Usage(cmd, err)
	}
	if cmd.Flags().Changed("sweep") {
		return o.parseSweep(cmd)
	}
	return nil
}

// checkUse finds flags that were given and would change nothing.
func (o *allocateOptions) checkUse(cmd *cobra.Command) error {
	unused := func(what string, names ...string) error {
		for _, name := range names {
			if cmd.Flags().Changed(name) {
				return flags.Usagef(cmd, "--%s is for %s", name, what)
			}
		}
		return nil
	}
	if o.input != "" {
		if err := unused("a workload that is drawn, and "+o.input+" is a log", drawnOnly...); err != nil {
			return err
		}
	} else if err := unused("a log, and none is given", logOnly...); err != nil {
		return err
	}
	predicting := forecasting(allocate.Predicted, allocate.Unbiased)
	if !slices.ContainsFunc(predicting, func(s string) bool { return slices.Contains(o.study.Strategies, s) }) {
		if err := unused("pred and bias, and --strategies are "+strings.Join(o.study.Strategies, ", "), "predictor"); err != nil {
			return err
		}
	}
	if o.study.Search && o.sweep != "" {
		return flags.Usagef(cmd, "--search and --sweep: want one of them, since a search is of one setting")
	}
	return nil
}

// forecasting are the strategies of such foresight.
func forecasting(of ...allocate.Foresight) []string {
	var names []string
	for _, s := range allocate.Strategies() {
		if slices.Contains(of, s.Foresight) {
			names = append(names, s.Name)
		}
	}
	return names
}

func (o *allocateOptions) parseSweep(cmd *cobra.Command) error {
	name, list, ok := strings.Cut(o.sweep, "=")
	if !ok || !slices.Contains(allocate.Parameters(), name) {
		return flags.Usagef(cmd, "--sweep: saw %q, want PARAMETER=VALUE,..., with one of %s", o.sweep, strings.Join(allocate.Parameters(), ", "))
	}
	if cmd.Flags().Changed(name) {
		return flags.Usagef(cmd, "--%s and --sweep %s: want one of them", name, name)
	}
	o.study.Parameter = name
	for _, text := range strings.Split(list, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		x += 0 // -0 is 0
		if err != nil || math.IsNaN(x) || slices.Contains(o.study.Values, x) {
			return flags.Usagef(cmd, "--sweep %s: saw %q, want numbers, each once", name, text)
		}
		study := o.study
		study.Values = []float64{x}
		if err := study.Validate(); err != nil {
			return flags.Usagef(cmd, "--sweep %s=%s: %w", name, strings.TrimSpace(text), err)
		}
		o.study.Values = append(o.study.Values, x)
	}
	return nil
}
