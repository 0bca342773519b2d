package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/model"
)

// readFrom takes the options from the header of a log that generate made.
func (a *app) readFrom(cmd *cobra.Command, o *generateOptions) error {
	log, err := a.open(o.from)
	if err != nil {
		return err
	}
	header := log.Header.Clone()
	if err := log.Close(); err != nil {
		return err
	}
	recipe, err := generate.ReadRecipe(header)
	if err != nil {
		return about(o.from, fmt.Errorf("%w; 'loadstone generate' writes both, and convert keeps them", err))
	}
	if err := readRecipe(cmd, recipe.Flags); err != nil {
		return fmt.Errorf("%s: its header says that it was made with %q, which this version does not know: %w", o.from, recipe.Flags, err)
	}
	o.make.Start, o.make.By = recipe.Start, recipe.By
	o.recipe = &recipe.Site
	if by := "loadstone " + version.Number; recipe.By != by {
		o.make.By = recipe.By
		a.warn("%s: made by %s, and this is %s: the jobs may not be the same", o.from, orUnknown(recipe.By), by)
	}
	return nil
}

// recipeFlags are the flags that a header may hold: those that generate writes
// there. A header is input: it names no file and chooses no output.
var recipeFlags = []string{
	"jobs", "days", "procs", "load", "method", "cycle", "week", "bursts", "bag-size", "users", "sessions",
	"estimates", "estimate-factor", "max-estimate", "seed",
}

// readRecipe sets the flags of a header, each of which is one of recipeFlags and
// stands there once.
func readRecipe(cmd *cobra.Command, words []string) error {
	seen := map[string]bool{}
	for i := 0; i < len(words); i++ {
		name, ok := strings.CutPrefix(words[i], "--")
		if !ok || !slices.Contains(recipeFlags, name) {
			return fmt.Errorf("saw %q, want one of --%s", words[i], strings.Join(recipeFlags, ", --"))
		}
		if seen[name] {
			return fmt.Errorf("saw --%s twice", name)
		}
		seen[name] = true
		value := "true"
		if name != "sessions" {
			if i++; i == len(words) {
				return fmt.Errorf("--%s has no value", name)
			}
			value = words[i]
		}
		if err := cmd.Flags().Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

func orUnknown(by string) string {
	if by == "" {
		return "a version that its header does not name"
	}
	return by
}

// siteOf is the model to generate from.
func (a *app) siteOf(o generateOptions) (model.Site, error) {
	if o.recipe != nil {
		return *o.recipe, nil
	}
	set := o.set
	if slices.ContainsFunc(stillMissing(o.model, set), func(m model.Missing) bool { return m.Path == "processors" }) && o.make.Processors > 0 {
		set = append(slices.Clip(set), "processors="+strconv.FormatInt(o.make.Processors, 10))
	}
	return a.loadEdited(o.model, set)
}
