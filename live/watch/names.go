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
	mu    sync.RWMutex
	names workload.Names
	fresh []journal.Name
	bytes int
	left  int64 // values without a number, for want of memory
}

// Number returns the number of a text in a column (workload.ColUser, ...), a
// new one for a new text. It is workload.Unknown for an empty text, and for new
// texts when the dictionary is full.
func (n *Names) Number(column int, text string) int64 {
	if text == "" {
		return workload.Unknown
	}
	text = cutName(strings.ToValidUTF8(text, "\ufffd"))
	n.mu.RLock()
	number, ok := n.names.Find(column, text)
	n.mu.RUnlock()
	if ok {
		return number
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.bytes+len(text)+nameBytes > maxNamesBytes {
		n.left++
		return workload.Unknown
	}
	before := n.names.Len(column)
	number = n.names.Number(column, text)
	if n.names.Len(column) > before {
		n.bytes += len(text) + nameBytes
		text, _ = n.names.Text(column, number)
		n.fresh = append(n.fresh, journal.Name{Key: workload.NameKey(column), Number: number, Text: text})
	}
	return number
}

// cutName shortens a text to LongestName bytes of whole characters.
func cutName(text string) string {
	if len(text) <= LongestName {
		return text
	}
	text = text[:LongestName]
	for len(text) > 0 {
		if r, size := utf8.DecodeLastRuneInString(text); r != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return text
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
	if !ok {
		return fmt.Errorf("name %q: key %q, want one of %v", name.Text, name.Key, nameKeys())
	}
	if want := int64(n.names.Len(column)) + 1; name.Number != want || name.Text == "" {
		return fmt.Errorf("name %q of key %s: number %d, want a text with number %d", name.Text, name.Key, name.Number, want)
	}
	if got := n.names.Number(column, name.Text); got != name.Number {
		return fmt.Errorf("name %q of key %s: number %d, but the text has number %d", name.Text, name.Key, name.Number, got)
	}
	n.bytes += len(name.Text) + nameBytes
	return nil
}

// Find returns the number of a text by the key, and false if it has none.
func (n *Names) Find(key, text string) (int64, bool) {
	column, ok := columnOf(key)
	if !ok {
		return 0, false
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.names.Find(column, cutName(text))
}

// Text returns the text of a number by the key, and false if it has none.
func (n *Names) Text(key string, number int64) (string, bool) {
	column, ok := columnOf(key)
	if !ok {
		return "", false
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.names.Text(column, number)
}

// Texts returns all texts of a key, that of number 1 first.
func (n *Names) Texts(key string) []string {
	column, ok := columnOf(key)
	if !ok {
		return nil
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	texts := make([]string, n.names.Len(column))
	for i := range texts {
		texts[i], _ = n.names.Text(column, int64(i)+1)
	}
	return texts
}

// LeftOut returns how many values have no number because the dictionary is full.
func (n *Names) LeftOut() int64 {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.left
}

func columnOf(key string) (column int, ok bool) {
	for _, c := range workload.NamedColumns() {
		if workload.NameKey(c) == key {
			return c, true
		}
	}
	return 0, false
}

func nameKeys() (keys []string) {
	for _, c := range workload.NamedColumns() {
		keys = append(keys, workload.NameKey(c))
	}
	return keys
}
