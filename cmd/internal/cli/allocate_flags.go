package cli

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// drawnOnly are the flags of a workload that is drawn, and logOnly those of a
// log.
var (
	drawnOnly = []string{"seeds", "seed", "days", "load", "max-parallelism", "max-sigma", "max-sequential", "sweep"}
	logOnly   = []string{"sigma", "log-days"}
)

func addAllocateFlags(cmd *cobra.Command, o *allocateOptions) {
	f := cmd.Flags()
	enumsFlag(cmd, &o.strategies, "strategies", "strategies to compare with avg", allocateNames())
	f.IntVar(&o.seeds, "seeds", 20, "workloads to draw")
	f.Uint64Var(&o.seed, "seed", 1, "the first of their seeds")
	f.IntVar(&o.workload.Days, "days", o.workload.Days, "days of each")
	f.Float64Var(&o.workload.Load, "load", o.workload.Load, "offered load of the day: sequential time that arrives over what the machine has; above 1 predictions take ten times as long a job")
	procsFlag(cmd, &o.processors, "processors of the machine (default 128; a log's header's)")
	f.Float64Var(&o.workload.MaxParallelism, "max-parallelism", o.workload.MaxParallelism, "largest average parallelism")
	f.Float64Var(&o.workload.MaxSigma, "max-sigma", o.workload.MaxSigma, "largest variance of parallelism")
	f.Float64Var(&o.workload.MaxSequential, "max-sequential", o.workload.MaxSequential, "longest sequential time, in s")
	f.Lookup("max-sequential").DefValue = "e^12, 162755" // and not its seventeen digits
	enumFlag(cmd, &o.rounding, "rounding", "the whole number that stands for a job's average parallelism", allocate.Roundings())
	f.Float64Var(&o.night, "night", 12, "least hours of a night, which also lasts until the queue is empty")
	f.Float64Var(&o.sigma, "sigma", math.NaN(), "variance of parallelism that a log's rigid jobs are assumed to have")
	f.Lookup("sigma").DefValue = "0" // of which help says nothing: there is none
	f.BoolVar(&o.logDays, "log-days", false, "a log's submissions are days of 24 hours, and the next morning follows from the schedule")
	enumFlag(cmd, &o.lifetimes, "lifetimes", "law of running jobs' lifetimes: from the shortest to the longest run time of avg's schedule, its least-squares line, or of sequential times", allocate.LifetimeSources())
	f.IntVar(&o.rules.Classes, "classes", 1, "equally likely classes of sequential time that users tell apart")
	o.rules.Predictor = predict.DowneyBenefactors{}.Name()
	enumFlag(cmd, &o.rules.Predictor, "predictor", "predictor of waits; all but downey-benefactors take a hundred times as long", allocate.Predictors())
	enumFlag(cmd, &o.sizes, "sizes", "sizes that a job considers: all up to A; A, A/2, A/4, ...; or A", allocate.SizeRules())
	enumFlag(cmd, &o.correction, "correction", "outcomes by which bias corrects: those known so far, or all of a first run", allocate.Corrections())
	f.BoolVar(&o.rules.AtEnds, "at-ends", false, "rebels reconsider also when a job ends")
	f.Float64Var(&o.risk, "risk", 0.2, "bias-lock-risk: share of its run time that a rebel expects to save")
	f.Float64Var(&o.minShare, "min-share", 0.4, "avg-min: share of its parallelism that a job waits for")
	f.Float64Var(&o.heuristic.LThresh, "heur-sequential", o.heuristic.LThresh, "heur: jobs with a longer sequential time hold out, in s")
	f.Float64Var(&o.heuristic.AThresh, "heur-parallelism", o.heuristic.AThresh, "heur: jobs with a larger parallelism hold out")
	f.Float64Var(&o.heuristic.F, "heur-fraction", o.heuristic.F, "heur: share of its parallelism that a job holds out for")
	f.Float64Var(&o.heuristic.K, "heur-k", o.heuristic.K, "heur: share of what it would save that a job waits")
	f.BoolVar(&o.search, "search", false, "search heur's four parameters for what single jobs save most by")
	f.StringVar(&o.sweep, "sweep", "", "`parameter=value,...`: studies each value; parameters: "+strings.Join(allocate.Parameters(), ", "))
	f.StringVar(&o.perJob, "per-job", "", "write every job under every strategy to this file: .csv, .parquet or .arrow")
	f.StringVar(&o.plots, "plots", "", "draw the paper's figures 1 to 5, and the sweep, into this folder, as SVG")
	addResultFlags(cmd, &o.result, true)
	groupFlags(cmd,
		flagGroup{"Workload", []string{"seeds", "seed", "days", "load", "max-parallelism", "max-sigma", "max-sequential", "sigma", "log-days"}},
		flagGroup{"Machine", []string{"procs", "rounding", "night"}},
		flagGroup{"Strategies", []string{"strategies", "risk", "min-share", "heur-sequential", "heur-parallelism", "heur-fraction", "heur-k", "search"}},
		flagGroup{"Predictions", []string{"lifetimes", "classes", "predictor", "correction", "sizes", "at-ends"}},
		flagGroup{"Results", []string{"sweep", "per-job", "plots", "output", "format"}},
	)
	rare(cmd, "max-parallelism", "max-sigma", "max-sequential", "rounding", "night",
		"heur-sequential", "heur-parallelism", "heur-fraction", "heur-k",
		"lifetimes", "predictor", "correction", "sizes", "at-ends", "classes")
}

