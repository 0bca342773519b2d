package cli

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/output"
)

// outputFlags are the flags that name files to be written.
var outputFlags = []string{"output", "removed", "mapping", "predictions", "per-job", "placements"}

// outputFault finds outputs that cannot be written, as far as can be told
// before the work is done: one may take hours.
func outputFault(cmd *cobra.Command) error {
	if cmd.Name() == "split" { // its output is a pattern of names
		return nil
	}
	for _, name := range append([]string{"plots"}, outputFlags...) {
		f := cmd.Flag(name)
		if f == nil || !f.Changed {
			continue
		}
		fault := output.NoPlace
		if name == "plots" || cmd.Name() == "demo" {
			fault = output.FolderFault
		}
		if err := fault(f.Value.String()); err != nil {
			return err
		}
	}
	return plotsInFile(cmd)
}

// plotsInFile refuses a folder of pictures that is an output file too, or in one.
func plotsInFile(cmd *cobra.Command) error {
	plots := cmd.Flag("plots")
	if plots == nil {
		return nil
	}
	if !plots.Changed {
		return nil
	}
	folder := output.Place(plots.Value.String()) + string(filepath.Separator)
	for _, name := range outputFlags {
		f := cmd.Flag(name)
		if f != nil && f.Changed && strings.HasPrefix(folder, output.Place(f.Value.String())+string(filepath.Separator)) {
			return flags.Usagef(cmd, "--plots %s: --%s %s is another output too: want another folder for the pictures", plots.Value, name, f.Value)
		}
	}
	return nil
}
