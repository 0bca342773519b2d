package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/sched"
)

// check reads the machine and finds options that are out of range or at odds.
func (o *simulateOptions) check(cmd *cobra.Command) error {
	if o.Machine != "" {
		data, err := flags.ReadFile(o.Machine)
		if err != nil {
			return err
		}
		if o.Cluster, err = sched.DecodeCluster(o.Machine, data); err != nil {
			return err
		}
	}
	switch {
	case o.Output != "" && o.Format == "swf":
		return flags.Usagef("%s: --format %s prints the log on standard output: use one of them", o.Output, o.Format)
	case cmd.Flags().Changed("classes") && !o.Classed():
		return flags.Usagef("--classes is for predictors that learn by classes, and --estimates is %s", o.Estimates)
	}
	return o.Validate()
}

// describe says what was simulated, for a header and for people.
func (o *simulateOptions) describe() string {
	text := fmt.Sprintf("policy %s on %d processors", o.Policy, o.Processors)
	switch {
	case o.Cluster != nil:
		text = fmt.Sprintf("policy %s on %s", o.Policy, o.Cluster)
	case o.Sites != nil && len(o.Sites) == 0:
		text = fmt.Sprintf("policy %s on %d processors a site", o.Policy, o.Processors)
	case o.Sites != nil:
		text = fmt.Sprintf("policy %s on the sites %s", o.Policy, tables.SiteSizes(o.Sites))
		if o.Processors > 0 {
			text += fmt.Sprintf(" and others of %d processors", o.Processors)
		}
	}
	if o.UsesEstimates() {
		text += ", estimates " + o.Estimates
		if o.Classed() {
			text += " by " + o.Classes
		}
		if o.Correct {
			text += ", corrected"
		}
	}
	if o.Kill {
		text += ", jobs killed at the user's estimate"
	}
	if o.Feedback {
		text += ", feedback"
	}
	return text
}
