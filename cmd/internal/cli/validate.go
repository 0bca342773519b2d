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
	FailOn string `opt:"fail-on" default:"none" common:"true" help:"exit with code 3 if the log has one of these, or worse"`
	Result resultOptions

	input string
}

// Choices are the values of options that take one of some.
func (o *validateOptions) Choices(option string) []string {
	if option == "fail-on" {
		return []string{"fault", "oddity", "none"}
	}
	return nil
}

func newValidateCmd(a *app, run func(context.Context, *app, validateOptions) error) *cobra.Command {
	var o validateOptions
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
			if err := o.Validate(); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	var names []string
	for _, r := range inspect.Rules() {
		names = append(names, r.Name)
	}
	flags.Complete(cmd, "rules", names)
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
	if err := a.notOver([]string{o.input}, o.Result.Output); err != nil {
		return err
	}
	v, err := validateLog(ctx, a, o)
	if err != nil {
		return err
	}
	if err := a.put(o.Result, tables.Validation(v)); err != nil {
		return err
	}
	switch {
	case o.FailOn == "fault" && v.Faults > 0:
		return thresholds.Unmet(o.input, []string{fmt.Sprintf("%s, and --fail-on fault", words.Counted(v.Faults, "fault"))})
	case o.FailOn == "oddity" && v.Faults+v.Oddities > 0:
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
