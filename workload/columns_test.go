package workload

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// Every field of a job except Row is a column with a number, a name, a meaning, a unit and a valid
// use; it is known at submission if the field is also in Request.
func TestColumnsCoverJobs(t *testing.T) {
	j := UnknownJob()
	for i, f := range reflect.VisibleFields(reflect.TypeFor[Job]()) {
		if f.Name == "Row" || f.Name == "Request" {
			continue
		}
		c := FindColumn(strings.TrimLeft(f.Tag.Get("col"), "0123456789,"))
		if c == nil || c.Meaning == "" || c.Unit == "" || len(c.Words) == 0 {
			t.Fatalf("%s has no column: %+v", f.Name, c)
		}
		if _, ok := usesByTag[f.Tag.Get("use")]; !ok || c.submitted != (len(f.Index) == 2) {
			t.Errorf("%s is %+v", f.Name, c)
		}
		v := reflect.ValueOf(&j).Elem().FieldByIndex(f.Index)
		if c.float && !math.IsNaN(v.Float()) || !c.float && v.Int() != Unknown {
			t.Errorf("%s of an unknown job is %v", f.Name, v)
		}
		if c.float {
			c.SetNumber(&j, float64(i))
		} else {
			c.SetInt(&j, int64(i))
		}
		if c.float && v.Float() != float64(i) || !c.float && v.Int() != int64(i) || !c.Known(&j) {
			t.Errorf("%s is set to %v, want %d", f.Name, v, i)
		}
		if got := c.NumberIn(&j.Request); c.submitted && got != float64(i) || !c.submitted && got == got {
			t.Errorf("%s of the request is %v", f.Name, got)
		}
	}
}

func TestFindColumn(t *testing.T) {
	const words = "user|user_id\nuser_id|user_id\napp|application_id\nsite|partition_id\nexecutable_id|application_id\n" +
		"processors|requested_processors\nproc|allocated_processors\nestimate|requested_time_s\nsize|size"
	for _, row := range rowsOf(words) {
		if c := FindColumn(row[0]); c == nil || c.Name != row[1] {
			t.Errorf("%s is %v, want %s", row[0], c, row[1])
		}
	}
	if c := FindColumn("shoe"); c != nil {
		t.Errorf("shoe is %v", c)
	}
	seen := map[string]string{}
	for i := range attributes {
		c := &attributes[i]
		for _, word := range append([]string{c.Name}, c.Words...) {
			if first, ok := seen[word]; ok && first != c.Name {
				t.Errorf("%q is %s and %s", word, first, c.Name)
			}
			seen[word] = c.Name
		}
	}
}

// TestSchemaDescribesEveryColumn checks the properties of columns that the table guarantees, and
// that the first columns are the fields of the standard workload format.
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

// The manual's two tables of columns agree with this table.
func TestColumnsInManual(t *testing.T) {
	text, err := os.ReadFile("../docs/reference/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	var want [2]strings.Builder
	for i := range columns {
		c := &columns[i]
		part := &want[0]
		if i >= FirstOptional {
			part = &want[1]
		}
		fmt.Fprintf(part, "| %s | %s | %s |\n", c.Name, c.Unit, c.Meaning)
	}
	for i := range want {
		if !strings.Contains(string(text), "|---|---|---|\n"+want[i].String()+"\n") {
			t.Errorf("docs/reference/formats.md lacks the rows\n%s", want[i].String())
		}
	}
}
