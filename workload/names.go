package workload

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Names are the texts behind the numbers of identifier columns. Formats that
// name users, groups, applications, queues and partitions by text have each
// column's texts numbered from 1, in the order in which they appear, so that a
// log has the same numbers however it is read. The texts go along in the
// header, a line each, as the standard workload format does for queues:
// "User: 3 alice".
//
// The zero value is ready for use. A reader's Names are complete, and its
// header has their lines, when the log has been read to its end.
type Names struct {
	numbers [NumColumns]map[string]int64
	texts   [NumColumns][]string // text of number i+1
}

// nameKeys are the header keywords of the columns that can have names.
var nameKeys = map[int]string{
	ColUser: "User", ColGroup: "Group", ColApplication: "Application", ColQueue: "Queue", ColPartition: "Partition",
}

// Number returns the number of a text in a column, a new one where it has not
// been seen. An empty text is Unknown.
func (n *Names) Number(col int, text string) int64 {
	if text == "" {
		return Unknown
	}
	id, ok := n.numbers[col][text]
	if !ok {
		if n.numbers[col] == nil {
			n.numbers[col] = map[string]int64{}
		}
		id = int64(len(n.texts[col])) + 1
		text = strings.Clone(text)
		n.numbers[col][text] = id
		n.texts[col] = append(n.texts[col], text)
	}
	return id
}

// Text returns the text of a number, false where it has none.
func (n *Names) Text(col int, id int64) (string, bool) {
	if id < 1 || id > int64(len(n.texts[col])) {
		return "", false
	}
	return n.texts[col][id-1], true
}

// AddTo adds the names to a header, in the order of columns and numbers.
func (n *Names) AddTo(h *Header) {
	for _, col := range slices.Sorted(maps.Keys(nameKeys)) {
		for i, text := range n.texts[col] {
			h.Add(nameKeys[col], fmt.Sprintf("%d %s", i+1, oneLine(text)))
		}
	}
}

// oneLine keeps a name from breaking its header line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, s)
}
