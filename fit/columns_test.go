package fit

import (
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A model may not import the job table, so its columns are a list of their own:
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
		t.Errorf("a model's classes are told by %q, the table has the identifiers %q", got, want)
	}
}
