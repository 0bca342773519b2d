package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// flagGroup is some of a command's flags, for its help.
type flagGroup struct {
	title string
	flags []string
}

// groupFlags orders the flags in a command's help by what they are about, for
// a command with too many to be read in the order of the alphabet. Those in no
// group come last.
func groupFlags(cmd *cobra.Command, groups ...flagGroup) {
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		var b strings.Builder
		fmt.Fprintf(&b, "Usage:\n  %s\n", cmd.UseLine())
		if cmd.HasExample() {
			fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
		}
		section := func(title, flags string) {
			if flags != "" {
				fmt.Fprintf(&b, "\n%s:\n%s", title, flags)
			}
		}
		for _, g := range groups {
			set := (&cobra.Command{}).Flags() // an empty one
			set.SortFlags = false
			for _, name := range g.flags {
				set.AddFlag(cmd.Flags().Lookup(name))
			}
			section(g.title, set.FlagUsagesWrapped(99))
		}
		// The others are those that are left when the groups' are hidden.
		for _, g := range groups {
			for _, name := range g.flags {
				f := cmd.Flags().Lookup(name)
				f.Hidden = true
				defer func() { f.Hidden = false }()
			}
		}
		section("Other flags", cmd.Flags().FlagUsagesWrapped(99))
		_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
		return err
	})
}
