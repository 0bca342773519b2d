package columnar

import (
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/field"
)

// PlainForm describes a table that does not hold jobs, such as predictions, with rows of
// type R, a struct. A column is a field of R, a string, a bool, a whole number or a float64, with
// the tags of package field: json for its name, help for its meaning and, where the name
// does not end in it, unit.
//
//	Seconds float64 `json:"predicted_s" help:"predicted run time"`
//
// Unknown values (workload.Unknown, NaN and infinities) are written as null, in CSV as empty
// fields. Texts in CSV are made safe for spreadsheets by workload.SpreadsheetText.
type PlainForm[R any] struct {
	Schema  string   // name and version, such as loadstone.wait-predictions/1; kept as metadata in Parquet
	Without []string // columns that are left out
}

// Write writes a table to w in one of PlainFormats; it does not close w. It calls run
// once, and run calls save for each row in order. save returns the first error in
// writing, so that run can stop early. Rows are written in batches, so memory use does
// not grow with the table.
func (p PlainForm[R]) Write(format string, w io.Writer, run func(save func(R) error) error) error {
	var row R // one for all: the cells of the columns are its fields
	cells := field.Row{reflect.ValueOf(&row).Elem()}
	var columns []plainColumn
	for _, f := range field.Of[R]() {
		if f.Name != "" && !slices.Contains(p.Without, f.Name) {
			columns = append(columns, newPlainColumn(f, f.Value(cells)))
		}
	}
	t, err := newPlainTable(format, w, p.Schema, columns)
	if err != nil {
		return err
	}
	err = run(func(r R) error {
		row = r
		t.add()
		return t.err
	})
	if fault := t.close(); err == nil {
		err = fault
	}
	return err
}

func newPlainColumn(f field.Field, cell reflect.Value) plainColumn {
	c := plainColumn{name: f.Name, meaning: f.Help(), cell: cell}
	c.unit, _ = f.Tag("unit")
	if strings.HasSuffix(f.Name, "_s") {
		c.unit = "s"
	}
	switch {
	case cell.CanInt():
		c.kind = plainInt
	case cell.CanFloat():
		c.kind = plainFloat
	}
	return c
}
