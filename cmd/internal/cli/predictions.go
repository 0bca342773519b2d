package cli

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// addPredictionsFlag adds --predictions.
func addPredictionsFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "predictions", "", "write every prediction to this file: .csv .parquet .arrow")
}

// predictionsFormat is the format that a file of predictions asks for.
func predictionsFormat(path string) (string, error) { return plainFormat("predictions", path) }

// checkPredictions finds a usage error of --predictions.
func checkPredictions(cmd *cobra.Command, path string) error {
	if path == "" {
		return nil
	}
	if _, err := predictionsFormat(path); err != nil {
		return flags.Usage(cmd, err)
	}
	return nil
}

// savePredictions calls run with a table of predictions in a file that appears
// when run is done; nil where no path is given.
func (a *app) savePredictions(path, schema string, columns []columnar.PlainColumn, run func(*columnar.PlainTable) error) error {
	if path == "" {
		return run(nil)
	}
	return a.savePlain("predictions", path, schema, columns, run)
}

// savePlain calls run with a table in a file that appears when run is done. flag is
// the one that names the file.
func (a *app) savePlain(flag, path, schema string, columns []columnar.PlainColumn, run func(*columnar.PlainTable) error) error {
	format, err := plainFormat(flag, path)
	if err != nil {
		return flags.Usage(a.cmd, err)
	}
	return a.writeFile(path, func(w io.Writer) error {
		t, err := columnar.NewPlainTable(format, w, schema, columns)
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
