package cli

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/output"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// addPredictionsFlag adds --predictions.
func addPredictionsFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "predictions", "", "write every prediction to this file: .csv .parquet .arrow")
}

// checkPlain finds a usage error of a flag that names a file for savePlain.
func checkPlain(cmd *cobra.Command, flag, path string) error {
	if path == "" {
		return nil
	}
	_, err := output.PlainFormat(flag, path)
	return flags.Usage(cmd, err)
}

// savePlain calls run with a table in a file that appears when run is done; nil
// where no path is given. flag is the one that names the file.
func (a *app) savePlain(flag, path string, file tables.PlainFile, run func(*columnar.PlainTable) error) error {
	if path == "" {
		return run(nil)
	}
	format, err := output.PlainFormat(flag, path)
	if err != nil {
		return flags.Usage(a.cmd, err)
	}
	return a.writeFile(path, func(w io.Writer) error {
		t, err := columnar.NewPlainTable(format, w, file.Schema, file.Columns)
		if err != nil {
			return err
		}
		err = run(t)
		if fault := t.Close(); err == nil {
			err = fault
		}
		return err
	})
}
