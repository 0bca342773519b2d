package layers

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// citation is the authors, one, two, three with commas, or one "and others", before a year
// in brackets.
var citation = regexp.MustCompile(`(\p{Lu}[\p{L}'’-]+)(?:(?:, \p{Lu}[\p{L}'’-]+)*,? and (?:\p{Lu}[\p{L}'’-]+|others))? \(((?:19|20)\d\d)\)`)

// comments joins the lines of a comment, so that a citation may break between them.
var comments = regexp.MustCompile(`\n\s*(?://\s*)?`)

// Every work that the manual or a comment cites has a line in the bibliography, with its
// first author and year.
func TestBibliography(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "bibliography.md"))
	if err != nil {
		t.Fatal(err)
	}
	entries := strings.Split(string(text), "\n- ")
	listed := func(author, year string) bool {
		for _, e := range entries {
			if strings.Contains(e, author) && strings.Contains(e, year) {
				return true
			}
		}
		return false
	}
	cited := map[string]bool{}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != root {
			return filepath.SkipDir
		}
		page := strings.HasSuffix(name, ".md") && strings.Contains(filepath.ToSlash(name), "/docs/")
		if !page && !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range citation.FindAllStringSubmatch(comments.ReplaceAllString(string(text), " "), -1) {
			author := strings.TrimSuffix(strings.TrimSuffix(m[1], "'s"), "'")
			work := author + " " + m[2]
			if !cited[work] && !listed(author, m[2]) {
				t.Errorf("%s: %s: not in docs/bibliography.md", name, m[0])
			}
			cited[work] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(cited) < 25 {
		t.Errorf("%d works are cited: is the pattern right?", len(cited))
	}
}
