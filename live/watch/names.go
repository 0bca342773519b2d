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
	// LongestName is the largest length of a text in Names, in bytes. Longer texts are
	// truncated.
	LongestName = 256
	// maxNamesBytes limits the memory of a Names.
	maxNamesBytes = 64 << 20
	// nameBytes is the memory of a name apart from its text.
	nameBytes = 96
)

// Names is the dictionary of a service. It numbers texts, and the number of a text never
// changes. It is safe for concurrent use. The zero value is ready to use.
type Names struct {
	mu    sync.Mutex
	names workload.Names
	fresh []journal.Name
	bytes int
}

// Number returns the number of a text in a column (workload.ColUser, ...), and
// adds the text if it is new. It returns workload.Unknown for an empty text, and
// for a new text if the dictionary is full.
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

// renumber replaces the numbers in a job, which belong to another dictionary, by those of n. text
// returns the texts of the other dictionary.
func (n *Names) renumber(j *workload.Job, text func(column int, number int64) string) {
	for _, column := range workload.NamedColumns() {
		c := workload.ColumnAt(column)
		if x := c.Int(j); x != workload.Unknown {
			c.SetInt(j, n.Number(column, text(column, x)))
		}
	}
}

// cutName truncates a text to at most LongestName bytes, without splitting a character.
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

// Fresh returns the names added since the last call. Names of a key are in the order of
// their numbers.
func (n *Names) Fresh() []journal.Name {
	n.mu.Lock()
	defer n.mu.Unlock()
	fresh := n.fresh
	n.fresh = nil
	return fresh
}

// Restore adds a name that Fresh once returned. Names of a key must be restored
// in the order of their numbers; otherwise Restore returns an error.
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

// Texts returns all texts of a key in the order of their numbers, from 1.
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

// columnOf returns the column of a key. For an unknown key it returns a column that never has
// names, and false.
func columnOf(key string) (column int, ok bool) {
	for _, c := range workload.NamedColumns() {
		if workload.NameKey(c) == key {
			return c, true
		}
	}
	return 0, false
}
