package layers

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// quaint are phrases that the manual, the help and messages do not use, with plainer
// ones.
var quaint = []struct{ phrase, instead string }{
	{`all that can be said`, "a report"},
	{`and nothing else`, "only"},
	{`as (?:it|they) stands?`, "at that moment"},
	{`goes on after`, "recovers from"},
	{`holds? (?:it|a test|tests) to`, "check"},
	{`in the words of`, "in terms of"},
	{`(?:is|are) said`, "is reported"},
	{`(?:is|are) worth`, "score, value, quality"},
	{`in the place of`, "instead of"},
	{`(?:leave|left) away`, "remove, without"},
	{`made[- ]up`, "synthetic"},
	{`of (?:its|their) own`, "separate"},
	{`on (?:its|their) own`, "alone, separately"},
	{`take[ns]? out`, "remove"},
	{`tells? no`, "does not distinguish"},
	{`told apart`, "distinguished"},
	{`whoever`, "users, people who"},
}

// anyQuaint matches any of the phrases.
var anyQuaint = func() *regexp.Regexp {
	var all []string
	for _, q := range quaint {
		all = append(all, q.phrase)
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
}()

// plain lists the pages whose wording is checked.
var plain = []string{"README.md", "CONTRIBUTING.md", "docs/*.md", "docs/*/*.md"} // commands.md has the help of every command

// quaintIn returns the first unwanted phrase in a text, and a plainer one.
func quaintIn(text string) (phrase, instead string) {
	m := anyQuaint.FindString(text)
	for _, q := range quaint {
		if m != "" && regexp.MustCompile(`(?i)^`+q.phrase+`$`).MatchString(m) {
			return m, q.instead
		}
	}
	return m, ""
}

// TestPlainWords finds phrases that read as translated.
func TestPlainWords(t *testing.T) {
	pages := 0
	eachFile(t, func(page string) {
		if !slices.ContainsFunc(plain, func(pattern string) bool { return jobtest.Must(path.Match(pattern, page)) }) {
			return
		}
		pages++
		for i, line := range strings.Split(read(page), "\n") {
			if m, instead := quaintIn(line); m != "" {
				t.Errorf("%s:%d: %q: write %s", page, i+1, m, instead)
			}
		}
	})
	if pages < 10 {
		t.Errorf("%d pages", pages)
	}
}

// TestPlainMessages finds such phrases in the string literals of the source: messages, warnings and
// the output of commands.
func TestPlainMessages(t *testing.T) {
	texts := 0
	eachFile(t, func(name string) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return
		}
		files := token.NewFileSet()
		ast.Inspect(parse(files, name, 0), func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				texts++
				if m, instead := quaintIn(text.Value); m != "" {
					t.Errorf("%s: %q: write %s", files.Position(text.Pos()), m, instead)
				}
			}
			return true
		})
	}, "testdata", "notebooks", "examples")
	if texts < 1000 {
		t.Errorf("%d texts", texts)
	}
}
