package flags

import "github.com/spf13/cobra"

// Procs adds --procs; CheckProcs has the usage error.
func Procs(cmd *cobra.Command, processors *int64, what string) {
	cmd.Flags().Int64Var(processors, "procs", 0, what)
}

func CheckProcs(cmd *cobra.Command, processors int64) error {
	if cmd.Flags().Changed("procs") && processors < 1 {
		return Usagef(cmd, "--procs %d: want 1 or more", processors)
	}
	return nil
}
