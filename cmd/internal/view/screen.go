package view

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// Screen is what people read of a result: lines and tables, in their order.
type Screen struct{ Blocks []Block }

// Block is text of whole lines or, where that is empty, a table.
type Block struct {
	Text  string
	Table Table
}

// Printf adds a text as fmt.Sprintf makes it.
func (t *Screen) Printf(format string, args ...any) { t.add(fmt.Sprintf(format, args...)) }

// Message adds a text whose arguments may come from a file or a user (Message).
func (t *Screen) Message(format string, args ...any) { t.add(Message(format, args...)) }

// add adds lines, and the tables that are marked in them.
func (t *Screen) add(text string) {
	for i, part := range strings.Split(text, mark) {
		var table Table
		switch {
		case i%2 == 1 && json.Unmarshal([]byte(part), &table) == nil:
			t.Table(table)
		case part == "":
		case len(t.Blocks) > 0 && t.Blocks[len(t.Blocks)-1].Text != "":
			t.Blocks[len(t.Blocks)-1].Text += part
		default:
			t.Blocks = append(t.Blocks, Block{Text: part})
		}
	}
}

// mark stands at both ends of a table within a text: a character that no text has.
const mark = "\x1e"

// Format writes a table into a text as a template does, {{.Table}}, so that a Screen can
// tell it from the lines around it.
func (t Table) Format(f fmt.State, _ rune) {
	rows, _ := json.Marshal(t.printable())
	fmt.Fprintf(f, "%s%s%s", mark, rows, mark)
}

// Table adds a table.
func (t *Screen) Table(table Table) { t.Blocks = append(t.Blocks, Block{Table: table}) }

// Tables adds tables with a blank line between them.
func (t *Screen) Tables(all ...Table) {
	for i, table := range all {
		if i > 0 {
			t.Printf("\n")
		}
		t.Table(table)
	}
}

// String returns the text; control characters that would give orders to a terminal
// are escaped.
func (t *Screen) String() string {
	var all strings.Builder
	for _, b := range t.Blocks {
		if b.Text != "" {
			all.WriteString(b.Text)
		} else {
			all.WriteString(b.Table.String())
		}
	}
	return printable.Lines(all.String())
}
