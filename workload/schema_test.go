package workload

import (
	"regexp"
	"testing"
)

// TestSchemaDescribesEveryColumn holds what the table promises of its columns,
// and that the first columns are the standard workload format's fields.
func TestSchemaDescribesEveryColumn(t *testing.T) {
	if len(Columns()) != NumColumns {
		t.Fatalf("%d columns, want %d", len(Columns()), NumColumns)
	}
	name := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for i, c := range Columns() {
		if !name.MatchString(c.Name) || ColumnIndex(c.Name) != i {
			t.Errorf("column %d: %q, index %d", i, c.Name, ColumnIndex(c.Name))
		}
		if want := i + 1; i < 18 && c.SWF != want || i >= 18 && c.SWF != 0 {
			t.Errorf("%s is field %d of the standard workload format", c.Name, c.SWF)
		}
	}
	if got := ColumnIndex("no_such_column"); got != -1 {
		t.Errorf("index %d of a column that is none", got)
	}
	if Columns()[0].Name = ""; ColumnAt(0).Name == "" {
		t.Error("Columns gives the package's own memory away")
	}
}
