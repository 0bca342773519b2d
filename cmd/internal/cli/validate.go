package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type validateOptions struct {
	inspect.ValidateOptions
	input  string
	failOn string
	result resultOptions
}

var failOns = []string{"fault", "oddity", "none"}

func newValidateCmd(a *app, run func(context.Context, *app, validateOptions) error) *cobra.Command {
	o := validateOptions{failOn: "none"}
	cmd := &cobra.Command{
		Use:   "validate LOG",
		Short: "Check a log for errors and oddities",
		Long: `Reads a job log once and checks every job and the header. A fault is a value
that is impossible or that the format forbids; an oddity may be correct but
deserves a look. For each rule that is broken, it prints the number of cases and
the first of them: line, job, field, the value seen and the value expected.`,
		Annotations: map[string]string{flags.Details: ruleList()},
		Example: `  loadstone validate KTH-SP2-1996.swf.gz
  loadstone validate log.swf --rules 'negative-*,submit-order' --first 100
  loadstone validate sacct.json --fail-on oddity --rules '!submit-order'
  loadstone validate log.swf --fail-on fault --format json`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if err := flags.CheckProcs(cmd, o.Processors); err != nil {
				return err
			}
			if err := flags.EachOnce(o.Rules); err != nil {
				return flags.Usagef(cmd, "--rules: %w", err)
			}
			if err := o.Validate(); err != nil {
				return flags.OptionFault(cmd, err)
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Procs(cmd, &o.Processors, "processors of the machine (default: the header's)")
	cmd.Flags().StringSliceVar(&o.Rules, "rules", nil, "check only these `rules`, or all but those after a '!': names, or patterns such as 'header-*', by commas")
	var names []string
	for _, r := range inspect.Rules() {
		names = append(names, r.Name)
	}
	flags.Complete(cmd, "rules", names)
	cmd.Flags().IntVar(&o.First, "first", 3, "number of cases to show for each rule")
	flags.Enum(cmd, &o.failOn, "fail-on", "exit with code 3 if the log has one of these, or worse", failOns)
	addResultFlags(cmd, &o.result, true)
	flags.Common(cmd, "fail-on", "first", "rules", "procs", "format", "output")
	return cmd
}

// ruleList is the table of rules for the help.
func ruleList() string {
	var b strings.Builder
	b.WriteString("Rules:\n")
	for _, r := range inspect.Rules() {
		fmt.Fprintf(&b, "  %-6s  %-29s  %s\n", r.Severity, r.Name, r.Words)
	}
	b.WriteString("  oddity  reader-...                     what only the reader of a format sees")
	return b.String()
}

func runValidate(ctx context.Context, a *app, o validateOptions) error {
	if err := a.notOver([]string{o.input}, o.result.output); err != nil {
		return err
	}
	v, err := validateLog(ctx, a, o)
	if err != nil {
		return err
	}
	if err := a.put(o.result, tables.Validation(v)); err != nil {
		return err
	}
	switch {
	case o.failOn == "fault" && v.Faults > 0:
		return thresholds.Unmet(o.input, []string{fmt.Sprintf("%s, and --fail-on fault", words.Counted(v.Faults, "fault"))})
	case o.failOn == "oddity" && v.Faults+v.Oddities > 0:
		return thresholds.Unmet(o.input, []string{fmt.Sprintf("%s and %s, and --fail-on oddity", words.Counted(v.Faults, "fault"), words.Counted(v.Oddities, "oddity"))})
	}
	return nil
}

// validateLog opens, checks and closes a log.
func validateLog(ctx context.Context, a *app, o validateOptions) (inspect.Validation, error) {
	log, err := a.open(o.input)
	if err != nil {
		return inspect.Validation{}, err
	}
	defer log.Close()
	v, err := inspect.Validate(ctx, log, o.ValidateOptions)
	return v, about(o.input, err)
}
