package view

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// Forms returns the names of the formats of a result.
func Forms() []string { return []string{"table", "json", "csv"} }

// Result is the result of a command in its three formats.
type Result struct {
	Text func() string // for people, with marked tables, which Blocks separates from the text
	JSON any           // the stable form
	CSV  Table         // the same values as rows
	// Page writes the result as HTML; nil if it has no page.
	Page func(w io.Writer) error
}

// PageForm is the format of a page, which is only for files.
const PageForm = "page"

// Write writes the result in one of the formats: table, json, csv or, if it has a page,
// PageForm.
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

// Block is text of whole lines or, if Text is empty, a table.
type Block struct {
	Text  string
	Table Table
}

// Blocks returns the text and the tables for people, in order.
func (r Result) Blocks() []Block { return blocks(r.Text()) }

func blocks(text string) (all []Block) {
	for i, part := range strings.Split(text, mark) {
		var b Block
		if i%2 == 0 {
			b.Text = part
		} else if err := json.Unmarshal([]byte(part), &b.Table); err != nil {
			panic(err) // cannot happen: only tables are between marks
		}
		if i%2 == 1 || part != "" {
			all = append(all, b)
		}
	}
	return all
}

// textOf returns blocks as lines, with control characters escaped.
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

// mark is at both ends of a table within a text: a character that does not occur in text.
const mark = "\x1e"

func (t Table) marked() string {
	rows, _ := json.Marshal(t.printable())
	return mark + string(rows) + mark
}
