package columnar

import "io"

// PlainForm describes the columns of a table that does not hold jobs, such as
// predictions, with rows of type R. Unknown values (workload.Unknown, NaN and infinities)
// are written as null, in CSV as empty fields. Texts in CSV are made safe for
// spreadsheets by workload.SpreadsheetText.
type PlainForm[R any] struct {
	Schema string // name and version, such as loadstone.wait-predictions/1; kept as metadata in Parquet and Arrow
	Fields []PlainField[R]
}

// PlainField is a column of a PlainForm: its name, unit and meaning, and the function that
// returns its value in a row. TextField, IntField and FloatField make one.
type PlainField[R any] struct {
	plainColumn
	fill func(*plainTable, *R)
}

// TextField returns a column of strings.
func TextField[R any](name, meaning string, value func(*R) string) PlainField[R] {
	return PlainField[R]{plainColumn{name, "", meaning, plainText}, func(t *plainTable, r *R) { t.text(value(r)) }}
}

// IntField returns a column of int64 values. The unit is "" for a plain number;
// workload.Unknown is written as null.
func IntField[R any](name, unit, meaning string, value func(*R) int64) PlainField[R] {
	return PlainField[R]{plainColumn{name, unit, meaning, plainInt}, func(t *plainTable, r *R) { t.integer(value(r)) }}
}

// FloatField returns a column of float64 values. The unit is "" for a plain number; NaN
// and infinities are written as null.
func FloatField[R any](name, unit, meaning string, value func(*R) float64) PlainField[R] {
	return PlainField[R]{plainColumn{name, unit, meaning, plainFloat}, func(t *plainTable, r *R) { t.float(value(r)) }}
}

// Write writes a table to w in one of PlainFormats; it does not close w. It calls run
// once, and run calls save for each row in order. save returns the first error in
// writing, so that run can stop early. Rows are written in batches, so memory use does
// not grow with the table.
func (p PlainForm[R]) Write(format string, w io.Writer, run func(save func(R) error) error) error {
	columns := make([]plainColumn, len(p.Fields))
	for i := range p.Fields {
		columns[i] = p.Fields[i].plainColumn
	}
	t, err := newPlainTable(format, w, p.Schema, columns)
	if err != nil {
		return err
	}
	var row R // one for all, since fill lets it escape
	err = run(func(r R) error {
		row = r
		for i := range p.Fields {
			p.Fields[i].fill(t, &row)
		}
		return t.err
	})
	if fault := t.close(); err == nil {
		err = fault
	}
	return err
}
