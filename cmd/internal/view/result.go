package view

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
	Text func() string // for people, with marked tables, which Blocks separates from the lines
	JSON any           // the stable form
	CSV  Table         // the same values, one row each
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
		return r.CSV.writeCSV(w)
	case PageForm:
		return r.Page(w)
	}
	_, err := io.WriteString(w, textOf(r.Blocks()))
	return err
}

// Block is text of whole lines or, where that is empty, a table.
type Block struct {
	Text  string
	Table Table
}

// Blocks are the lines and tables for people, in their order.
func (r Result) Blocks() []Block { return blocks(r.Text()) }

func blocks(text string) (all []Block) {
	for i, part := range strings.Split(text, mark) {
		var b Block
		if i%2 == 0 {
			b.Text = part
		} else if err := json.Unmarshal([]byte(part), &b.Table); err != nil {
			panic(err) // no other text has marks
		}
		if i%2 == 1 || part != "" {
			all = append(all, b)
		}
	}
	return all
}

// textOf is blocks as lines. What would give orders to a terminal is escaped.
func textOf(blocks []Block) string {
	var all strings.Builder
	for _, b := range blocks {
		if b.Text == "" {
			b.Text = b.Table.String()
		}
		all.WriteString(b.Text)
	}
	return printable.Lines(all.String())
}

// mark stands at both ends of a table within a text: a character that no text has.
const mark = "\x1e"

func (t Table) marked() string {
	rows, _ := json.Marshal(t.printable())
	return mark + string(rows) + mark
}
