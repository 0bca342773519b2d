package workload

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// Every column goes through the table of columns, a batch and back: what one
// row sets, Append and Batch.Job carry, and no other column.
func TestColumnsAreFieldsOfJobs(t *testing.T) {
	for i := range NumColumns {
		c := ColumnAt(i)
		j := UnknownJob()
		if c.Float() {
			c.SetNumber(&j, 7)
		} else {
			c.SetInt(&j, 7)
		}
		b := &Batch{}
		b.Append(&j)
		rec := b
		v := rec
		for k := range NumColumns {
			if (v.Known(k) == 1) != (k == i) {
				t.Errorf("%s set: column %s has %d values", c.Name, ColumnAt(k).Name, v.Known(k))
			}
		}
		if got := v.Job(0, 0); c.Float() && c.Number(&got) != 7 || !c.Float() && c.Int(&got) != 7 {
			t.Errorf("%s: Batch.Job loses it: %+v", c.Name, got)
		}
	}
}

// Each field of a job but Row is a column, with a number, a name, a meaning, a unit and a
// use that exists, known at submission if the field is one of Request.
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
		if got := c.NumberIn(&j.Request); c.submitted && got != float64(i) || !c.submitted && got == got || !math.IsNaN(c.NumberIn(&j.Request)) != c.submitted {
			t.Errorf("%s of the request is %v", f.Name, got)
		}
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
