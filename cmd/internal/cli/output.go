package cli

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/workload"
)

// resultOptions say where a result goes, and as what.
type resultOptions struct {
	format string
	output string
}

var resultFormats = []string{"table", "json", "csv"}

// addResultFlags adds --format and, where the command does not use -o for
// something else, -o.
func addResultFlags(cmd *cobra.Command, o *resultOptions, output bool) {
	o.format = "table"
	enumFlag(cmd, &o.format, "format", "form of the result", resultFormats)
	if output {
		cmd.Flags().StringVarP(&o.output, "output", "o", "", "write the result to this file; .json and .csv choose the form")
	}
}

// put writes a result where the options say.
func (a *app) put(o resultOptions, r result) error {
	if o.output == "" {
		return r.write(a.Out, o.format)
	}
	format := o.format
	switch strings.ToLower(filepath.Ext(o.output)) {
	case ".json":
		format = "json"
	case ".csv":
		format = "csv"
	}
	return a.writeFile(o.output, func(w io.Writer) error { return r.write(w, format) })
}

func (r result) write(w io.Writer, format string) error {
	switch format {
	case "json":
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(r.json)
	case "csv":
		return r.csv.writeCSV(w)
	default:
		return r.text(w)
	}
}

// writeFile writes a file that is whole or not there.
func (a *app) writeFile(path string, write func(io.Writer) error) error {
	f, err := workload.NewFile(path)
	if err != nil {
		return err
	}
	defer a.keep(f)()
	if err := write(f); err != nil {
		f.Abort()
		return err
	}
	return f.Commit()
}
