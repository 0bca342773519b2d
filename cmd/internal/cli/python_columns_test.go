package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The package for Python lists the columns of the job table.
func TestPythonHasAllColumns(t *testing.T) {
	section := func(file, begin, end string) []string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join("..", "..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		_, after, ok := strings.Cut(string(text), begin)
		names, _, closed := strings.Cut(after, end)
		if !ok || !closed {
			t.Fatalf("%s: no list between %q and %q", file, begin, end)
		}
		return slices.Sorted(strings.FieldsSeq(names))
	}
	var whole, float []string
	for i := range workload.NumColumns {
		if c := workload.ColumnAt(i); c.Float() {
			float = append(float, c.Name)
		} else {
			whole = append(whole, c.Name)
		}
	}
	slices.Sort(whole)
	slices.Sort(float)
	types := "python/loadstone/_types.py"
	if got := section(types, `JOBS_WHOLE = """`, `"""`); !slices.Equal(got, whole) {
		t.Errorf("%s: whole numbers: saw %q, want %q", types, got, whole)
	}
	if got := section(types, `JOBS_FLOAT = """`, `"""`); !slices.Equal(got, float) {
		t.Errorf("%s: other numbers: saw %q, want %q", types, got, float)
	}
	for _, list := range []string{"TEXT = set(\"\"\"", "WHOLE = set(\"\"\""} {
		if got := section(types, list, `"""`); len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Errorf("%s: %s has a name twice: %q", types, list, got)
		}
	}
}
