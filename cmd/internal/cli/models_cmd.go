package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
)

// modelsOptions are what is asked of the published models.
type modelsOptions struct {
	show   string // a model to print; "" lists all
	result resultOptions
}

func newModelsCmd(a *app) *cobra.Command {
	var o modelsOptions
	cmd := &cobra.Command{
		Use:   "models list | show NAME",
		Short: "Model files and the published models",
		Long:  modelsTopic(),
		Example: `  loadstone models list
  loadstone models show lublin2003 > mine.json`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && args[0] == "list":
				return nil
			case len(args) == 2 && args[0] == "show" && slices.Contains(publishedNames(), args[1]):
				o.show = args[1]
				return nil
			case len(args) == 2 && args[0] == "show":
				return fmt.Errorf("%q is none of %s", args[1], strings.Join(publishedNames(), ", "))
			}
			return fmt.Errorf("want list, or show and the name of a model, saw %q", args)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			switch {
			case len(args) == 0:
				return []string{"list", "show"}, cobra.ShellCompDirectiveNoFileComp
			case len(args) == 1 && args[0] == "show":
				return publishedNames(), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case o.show == "":
				return a.put(o.result, tables.Models())
			case o.result.format != "":
				return flags.Usagef(cmd, "--format is for list: show prints a model file")
			}
			return a.showModel(o.show, o.result.output)
		},
	}
	flags.Enum(cmd, &o.result.format, "format", "form of the list on standard output (default table)", present.Forms())
	cmd.Flags().StringVarP(&o.result.output, "output", "o", "", "write the list, as the extension says, or the model to this file")
	return cmd
}
