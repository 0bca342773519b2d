package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/sched"
)

// check reads the sites and finds options that are out of range or at odds.
func (o *simulateOptions) check(cmd *cobra.Command, sites string) error {
	if err := flags.CheckProcs(cmd, o.Processors); err != nil {
		return err
	}
	var err error
	if o.Sites, err = parseSites(sites); err != nil {
		return flags.Usagef(cmd, "--sites: %w", err)
	}
	if o.machine != "" {
		data, err := flags.ReadFile(o.machine)
		if err != nil {
			return err
		}
		if o.Cluster, err = sched.DecodeCluster(o.machine, data); err != nil {
			return err
		}
	}
	switch {
	case o.jobs.output != "" && o.jobs.format == "swf":
		return flags.Usagef(cmd, "%s: --format %s prints the log on standard output: use one of them", o.jobs.output, o.jobs.format)
	case cmd.Flags().Changed("classes") && !o.Classed():
		return flags.Usagef(cmd, "--classes is for predictors that learn by classes, and --estimates is %s", o.Estimates)
	}
	return flags.OptionFaultOr(cmd, o.Validate())
}

// parseSites reads the sizes of sites; "all" is none of them, nil is no sites.
func parseSites(text string) (map[int64]int64, error) {
	switch text {
	case "":
		return nil, nil
	case "all":
		return map[int64]int64{}, nil
	}
	sites := map[int64]int64{}
	for _, item := range strings.Split(text, ",") {
		name, size, _ := strings.Cut(strings.TrimSpace(item), "=")
		partition, errName := strconv.ParseInt(name, 10, 64)
		n, errSize := strconv.ParseInt(size, 10, 64)
		if _, twice := sites[partition]; errName != nil || errSize != nil || n < 1 || twice {
			return nil, fmt.Errorf("saw %q, want all, or partitions with their processors, each once, such as 1=64,2=128", item)
		}
		sites[partition] = n
	}
	return sites, nil
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
