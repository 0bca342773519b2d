package tables

import (
	"cmp"
	"encoding/csv"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/workload"
)

// WriteRows writes a table of any length as CSV. It calls run once, and run calls save for each
// row in order. A row is a struct with the tags of package field. save returns the first write
// error, so that run can stop early. Columns named in without are left out. Unknown values
// (workload.Unknown, NaN and infinities) are empty; text is made safe for spreadsheets.
func WriteRows[R any](w io.Writer, run func(save func(R) error) error, without ...string) error {
	var row R // reused for every row: cells refers to its fields
	var names []string
	var cells []reflect.Value
	for _, f := range field.Of[R]() {
		if f.Name != "" && !slices.Contains(without, f.Name) {
			names, cells = append(names, f.Name), append(cells, f.Value(field.Row{reflect.ValueOf(&row).Elem()}))
		}
	}
	table, record := csv.NewWriter(w), make([]string, len(cells))
	table.Write(names) // an error is kept and returned for the next row
	err := run(func(r R) error {
		row = r
		for i, cell := range cells {
			record[i] = cellText(cell)
		}
		return table.Write(record)
	})
	table.Flush()
	return cmp.Or(err, table.Error())
}

// cellText returns the text of a cell, "" for an unknown value.
func cellText(cell reflect.Value) string {
	switch {
	case cell.Kind() == reflect.Bool:
		return strconv.FormatBool(cell.Bool())
	case cell.CanInt() && cell.Int() != workload.Unknown:
		return strconv.FormatInt(cell.Int(), 10)
	case cell.CanFloat() && !math.IsNaN(cell.Float()) && !math.IsInf(cell.Float(), 0):
		return strconv.FormatFloat(cell.Float(), 'g', -1, 64)
	case cell.Kind() == reflect.String:
		return workload.SpreadsheetText(cell.String())
	}
	return ""
}
