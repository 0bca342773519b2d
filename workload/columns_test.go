package workload

import (
	"math"
	"reflect"
	"testing"
)

// Every column goes through the table of columns, a batch and back: what one
// row sets, Builder.Append and View.Job carry, and no other column.
func TestColumnsAreFieldsOfJobs(t *testing.T) {
	for i := range NumColumns {
		c := ColumnAt(i)
		j := UnknownJob()
		if c.Float() {
			c.SetNumber(&j, 7)
		} else {
			c.SetInt(&j, 7)
		}
		b := NewBuilder(nil)
		b.Append(&j)
		rec := b.Record()
		v := NewView(rec)
		for k := range NumColumns {
			if v.IsNull(k, 0) != (k != i) {
				t.Errorf("%s set: column %s is null: %v", c.Name, ColumnAt(k).Name, v.IsNull(k, 0))
			}
		}
		if got := v.Job(0, 0); c.Float() && c.Number(&got) != 7 || !c.Float() && c.Int(&got) != 7 {
			t.Errorf("%s: View.Job loses it: %+v", c.Name, got)
		}
		rec.Release()
		b.Release()
	}
}

// Each field of a job but Row is one row of the table, so that none is
// forgotten by those who walk it.
func TestColumnsCoverJobs(t *testing.T) {
	j := UnknownJob()
	asked, given := NoAsked, NoGiven
	j.Asked, j.Given = &asked, &given
	fields := 0
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		for i := range v.NumField() {
			f := v.Field(i)
			switch name := v.Type().Field(i).Name; {
			case f.Kind() == reflect.Struct:
				walk(f)
				continue
			case f.Kind() == reflect.Pointer:
				walk(f.Elem())
				continue
			case name == "Row":
			case f.Kind() == reflect.Int64 && f.Int() != Unknown, f.Kind() == reflect.Float64 && !math.IsNaN(f.Float()):
				t.Errorf("no column is the field %s", name)
			}
			fields++
		}
	}
	walk(reflect.ValueOf(j))
	if want := len(attributes) + 1; fields != want { // and Row
		t.Errorf("a job has %d fields, the table %d rows", fields, want)
	}
}

func TestFindColumn(t *testing.T) {
	for word, want := range map[string]string{
		"user": "user_id", "user_id": "user_id", "app": "application_id", "site": "partition_id", "executable_id": "application_id",
		"processors": "requested_processors", "proc": "allocated_processors", "estimate": "requested_time_s", "size": "size",
	} {
		if c := FindColumn(word); c == nil || c.Name != want {
			t.Errorf("%s is %v, want %s", word, c, want)
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
