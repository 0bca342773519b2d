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

// check finds the faults of options that are out of range or at odds.
func (o *allocateOptions) check(cmd *cobra.Command) error {
	s := &o.Options
	if o.Processors > 0 {
		s.Workload.Processors = int(o.Processors)
	}
	var fault *workload.OptionError
	err := s.Validate()
	if errors.As(err, &fault) {
		return err
	}
	if err := o.checkUse(cmd); err != nil {
		return err
	}
	if err != nil && o.input == "" {
		return flags.Usage(err)
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
				return flags.Usagef("--%s is for %s", name, what)
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
	if !slices.ContainsFunc(predicting, func(s string) bool { return slices.Contains(o.Strategies, s) }) {
		if err := unused("pred and bias, and --strategies are "+strings.Join(o.Strategies, ", "), "predictor"); err != nil {
			return err
		}
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
	name, list, ok := strings.Cut(o.Sweep, "=")
	if !ok || !slices.Contains(allocate.Parameters(), name) {
		return flags.Usagef("--sweep: saw %q, want PARAMETER=VALUE,..., with one of %s", o.Sweep, strings.Join(allocate.Parameters(), ", "))
	}
	if cmd.Flags().Changed(name) {
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
