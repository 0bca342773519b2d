package workload

import "fmt"

// ColumnSet is a set of columns of the job table. Writers of Parquet, Arrow and CSV write
// all required columns and the optional ones (from FirstOptional on) that are in their set.
// The zero value is empty.
type ColumnSet uint64

// ColumnSetOf returns the set of some columns.
func ColumnSetOf(columns ...int) ColumnSet {
	var s ColumnSet
	for _, c := range columns {
		s |= 1 << c
	}
	return s
}

// OptionalColumns is the set of all optional columns.
var OptionalColumns = func() (s ColumnSet) {
	for c := FirstOptional; c < NumColumns; c++ {
		s |= 1 << c
	}
	return s
}()

// Has reports whether a column is in the set.
func (s ColumnSet) Has(column int) bool { return s>>column&1 != 0 }

// Written returns the columns that a file with this set has, in schema order.
func (s ColumnSet) Written() []int {
	at := make([]int, 0, NumColumns)
	for c := range NumColumns {
		if c < FirstOptional || s.Has(c) {
			at = append(at, c)
		}
	}
	return at
}

// Optional returns the optional columns that the log has, as far as the file
// tells before it is read (see Lacks).
func (l *Log) Optional() ColumnSet {
	var s ColumnSet
	for c := FirstOptional; c < NumColumns; c++ {
		if !l.from.Lacks[c] {
			s |= 1 << c
		}
	}
	return s
}

// CheckDeclared returns an error if a batch has a value in an optional column that is not
// in the set, and that a writer would therefore lose.
func (s ColumnSet) CheckDeclared(b *Batch) error {
	for c := FirstOptional; c < NumColumns; c++ {
		if s.Has(c) {
			continue
		}
		if n := b.Known(c); n > 0 {
			return fmt.Errorf("%s: %d values of a column that was not declared when the file was begun", columns[c].Name, n)
		}
	}
	return nil
}
