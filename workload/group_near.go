package workload

import (
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/words"
)

// mostNear is the largest number of words in a hint.
const mostNear = 3

// near returns the words of columns that a text could mean: those that begin with it or
// differ in a letter or two, or else those whose description contains it as a word. It
// returns nil if there are more than mostNear.
func (g Grouping) near(text string) []string {
	if len(text) < 3 || slices.Contains([]string{AllJobs, KindWord, NamedWord}, text) {
		return nil
	}
	var like, meant []string
	for _, name := range g.columns() {
		c := FindColumn(name)
		word := c.Words[0]
		switch {
		case words.Near(text, c.Words) != nil:
			like = append(like, word)
		case slices.Contains(strings.FieldsFunc(strings.ToLower(c.Meaning), func(r rune) bool { return r == ' ' || r == ',' || r == ';' }), text):
			meant = append(meant, word)
		}
	}
	for _, near := range [][]string{like, meant} {
		if n := len(near); n > 0 && n <= mostNear {
			return near
		}
	}
	return nil
}
