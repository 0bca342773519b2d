package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/generate"
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
	if err := cmd.Flags().Parse(recipe.Flags); err != nil {
		return fmt.Errorf("%s: its header says that it was made with %q, which this version does not know: %w", o.from, recipe.Flags, err)
	}
	o.make.Start, o.make.By = recipe.Start, recipe.By
	o.recipe = &recipe.Site
	if by := "loadstone " + version; recipe.By != by {
		o.make.By = recipe.By
		a.warn("%s: made by %s, and this is %s: the jobs may not be the same", o.from, orUnknown(recipe.By), by)
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
	return a.loadEdited(o.model, o.set)
}
