package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// newVersionCmd makes the command that git, go and kubectl have beside the flag --version.
func newVersionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:    "version",
		Short:  "Print the version, as --version does",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(a.Out, "loadstone version %s\n", cmd.Root().Version)
			return err
		},
	}
}