// check finds the faults of options that are out of range or at odds.
func (o *allocateOptions) check(cmd *cobra.Command) error {
	if err := o.checkNumbers(cmd); err != nil {
		return err
	}
	if err := o.checkUse(cmd); err != nil {
		return err
	}
	if o.processors > 0 {
		o.workload.Processors = int(o.processors)
	}
	o.rules.Lifetimes, o.rules.Sizes = allocate.LifetimeSource(o.lifetimes), allocate.Sizes(o.sizes)
	o.rules.Correction = allocate.Correction(o.correction)
	if o.input == "" {
		if err := o.workload.Validate(); err != nil {
			return &usageError{cmd, err}
		}
	}
	study := o.study()
	if err := study.Validate(); err != nil {
		return &usageError{cmd, err}
	}
	if cmd.Flags().Changed("sweep") {
		return o.parseSweep(cmd)
	}
	return nil
}

// checkNumbers finds what is out of range, whether or not it is used.
func (o *allocateOptions) checkNumbers(cmd *cobra.Command) error {
	if err := checkProcs(cmd, o.processors); err != nil {
		return err
	}
	h := o.heuristic
	atLeast0 := func(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
	switch {
	case o.processors > allocate.MaxProcessors:
		return usagef(cmd, "--procs %d: want at most %d", o.processors, allocate.MaxProcessors)
	case o.seeds < 1 || o.seeds > allocate.MaxSeeds:
		return usagef(cmd, "--seeds %d: want 1 to %d", o.seeds, allocate.MaxSeeds)
	case o.seed > math.MaxInt64-allocate.MaxSeeds:
		return usagef(cmd, "--seed %d: want at most %d", o.seed, int64(math.MaxInt64-allocate.MaxSeeds))
	case cmd.Flags().Changed("sigma") && !(o.sigma >= 0 && o.sigma <= 1e6):
		return usagef(cmd, "--sigma %g: want a number from 0 to 1e6", o.sigma)
	case !(o.night >= 0 && o.night <= 1e6):
		return usagef(cmd, "--night %g: want hours from 0 to 1e6", o.night)
	case o.rules.Classes < 1 || o.rules.Classes > allocate.MaxClasses:
		return usagef(cmd, "--classes %d: want 1 to %d", o.rules.Classes, allocate.MaxClasses)
	case !(o.risk >= 0 && o.risk <= 1):
		return usagef(cmd, "--risk %g: want a share from 0 to 1", o.risk)
	case !(o.minShare >= 0 && o.minShare <= 1):
		return usagef(cmd, "--min-share %g: want a share from 0 to 1", o.minShare)
	case !atLeast0(h.LThresh):
		return usagef(cmd, "--heur-sequential %g: want seconds from 0 on", h.LThresh)
	case !atLeast0(h.AThresh):
		return usagef(cmd, "--heur-parallelism %g: want a number from 0 on", h.AThresh)
	case !(h.F > 0 && h.F <= 1):
		return usagef(cmd, "--heur-fraction %g: want a share above 0, at most 1", h.F)
	case !atLeast0(h.K):
		return usagef(cmd, "--heur-k %g: want a number from 0 on", h.K)
	}
	return nil
}

// checkUse finds flags that were given and would change nothing.
func (o *allocateOptions) checkUse(cmd *cobra.Command) error {
	unused := func(what string, names ...string) error {
		for _, name := range names {
			if cmd.Flags().Changed(name) {
				return usagef(cmd, "--%s is for %s", name, what)
			}
		}
		return nil
	}
	if o.input != "" {
		if err := unused("a workload that is drawn, and "+o.input+" is a log", drawnOnly...); err != nil {
			return err
		}
		if !o.logDays {
			if err := unused("days, and "+o.input+" has them with --log-days only", "night"); err != nil {
				return err
			}
		}
	} else if err := unused("a log, and none is given", logOnly...); err != nil {
		return err
	}
	chosen := strings.Join(o.strategies, ", ")
	for _, x := range []struct {
		what  string
		any   []string // strategies
		flags []string
	}{
		{"bias-lock-risk", []string{"bias-lock-risk"}, []string{"risk"}},
		{"avg-min", []string{"avg-min"}, []string{"min-share"}},
		{"heur", []string{"heur"}, []string{"heur-sequential", "heur-parallelism", "heur-fraction", "heur-k"}},
		{"bias", forecasting(allocate.Unbiased), []string{"correction"}},
		{"pred and bias", forecasting(allocate.Predicted, allocate.Unbiased), []string{"lifetimes", "classes", "predictor", "sizes", "at-ends"}},
	} {
		if !slices.ContainsFunc(x.any, func(s string) bool { return slices.Contains(o.strategies, s) }) {
			if err := unused(x.what+", and --strategies are "+chosen, x.flags...); err != nil {
				return err
			}
		}
	}
	if o.search && o.sweep != "" {
		return usagef(cmd, "--search and --sweep: want one of them, since a search is of one setting")
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
		return usagef(cmd, "--sweep: saw %q, want PARAMETER=VALUE,..., with one of %s", o.sweep, strings.Join(allocate.Parameters(), ", "))
	}
	if cmd.Flags().Changed(name) {
		return usagef(cmd, "--%s and --sweep %s: want one of them", name, name)
	}
	o.parameter = name
	for _, text := range strings.Split(list, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		x += 0 // -0 is 0
		if err != nil || math.IsNaN(x) || slices.Contains(o.values, x) {
			return usagef(cmd, "--sweep %s: saw %q, want numbers, each once", name, text)
		}
		if _, _, err := allocate.Vary(o.workload, o.study(), name, x); err != nil {
			return usagef(cmd, "--sweep %s=%s: %w", name, strings.TrimSpace(text), err)
		}
		o.values = append(o.values, x)
	}
	return nil
}

// study is what the options ask for.
func (o *allocateOptions) study() allocate.Study {
	s := allocate.Study{
		Machine: allocate.Machine{Processors: o.workload.Processors, Rounding: allocate.Rounding(o.rounding), Day: allocate.HalfDay, Night: 3600 * o.night},
		Rules:   o.rules,
		Keep:    o.perJob != "" || o.plots != "",
	}
	if o.input != "" && !o.logDays {
		s.Machine.Open = true
	}
	for _, x := range allocate.Strategies() {
		if !slices.Contains(o.strategies, x.Name) {
			continue
		}
		switch {
		case x.RiskAversion > 0:
			x.RiskAversion = o.risk
		case x.MinShare > 0:
			x.MinShare = o.minShare
		case x.Foresight == allocate.Tuned:
			x.Heuristic = o.heuristic
		}
		s.Strategies = append(s.Strategies, x)
	}
	return s
}
