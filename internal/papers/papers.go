// Package papers holds tests to the figures that the pages of docs quote.
package papers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Has is Page for docs/findings/papers.md.
func Has(t testing.TB, starts ...string) {
	t.Helper()
	Page(t, "findings/papers.md", starts...)
}

// Page reports an error for each text with which no line of a page of docs
// begins, such as the first cells of a table's row. A test runs in its package's
// folder; docs is in the folder of go.mod above it.
func Page(t testing.TB, page string, starts ...string) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no go.mod in this folder or above it")
		}
		dir = filepath.Dir(dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range starts {
		if !strings.Contains("\n"+string(text), "\n"+start) {
			t.Errorf("docs/%s has no line that begins\n%s", page, start)
		}
	}
}
