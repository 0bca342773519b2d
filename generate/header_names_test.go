package generate

import (
	"maps"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
)

// The header names the values of whichever column tells the classes, so that
// classes of the jobs drawn can be asked for by name.
func TestHeaderNamesTheClasses(t *testing.T) {
	for column, max := range map[string]string{"queue_id": "MaxQueues", "partition_id": "MaxPartitions", "user_id": "", "group_id": "", "application_id": ""} {
		site, err := model.Preset("lublin1999")
		if err != nil {
			t.Fatal(err)
		}
		for i := range site.Classes {
			site.Classes[i].Column, site.Classes[i].Value = column, int64(3+i)
		}
		w, err := New(site, Options{Jobs: 2, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		want := map[int64]string{3: site.Classes[0].Name, 4: site.Classes[1].Name}
		if got := w.Header.NamesOf(column); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", column, got, want)
		}
		if got := w.Header.Get(max); max != "" && got != "2" {
			t.Errorf("%s: %q, want 2", max, got)
		}
	}
}
