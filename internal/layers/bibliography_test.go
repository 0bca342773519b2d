package layers

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// citation matches one author, two, three with commas, or one "and others", before a year in
// parentheses.
var citation = regexp.MustCompile(`(\p{Lu}[\p{L}'’-]+)(?:(?:, \p{Lu}[\p{L}'’-]+)*,? and (?:\p{Lu}[\p{L}'’-]+|others))? \(((?:19|20)\d\d)\)`)

// comments matches the line breaks in a comment, so that a citation may extend over lines.
var comments = regexp.MustCompile(`\n\s*(?://\s*)?`)

// Every work cited in the manual or a comment has an entry in the bibliography, by its first author
// and year.
func TestBibliography(t *testing.T) {
	entries := strings.Split(read("docs/bibliography.md"), "\n- ")
	listed := func(author, year string) bool {
		return slices.ContainsFunc(entries, func(e string) bool { return strings.Contains(e, author) && strings.Contains(e, year) })
	}
	cited := map[string]bool{}
	eachFile(t, func(file string) {
		page := strings.HasSuffix(file, ".md") && strings.HasPrefix(file, "docs/")
		if !page && !strings.HasSuffix(file, ".go") {
			return
		}
		for _, m := range citation.FindAllStringSubmatch(comments.ReplaceAllString(read(file), " "), -1) {
			author := strings.TrimSuffix(strings.TrimSuffix(m[1], "'s"), "'")
			work := author + " " + m[2]
			if !cited[work] && !listed(author, m[2]) {
				t.Errorf("%s: %s: not in docs/bibliography.md", file, m[0])
			}
			cited[work] = true
		}
	})
	if len(cited) < 25 {
		t.Errorf("%d works are cited: is the pattern right?", len(cited))
	}
}
