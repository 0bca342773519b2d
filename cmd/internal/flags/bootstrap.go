package flags

import "github.com/spf13/cobra"

// Bootstrap adds --replicates and --seed; by is what is drawn, also
// what else the seed is of.
func Bootstrap(cmd *cobra.Command, replicates *int, seed *uint64, by, also string) {
	cmd.Flags().IntVar(replicates, "replicates", 1000, "draws of the bootstrap by "+by+", 39 or more; 0 for none")
	cmd.Flags().Uint64Var(seed, "seed", 1, "seed of the bootstrap"+also)
}
