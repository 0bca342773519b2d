package live

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// logNames are the names in the header of a log, by header keyword.
type logNames struct {
	texts   map[string]map[int64]string
	numbers map[string]map[string]int64
	fresh   []watch.Name
}

func namesOf(h *workload.Header) logNames {
	n := logNames{map[string]map[int64]string{}, map[string]map[string]int64{}, nil}
	for _, column := range workload.NamedColumns() {
		key := workload.NameKey(column)
		texts, numbers := h.Names(key), map[string]int64{}
		for _, number := range slices.Sorted(maps.Keys(texts)) {
			numbers[texts[number]] = number
			n.fresh = append(n.fresh, watch.Name{Key: key, Number: number, Text: texts[number]})
		}
		n.texts[key], n.numbers[key] = texts, numbers
	}
	return n
}

// Restore implements Feed: the log has the names, in the same order.
func (n *logNames) Restore(name watch.Name) error {
	if len(n.fresh) == 0 || n.fresh[0] != name {
		return fmt.Errorf("the store belongs to another log: it has the name %q for %s %d", name.Text, name.Key, name.Number)
	}
	n.fresh = n.fresh[1:]
	return nil
}

// Fresh implements Feed.
func (n *logNames) Fresh() []watch.Name {
	fresh := n.fresh
	n.fresh = nil
	return fresh
}

// Find implements Feed. Where the log has no names, numbers are their own texts.
func (n *logNames) Find(key, text string) (int64, bool) {
	if number, ok := n.numbers[key][text]; ok || len(n.numbers[key]) > 0 {
		return number, ok
	}
	number, err := strconv.ParseInt(text, 10, 64)
	return number, err == nil
}

// Texts implements Feed.
func (n *logNames) Texts(key string) []string { return slices.Sorted(maps.Keys(n.numbers[key])) }

// Text implements Feed.
func (n *logNames) Text(key string, number int64) (string, bool) {
	text, ok := n.texts[key][number]
	return text, ok
}
