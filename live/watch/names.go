package watch

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// LongestName is the longest text that Names keeps, bytes; longer ones are cut.
	LongestName = 256
	// maxNamesBytes bounds all texts together.
	maxNamesBytes = 64 << 20
	// nameBytes is what a name takes beside its text.
	nameBytes = 96
)

// Names is the dictionary of a service: it gives texts numbers, and a number never
// changes. It may be used by several goroutines. The zero value is ready for use.
type Names struct {
	mu    sync.Mutex
	names workload.Names
	fresh []journal.Name
	bytes int
}

// Number returns the number of a text in a column (workload.ColUser, ...), a
// new one for a new text. It is workload.Unknown for an empty text, and for new
// texts when the dictionary is full.
func (n *Names) Number(column int, text string) int64 {
	if text == "" {
		return workload.Unknown
	}
	text = cutName(strings.ToValidUTF8(text, "\ufffd"))
	n.mu.Lock()
	defer n.mu.Unlock()
	number, ok := n.names.Find(column, text)
	switch {
	case ok:
		return number
	case n.bytes+len(text)+nameBytes > maxNamesBytes:
		return workload.Unknown
	}
	n.bytes += len(text) + nameBytes
	number = n.names.Number(column, text)
	text, _ = n.names.Text(column, number)
	n.fresh = append(n.fresh, journal.Name{Key: workload.NameKey(column), Number: number, Text: text})
	return number
}

// renumber gives a job the numbers of the names that another dictionary has for its numbers.
func (n *Names) renumber(j *workload.Job, text func(column int, number int64) string) {
	for _, column := range workload.NamedColumns() {
		c := workload.ColumnAt(column)
		if x := c.Int(j); x != workload.Unknown {
			c.SetInt(j, n.Number(column, text(column, x)))
		}
	}
}

// cutName shortens a text to LongestName bytes of whole characters.
func cutName(text string) string {
	if len(text) <= LongestName {
		return text
	}
	end := LongestName
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// Fresh returns the names that are new since the last call, in the order of their
// numbers by key.
func (n *Names) Fresh() []journal.Name {
	n.mu.Lock()
	defer n.mu.Unlock()
	fresh := n.fresh
	n.fresh = nil
	return fresh
}

// Restore adds a name that Fresh once returned. Names of a key must be restored
// in the order of their numbers; any other number than the next is an error.
func (n *Names) Restore(name journal.Name) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	column, ok := columnOf(name.Key)
	_, twice := n.names.Find(column, name.Text)
	if want := int64(n.names.Len(column)) + 1; !ok || twice || name.Number != want || name.Text == "" {
		return fmt.Errorf("name %q with number %d of key %q, want a new name with number %d of a key of the job table", name.Text, name.Number, name.Key, want)
	}
	n.names.Number(column, name.Text)
	n.bytes += len(name.Text) + nameBytes
	return nil
}

// Find returns the number of a text by the key, and false if it has none.
func (n *Names) Find(key, text string) (int64, bool) {
	column, _ := columnOf(key)
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.names.Find(column, cutName(text))
}

// Text returns the text of a number by the key, and false if it has none.
func (n *Names) Text(key string, number int64) (string, bool) {
	column, _ := columnOf(key)
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.names.Text(column, number)
}

// Texts returns all texts of a key, that of number 1 first.
func (n *Names) Texts(key string) (texts []string) {
	column, _ := columnOf(key)
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range n.names.Len(column) {
		text, _ := n.names.Text(column, int64(i)+1)
		texts = append(texts, text)
	}
	return texts
}

// columnOf returns the column of a key; for another key one without names.
func columnOf(key string) (column int, ok bool) {
	for _, c := range workload.NamedColumns() {
		if workload.NameKey(c) == key {
			return c, true
		}
	}
	return 0, false
}
