package present

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// Screen is what people read of a result: lines and tables, in their order.
type Screen struct{ b strings.Builder }

// Printf adds a text as fmt.Sprintf makes it.
func (t *Screen) Printf(format string, args ...any) { fmt.Fprintf(&t.b, format, args...) }

// Message adds a text whose arguments may come from a file or a user (Message).
func (t *Screen) Message(format string, args ...any) { t.b.WriteString(Message(format, args...)) }

// Table adds a table.
func (t *Screen) Table(table Table) { t.b.WriteString(table.String()) }

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
func (t *Screen) String() string { return printable.Lines(t.b.String()) }
