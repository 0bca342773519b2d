package present

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// Forms are the names of a result's forms.
func Forms() []string { return []string{"table", "json", "csv"} }

// Result is what a command found, in its three forms.
type Result struct {
	Text func(w io.Writer) error // a table for people
	JSON any                     // the stable form
	CSV  Table                   // the same values, one row each
}

// Write writes the result in one of the forms: table, json or csv.
func (r Result) Write(w io.Writer, format string) error {
	switch format {
	case "json":
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(r.JSON); err != nil {
			return err
		}
		_, err := w.Write(printable.JSON(text.Bytes()))
		return err
	case "csv":
		return r.CSV.WriteCSV(w)
	default:
		var text strings.Builder
		if err := r.Text(&text); err != nil {
			return err
		}
		_, err := io.WriteString(w, printable.Lines(text.String()))
		return err
	}
}
