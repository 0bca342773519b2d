package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/workload"
)

type allocateOptions struct {
	oneLog // none where the workload is drawn
	allocate.Options
	Processors int64         `opt:"procs" in:"[1,1048576]" group:"Machine" common:"true" help:"processors of the machine (default: from the log's header, or 128)"`
	Sweep      string        `opt:"sweep" not:"search" group:"Results" common:"true" help:"<parameter=value,...>: studies each value; parameters: load, procs, max-parallelism, max-sigma, max-sequential, night, classes, risk, heur-k" brief:"<parameter=value,...>: study each value, such as load=0.5,0.75"`
	PerJob     string        `opt:"per-job" file:"table" help:"write every job under every strategy to this <file>: .csv or .parquet"`
	Plots      plotOptions   `group:"Results" of:"the paper's figures and the sweep"`
	Result     resultOptions `group:"Results"`

	_ struct{} `refuse:"feedback" why:"allocate is always open, because it compares what each job saves with its submission held; 'loadstone simulate' and 'loadstone grid' close the loop"`
}

func (o *allocateOptions) args(args []string) error {
	if len(args) == 0 {
		return nil
	}
	return o.oneLog.args(args)
}

// check finds flags that were given and would change nothing, and reads --sweep.
func (o *allocateOptions) check(a *app) error {
	if o.Processors > 0 {
		o.Workload.Processors = int(o.Processors)
	}
	unused, is := []string{"seeds", "seed", "days", "load", "sweep"}, "a workload that is drawn, and "+o.input+" is a log"
	if o.input == "" {
		unused, is = []string{"sigma", "log-days"}, "a log, and none is given"
	}
	for _, name := range unused {
		if a.given(name) {
			return flags.Usagef("--%s is for %s", name, is)
		}
	}
	predicts := func(s allocate.Strategy) bool {
		return (s.Foresight == allocate.Predicted || s.Foresight == allocate.Unbiased) && slices.Contains(o.Strategies, s.Name)
	}
	if a.given("predictor") && !slices.ContainsFunc(allocate.Strategies(), predicts) {
		return flags.Usagef("--predictor is for pred and bias, and --strategies are %s", strings.Join(o.Strategies, ", "))
	}
	if o.Sweep == "" {
		return nil
	}
	return o.parseSweep(a)
}

// Validate checks the study. For a log, faults of the drawn workload are ignored.
func (o *allocateOptions) Validate() error {
	err := o.Options.Validate()
	switch {
	case errors.As(err, new(*workload.OptionError)):
		return err
	case o.input != "":
		return nil
	}
	return flags.Usage(err)
}

// parseSweep reads --sweep.
func (o *allocateOptions) parseSweep(a *app) error {
	name, list, ok := strings.Cut(o.Sweep, "=")
	if !ok || !slices.Contains(allocate.Parameters(), name) {
		return flags.Usagef("--sweep: saw %q, want PARAMETER=VALUE,..., with one of %s", o.Sweep, strings.Join(allocate.Parameters(), ", "))
	}
	if a.given(name) {
		return flags.Usagef("--%s and --sweep %s: want one of them", name, name)
	}
	o.Parameter = name
	for _, text := range strings.Split(list, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		x += 0 // -0 is 0
		if err != nil || math.IsNaN(x) || slices.Contains(o.Values, x) {
			return flags.Usagef("--sweep %s: saw %q, want numbers, each once", name, text)
		}
		study := o.Options
		study.Values = []float64{x}
		if err := study.Validate(); err != nil {
			return flags.Usagef("--sweep %s=%s: %w", name, strings.TrimSpace(text), err)
		}
		o.Values = append(o.Values, x)
	}
	return nil
}

func (o *allocateOptions) run(ctx context.Context, a *app) (*findings, error) {
	study := o.Options
	study.Keep = study.Keep || o.Plots.Folder != ""
	advice := "fewer --days, --seeds or --strategies take less"
	if o.input != "" {
		log, err := a.open(o.input)
		if err != nil {
			return nil, err
		}
		defer log.Close()
		if _, err := machine(o.input, &log.Header, o.Processors); err != nil {
			return nil, err
		}
		study.Log, study.OfHeader = log, o.Processors == 0
		advice = "fewer --strategies take less"
	}
	var end func()
	study.Simulated, end = a.progress.Work("simulating", "simulations", study.Simulations())
	defer end()
	study.Expected = func(jobs, seconds float64) {
		if seconds >= longStudy {
			a.warn("%.3g jobs are to be studied: some %s of one core; %s", jobs, longTime(seconds), advice)
		}
	}
	var r *allocate.Result
	err := savePlain(a, "per-job", o.PerJob, tables.AllocatedJobs, func(save func(allocate.PlacedJob) error) (err error) {
		study.Placed = save
		r, err = allocate.Compute(ctx, study)
		return err
	})
	found := &findings{about: o.input}
	if r != nil {
		found.remarks = view.Warnings(r.Warnings)
	}
	if errors.Is(err, allocate.ErrRigid) && study.Sigma == nil {
		err = fmt.Errorf("%w: '--sigma 1' assumes one", err)
	}
	if err != nil {
		return found, about(o.input, err)
	}
	found.plots = func() []figure.Spec { return figure.OfAllocation(r) }
	found.result = tables.Allocation(r)
	return found, nil
}

// longStudy is the time, in seconds, from which on one is warned of it.
const longStudy = 600

// longTime is an estimate of a time from minutes on, for people.
func longTime(seconds float64) string {
	switch {
	case seconds < 2*3600:
		return fmt.Sprintf("%.0f minutes", seconds/60)
	case seconds < 10*3600:
		return fmt.Sprintf("%.1f hours", seconds/3600)
	}
	return fmt.Sprintf("%.0f hours", seconds/3600)
}
