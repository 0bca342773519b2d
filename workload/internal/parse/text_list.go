package parse

import "strings"

// TextList gathers the texts of a column in one piece of memory. The zero value is
// ready for use.
type TextList struct {
	text []byte
	ends []int
}

// Add appends a text.
func (l *TextList) Add(text []byte) {
	l.text = append(l.text, text...)
	l.ends = append(l.ends, len(l.text))
}

// Len is how many texts there are.
func (l *TextList) Len() int { return len(l.ends) }

// Strings returns the texts without blanks around them. They share their memory.
func (l *TextList) Strings() []string {
	all, from := string(l.text), 0
	texts := make([]string, len(l.ends))
	for i, end := range l.ends {
		texts[i] = strings.TrimSpace(all[from:end])
		from = end
	}
	return texts
}
