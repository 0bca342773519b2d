package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
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
		fault := noPlace
		if name == "plots" || cmd.Name() == "demo" {
			fault = folderFault
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
	if plots == nil || !plots.Changed {
		return nil
	}
	folder := place(plots.Value.String()) + string(filepath.Separator)
	for _, name := range outputFlags {
		f := cmd.Flag(name)
		if f != nil && f.Changed && strings.HasPrefix(folder, place(f.Value.String())+string(filepath.Separator)) {
			return flags.Usagef(cmd, "--plots %s: --%s %s is another output too: want another folder for the pictures", plots.Value, name, f.Value)
		}
	}
	return nil
}

// noPlace says why there is no place for a file.
func noPlace(path string) error {
	folder := filepath.Dir(path)
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: the folder %s does not exist", path, folder)
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s: %s is not a folder", path, folder)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s: is a directory, want a file to write", path)
	}
	return nil
}

// folderFault says whether a folder cannot be made, as far as can be told
// without making it.
func folderFault(path string) error {
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		info, err := os.Stat(p)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s: cannot be a folder: %s is a file", path, p)
		case err == nil || p == filepath.Dir(p):
			return nil
		}
	}
}

// noOtherOutput refuses what would make a command write more than the picture
// that 'plot' asks it for.
func noOtherOutput(plot, cmd *cobra.Command) error {
	for _, name := range append([]string{"format"}, outputFlags...) {
		if f := cmd.Flag(name); f != nil && f.Changed {
			return flags.Usagef(plot, "--%s behind --: 'plot' writes the picture and nothing else", name)
		}
	}
	return nil
}
