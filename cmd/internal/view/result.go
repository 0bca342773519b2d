package view

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// Forms are the names of a result's forms.
func Forms() []string { return []string{"table", "json", "csv"} }

// Result is what a command found, in its three forms.
type Result struct {
	Text func(w *Screen) // a table for people
	JSON any             // the stable form
	CSV  Table           // the same values, one row each
	// Page writes it as HTML; nil where there is no page.
	Page func(w io.Writer) error
}

// PageForm is the form of a page, which a file alone has.
const PageForm = "page"

// Write writes the result in one of the forms: table, json, csv or, where it has one,
// page.
func (r Result) Write(w io.Writer, format string) error {
	switch format {
	case "json":
		text, err := indented(r.JSON, "")
		if err != nil {
			return err
		}
		_, err = w.Write(append(text, '\n'))
		return err
	case "csv":
		return r.CSV.WriteCSV(w)
	case PageForm:
		return r.Page(w)
	default:
		var text Screen
		r.Text(&text)
		_, err := io.WriteString(w, text.String())
		return err
	}
}

// indented is a value as JSON, without the break of its last line.
func indented(value any, prefix string) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetIndent(prefix, "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return printable.JSON(bytes.TrimSuffix(text.Bytes(), []byte{'\n'})), nil
}
