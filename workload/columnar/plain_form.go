package columnar

import "io"

// PlainForm is the form of a table that is not one of jobs, predictions say. What is
// unknown in a row (workload.Unknown, NaN or infinite) is null, in CSV empty; texts in
// CSV are workload.SpreadsheetText.
type PlainForm[R any] struct {
	Schema string // the table's name and version
	Fields []PlainField[R]
}

// PlainField is a column, and its value in a row.
type PlainField[R any] struct {
	plainColumn
	fill func(*plainTable, *R)
}

// TextField returns a column of texts.
func TextField[R any](name, meaning string, value func(*R) string) PlainField[R] {
	return PlainField[R]{plainColumn{name, "", meaning, plainText}, func(t *plainTable, r *R) { t.text(value(r)) }}
}

// IntField returns a column of whole numbers.
func IntField[R any](name, unit, meaning string, value func(*R) int64) PlainField[R] {
	return PlainField[R]{plainColumn{name, unit, meaning, plainInt}, func(t *plainTable, r *R) { t.integer(value(r)) }}
}

// FloatField returns a column of numbers.
func FloatField[R any](name, unit, meaning string, value func(*R) float64) PlainField[R] {
	return PlainField[R]{plainColumn{name, unit, meaning, plainFloat}, func(t *plainTable, r *R) { t.float(value(r)) }}
}

// Write writes a table to w, which it leaves open, in one of PlainFormats. run gets
// what writes a row, which returns the first error of writing, so that a long table
// can be left early. Memory is one batch, however long the table is.
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
