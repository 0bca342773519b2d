package cli

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	users "github.com/loadstone-hpc/loadstone/generate/population"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// modelOfUsers reads a model of users, with the fields of --set as they are set. It
// is nil where the file is another model or no file.
func (a *app) modelOfUsers(name string, sets []string) (*population.Model, error) {
	if name == "" {
		return nil, nil
	}
	text, err := a.modelText(name)
	if err != nil || !population.IsModel(text) {
		return nil, nil // errors are reported where other models are read
	}
	if text, err = withSet(a.cmd, text, sets); err != nil {
		return nil, err
	}
	m, err := population.Decode(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &m, nil
}

// insteadOf says what to do in the place of a flag that is for models of laws.
var insteadOf = map[string]string{
	"estimates": "the model has the estimates of the log's users; take the part estimates out for none",
}

// checkUsers refuses flags that do not go with a model of users.
func (o *generateOptions) checkUsers(cmd *cobra.Command) error {
	for _, name := range without(ofModel, append(sharedFlags, "set", "start")) {
		if cmd.Flags().Changed(name) {
			instead := insteadOf[name]
			if instead == "" {
				instead = "'loadstone fit LOG --form lublin2003' makes a model that it goes with"
			}
			return flags.Usagef("--%s does not go with %s, a model of users: %s", name, o.ModelName, instead)
		}
	}
	return nil
}

// runUsers draws jobs from a model of users.
func runUsers(ctx context.Context, a *app, o generateOptions) error {
	if err := a.notOver([]string{o.ModelName}, o.Jobs.Output); err != nil {
		return err
	}
	a.warnOfCheck(o.ModelName, o.users.Check)
	make := users.Options{Days: o.Make.Days, Jobs: o.Make.Jobs, Load: o.Make.Load, Seed: o.Make.Seed, Processors: o.Make.Processors}
	if o.Load.times > 0 {
		make.Load = o.Load.times * o.users.Log.Load
	}
	if o.Start != "" {
		var err error
		if make.Start, err = a.startOf(o.Start); err != nil {
			return err
		}
	}
	w, err := users.New(*o.users, make)
	if err != nil {
		return err
	}
	a.expected = o.Make.Jobs
	var made users.Made
	header := func() workload.Header { return w.Header(&made, "loadstone "+version.Number) }
	if err := a.putChanged(ctx, o.Jobs, header(), w.Optional(), w.Counted(ctx, &made), header); err != nil {
		return err
	}
	if made.Jobs == 0 {
		a.warn("no job is submitted in so short a time: the log would be empty")
		return nil
	}
	a.note("offered load: %s on %d %s; the log's is %s", view.Sig(made.Load()), w.Processors(), w.Unit(), view.Sig(o.users.Log.Load))
	if make.Load > 0 && math.Abs(made.Load()/make.Load-1) > loadTolerance {
		a.warn("the load is not within .5 %% of the %s asked for: few jobs have most of the work; ask for more jobs or days", view.Sig(make.Load))
	}
	return nil
}
