package columnar

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/workload"
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

// PlainFormats returns the names of the formats that PlainForm.Write knows.
func PlainFormats() []string { return []string{"csv", "parquet"} }

// Write writes a table to w in one of PlainFormats; it does not close w. It calls run
// once, and run calls save for each row in order. save returns the first error in
// writing, so that run can stop early. Rows are written in batches, so memory use does
// not grow with the table.
func (p PlainForm[R]) Write(format string, w io.Writer, run func(save func(R) error) error) error {
	var row R // one for all: the cells of the columns are its fields
	of := field.Row{reflect.ValueOf(&row).Elem()}
	var fields []arrow.Field
	var cells []reflect.Value
	for _, f := range field.Of[R]() {
		if f.Name != "" && !slices.Contains(p.Without, f.Name) {
			cells = append(cells, f.Value(of))
			fields = append(fields, plainField(f, cells[len(cells)-1]))
		}
	}
	var add, end func() error
	switch format {
	case "csv":
		add, end = plainCSV(w, fields, cells)
	case "parquet":
		t, err := newTableWriter(w, fields, 1)
		if err != nil {
			return err
		}
		add = func() error { return t.addRow(cells) }
		end = func() error { return t.close([]string{"schema"}, []string{p.Schema}) }
	default:
		return fmt.Errorf("%q is none of %s", format, strings.Join(PlainFormats(), ", "))
	}
	err := run(func(r R) error {
		row = r
		return add()
	})
	if fault := end(); err == nil {
		err = fault
	}
	return err
}

func plainField(f field.Field, cell reflect.Value) arrow.Field {
	unit, _ := f.Tag("unit")
	if strings.HasSuffix(f.Name, "_s") {
		unit = "s"
	}
	var kind arrow.DataType = arrow.BinaryTypes.String
	switch {
	case cell.CanInt():
		kind = arrow.PrimitiveTypes.Int64
	case cell.CanFloat():
		kind = arrow.PrimitiveTypes.Float64
	}
	return arrow.Field{Name: f.Name, Type: kind, Nullable: true, Metadata: arrow.NewMetadata([]string{"unit", "meaning"}, []string{unit, f.Help()})}
}

// plainText is the text of a cell, "" where it is unknown.
func plainText(cell reflect.Value) string {
	switch {
	case cell.Kind() == reflect.Bool:
		return strconv.FormatBool(cell.Bool())
	case cell.CanInt() && cell.Int() != workload.Unknown:
		return strconv.FormatInt(cell.Int(), 10)
	case cell.CanFloat() && !math.IsNaN(cell.Float()) && !math.IsInf(cell.Float(), 0):
		return strconv.FormatFloat(cell.Float(), 'g', -1, 64)
	case cell.Kind() == reflect.String:
		return cell.String()
	}
	return ""
}

// plainCSV begins a table in CSV. It returns the functions that add a row, of what the
// cells hold, and that end the table.
func plainCSV(to io.Writer, fields []arrow.Field, cells []reflect.Value) (add, end func() error) {
	w, record := csv.NewWriter(to), make([]string, len(cells))
	for i, f := range fields {
		record[i] = f.Name
	}
	w.Write(record) // an error stays, and the next row has it
	add = func() error {
		for i, cell := range cells {
			record[i] = plainText(cell)
			if cell.Kind() == reflect.String {
				record[i] = workload.SpreadsheetText(record[i])
			}
		}
		return w.Write(record)
	}
	return add, func() error { w.Flush(); return w.Error() }
}

// addRow adds a row of what the cells hold.
func (t *tableWriter) addRow(cells []reflect.Value) error {
	if t.err != nil {
		return t.err
	}
	for i, cell := range cells {
		c := t.columns[i]
		var word uint64
		switch {
		case cell.CanInt():
			word = uint64(cell.Int())
		case !cell.CanFloat():
			word = c.wordOf(plainText(cell))
		case math.IsInf(cell.Float(), 0):
			word = nullNumber
		default:
			word = math.Float64bits(cell.Float())
		}
		c.add([]uint64{word}, 1)
	}
	return t.added(1)
}
