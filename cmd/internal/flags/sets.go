package flags

import "github.com/spf13/cobra"

// Unused refuses flags that a mode does not use.
func Unused(cmd *cobra.Command, mode string, names ...string) error {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return Usagef(cmd, "--%s does not go with %s", name, mode)
		}
	}
	return nil
}

// Changed are the flags among some that were given.
func Changed(cmd *cobra.Command, names []string) (given []string) {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			given = append(given, name)
		}
	}
	return given
}
