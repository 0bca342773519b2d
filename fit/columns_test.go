package fit

import (
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Package model may not import the job table, so it has its own list of columns, which must equal
// the table's identifiers.
func TestColumnsOfModelsAreOfTheTable(t *testing.T) {
	var want []string
	for _, at := range workload.ColumnsOf(workload.Identifier) {
		want = append(want, workload.ColumnAt(at).Name)
	}
	got := model.Columns()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("a model's classes have the columns %q, the table has the identifiers %q", got, want)
	}
}
