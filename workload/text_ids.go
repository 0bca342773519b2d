package workload

import (
	"fmt"
	"unicode/utf8"
)

const (
	// maxTexts and maxTextBytes bound the names of one column, which are kept
	// until the log has been read: a column of documents, or of as many texts
	// as jobs, is no identifier.
	maxTexts     = 1 << 20
	maxTextBytes = 32 << 20
)

// textIDs numbers the texts of one identifier column, within bounds.
type textIDs struct {
	names  *Names
	column int
	texts  int
	bytes  int
	lost   int64 // for the caller's use: values left unknown since it last asked
}

// number returns the number of a text. Beyond the bounds new texts are
// Unknown, and known is false.
func (t *textIDs) number(text string) (id int64, known bool) {
	if t.texts >= maxTexts || t.bytes+len(text) > maxTextBytes {
		if id, ok := t.names.numbers[t.column][text]; ok {
			return id, true
		}
		return Unknown, text == ""
	}
	id = t.names.Number(t.column, text)
	if n := len(t.names.texts[t.column]); n > t.texts {
		t.texts = n
		t.bytes += len(text)
	}
	return id, true
}

// tooManyTexts counts values that number has left unknown.
func tooManyTexts(column int, n, row int64, w *Warnings) {
	if n > 0 {
		name := columns[column].Name
		w.add(Warning{
			Rule: "many-names-" + name, Count: n, Line: row,
			Text: fmt.Sprintf("values of %s left unknown: it has more than %d different texts, or more than %d MiB of them", name, maxTexts, maxTextBytes>>20),
		})
	}
}

// checkText says what is wrong with a text that names something, or "".
func checkText(text []byte) (want string) {
	if !utf8.Valid(text) {
		return "UTF-8 text"
	}
	return ""
}
