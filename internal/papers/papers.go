// Package papers lets tests check the figures that the pages of docs quote.
package papers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// Has is Page for docs/findings/papers.md.
func Has(t testing.TB, starts ...string) {
	t.Helper()
	Page(t, "findings/papers.md", starts...)
}

// Page reports an error for each of starts, such as the first cells of a table's
// row, with which no line of a page of docs begins.
func Page(t testing.TB, page string, starts ...string) {
	t.Helper()
	root, err := longtest.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range starts {
		if !strings.Contains("\n"+string(text), "\n"+start) {
			t.Errorf("docs/%s has no line that begins\n%s", page, start)
		}
	}
}
