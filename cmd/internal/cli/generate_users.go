package cli

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	users "github.com/loadstone-hpc/loadstone/generate/population"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// modelOfUsers reads a model of users. It is nil where the file, which must not
// be standard input, is none: another model, or no file.
func modelOfUsers(name string) (*population.Model, error) {
	if name == "" || name == "-" || slices.Contains(publishedNames(), name) {
		return nil, nil
	}
	text, err := flags.ReadFile(name)
	if err != nil {
		return nil, nil // said where the other models are read
	}
	if !population.IsModel(text) {
		return nil, nil
	}
	m, err := population.Decode(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &m, nil
}

// checkUsers refuses flags that do not go with a model of users.
func (o *generateOptions) checkUsers(cmd *cobra.Command) error {
	for _, name := range append(without(ofModel, []string{"jobs", "days", "load", "seed"}), "check", "users-factor", "weeks") {
		if cmd.Flags().Changed(name) {
			return flags.Usagef(cmd, "--%s does not go with %s, a model of users", name, o.model)
		}
	}
	for name, zero := range map[string]bool{"days": o.make.Days == 0, "jobs": o.make.Jobs == 0, "load": o.make.Load == 0} {
		if zero && cmd.Flags().Changed(name) {
			return flags.Usagef(cmd, "--%s 0: want a number above 0", name)
		}
	}
	return nil
}

// runUsers draws jobs from a model of users.
func runUsers(ctx context.Context, a *app, o generateOptions) error {
	if err := a.notOver([]string{o.model}, o.jobs.output); err != nil {
		return err
	}
	w, err := users.New(*o.users, users.Options{Days: o.make.Days, Jobs: o.make.Jobs, Load: o.make.Load, Seed: o.make.Seed})
	if err != nil {
		return err
	}
	a.expected = o.make.Jobs
	var made users.Made
	header := func() workload.Header { return w.Header(&made, "loadstone "+version.Number) }
	if err := a.putChanged(ctx, o.jobs, w.Counted(ctx, &made), header); err != nil {
		return err
	}
	if made.Jobs == 0 {
		a.warn("no job is submitted in so short a time: the log is empty")
		return nil
	}
	a.note("offered load: %s on %d processors; the log's is %s", present.Sig(made.Load()), o.users.Processors, present.Sig(o.users.Log.Load))
	return nil
}
