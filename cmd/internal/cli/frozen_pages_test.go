package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// generatedBelow begins the part of a page of the reference that -update writes.
const generatedBelow = "<!-- From here on written by: go test ./cmd/internal/cli -run Frozen -update -->\n"

// frozenPage compares the generated part of a page in docs/reference.
func frozenPage(t *testing.T, name, want string) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "docs", "reference", name)
	head, got, ok := strings.Cut(mustRead(t, path), generatedBelow)
	if !ok {
		t.Fatalf("%s has no line %q", path, generatedBelow)
	}
	want = "\n" + want
	if *update {
		if err := os.WriteFile(path, []byte(head+generatedBelow+want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got != want {
		t.Errorf("%s is out of date: go test ./cmd/internal/cli -run Frozen -update", path)
	}
}

// TestFrozenCommandsPage: the manual's page of commands has the whole help of each.
func TestFrozenCommandsPage(t *testing.T) {
	var b strings.Builder
	for _, cmd := range (&app{}).root().Commands() {
		if cmd.Hidden || !cmd.Runnable() || cmd.Name() == "completion" || cmd.Name() == "help" {
			continue
		}
		help := loadstone(t, "", cmd.Name(), "--help-all").out
		help, _, _ = strings.Cut(help, "\nFlags of every command:")
		fmt.Fprintf(&b, "## %s\n\n%s\n\n```text\n%s\n```\n\n", cmd.Name(), cmd.Short, strings.TrimSpace(help))
	}
	frozenPage(t, "commands.md", strings.TrimSuffix(b.String(), "\n"))
}

// TestFrozenFieldsPage: the manual's page of fields has those of testdata/frozen, a row
// for each object.
func TestFrozenFieldsPage(t *testing.T) {
	bySchema := map[string]map[string][]string{} // names by object
	for _, line := range lines(mustRead(t, filepath.Join("testdata", "frozen", "json.txt"))) {
		schema, path, ok := strings.Cut(line, " ")
		if !ok {
			schema, path = "", line
		}
		i := strings.LastIndex(path, ".")
		if bySchema[schema] == nil {
			bySchema[schema] = map[string][]string{}
		}
		bySchema[schema][path[:i]] = append(bySchema[schema][path[:i]], path[i+1:])
	}
	columns := map[string][]string{}
	for _, line := range lines(mustRead(t, filepath.Join("testdata", "frozen", "csv.txt"))) {
		schema, names, _ := strings.Cut(line, " ")
		columns[schema] = append(columns[schema], names)
	}
	interval := []string{"high", "low", "mean"}
	var b strings.Builder
	for _, schema := range slices.Sorted(maps.Keys(bySchema)) {
		fmt.Fprintf(&b, "## %s\n\n| object | fields |\n|---|---|\n", schema)
		for _, object := range slices.Sorted(maps.Keys(bySchema[schema])) {
			name := "the document"
			if object != "" {
				name = "`" + strings.TrimPrefix(object, ".") + "`"
			}
			fields := bySchema[schema][object]
			if slices.Equal(fields, interval) {
				continue // stands with the field that it belongs to
			}
			for i, f := range fields {
				if slices.Equal(bySchema[schema][object+"."+f], interval) {
					fields[i] += " (low, mean, high)"
				}
			}
			fmt.Fprintf(&b, "| %s | %s |\n", name, strings.Join(fields, ", "))
		}
		for _, names := range columns[schema] {
			fmt.Fprintf(&b, "\nCSV: %s\n", strings.ReplaceAll(names, ",", ", "))
		}
		b.WriteString("\n")
	}
	frozenPage(t, "fields.md", strings.TrimSuffix(b.String(), "\n"))
}
