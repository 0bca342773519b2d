package mapping_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// The manual has a row for each built-in mapping with the files it was tested on, its example is a
// valid mapping, and it lists the other names of columns.
func TestManual(t *testing.T) {
	text := jobtest.Must(os.ReadFile(filepath.Join("..", "..", "docs", "reference", "formats.md")))
	for _, m := range mapping.List() {
		row := regexp.MustCompile("(?m)^\\| `" + m.Name + "` \\|.*$").FindString(string(text))
		tried := "synthetic files"
		if strings.HasPrefix(m.Tried, "real data") {
			tried = "real data"
		}
		if !strings.Contains(row, "| "+tried) {
			t.Errorf("%s: row %q, want one that says %q", m.Name, row, tried)
		}
	}
	_, example, _ := strings.Cut(string(text), "```json\n{\n  \"schema\": \"loadstone.mapping/1\"")
	example, _, _ = strings.Cut("{\n  \"schema\": \"loadstone.mapping/1\""+example, "```")
	if !json.Valid([]byte(example)) {
		t.Fatalf("example %s", example)
	}
	if _, err := mapping.Read(write(t, "m.json", example)); err != nil {
		t.Error(err)
	}
	want := "| column | also read from |\n|---|---|\n"
	for _, a := range mapping.Aliases() {
		want += "| " + a[0] + " | `" + strings.Join(a[1:], "`, `") + "` |\n"
	}
	if !strings.Contains(string(text), want) {
		t.Errorf("docs/reference/formats.md: want this table:\n%s", want)
	}
}
