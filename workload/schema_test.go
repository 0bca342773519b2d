package workload

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
)

// TestSchemaDescribesEveryColumn holds what the schema promises of its fields,
// and that the first columns are the standard workload format's fields.
func TestSchemaDescribesEveryColumn(t *testing.T) {
	s := Schema()
	if s.NumFields() != NumColumns || len(Columns()) != NumColumns {
		t.Fatalf("%d fields, %d columns, want %d", s.NumFields(), len(Columns()), NumColumns)
	}
	name := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for i, c := range Columns() {
		f := s.Field(i)
		if f.Name != c.Name || !name.MatchString(c.Name) || ColumnIndex(c.Name) != i {
			t.Errorf("column %d: %q, field %q, index %d", i, c.Name, f.Name, ColumnIndex(c.Name))
		}
		if !f.Nullable || c.Float() != (f.Type.ID() == arrow.FLOAT64) {
			t.Errorf("%s: %v", c.Name, f)
		}
		want := map[string]string{"unit": c.Unit, "meaning": c.Meaning}
		if i < 18 {
			if c.SWF != i+1 {
				t.Errorf("%s is field %d, want %d", c.Name, c.SWF, i+1)
			}
			want["swf_field"] = strconv.Itoa(i + 1)
		} else if c.SWF != 0 {
			t.Errorf("%s is field %d", c.Name, c.SWF)
		}
		for key, value := range want {
			if got, ok := f.Metadata.GetValue(key); !ok || got != value || value == "" {
				t.Errorf("%s: %s is %q, want %q", c.Name, key, got, value)
			}
		}
	}
	if got := ColumnIndex("no_such_column"); got != -1 {
		t.Errorf("index %d of a column that is none", got)
	}
	if Columns()[0].Name = ""; ColumnAt(0).Name == "" {
		t.Error("Columns gives the package's own memory away")
	}
}
