package cli

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/output"
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

// savePlain calls run with what saves a row of a table, nil where no path is given,
// in a file that appears when run is done. flag is the one that names the file.
func savePlain[R any](a *app, flag, path string, table columnar.PlainForm[R], run func(save func(R) error) error) error {
	if path == "" {
		return run(nil)
	}
	format, err := output.PlainFormat(flag, path)
	if err != nil {
		return flags.Usage(a.cmd, err)
	}
	return a.writeFile(path, func(w io.Writer) error { return table.Write(format, w, run) })
}
