package flags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Use says which predictors read a flag.
type Use struct {
	Flag       string
	Predictors []string
}

// CheckUsed refuses a flag that was given and that none of the predictors reads.
func CheckUsed(cmd *cobra.Command, uses []Use, predictors []string) error {
	for _, u := range uses {
		reads := func(name string) bool { return slices.Contains(u.Predictors, name) }
		if cmd.Flags().Changed(u.Flag) && !slices.ContainsFunc(predictors, reads) {
			return Usagef(cmd, "--%s has no effect on %s: want one of --predictors %s with it", u.Flag, strings.Join(predictors, ", "), strings.Join(u.Predictors, ", "))
		}
	}
	return nil
}
