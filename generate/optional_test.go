package generate

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Jobs of a model whose classes are qualities of service have that column, and
// the workload declares it for writers of files.
func TestOptionalClassColumn(t *testing.T) {
	s := site(t, model.Lublin1999)
	for i := range s.Classes {
		s.Classes[i].Column = workload.ColumnAt(workload.ColQOS).Name
	}
	w := build(t, s, Options{Jobs: 200, Seed: 1})
	if got, want := w.Optional(), workload.ColumnSetOf(workload.ColQOS); got != want {
		t.Errorf("declares %b, want %b", got, want)
	}
	for batch, err := range w.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Optional().CheckDeclared(batch); err != nil {
			t.Error(err)
		}
		if n := workload.NewView(batch).Nulls(workload.ColQOS); n > 0 {
			t.Errorf("%d jobs without a quality of service", n)
		}
	}
}
