package workload

import (
	"path/filepath"
	"testing"
)

// A file tells before it is read which columns have no value, as far as its format
// counts them; a text never does.
func TestLogLacks(t *testing.T) {
	none, some := UnknownJob(), UnknownJob()
	none.ID, none.Submit, none.Run = 1, 0, 5
	some.ID, some.Submit, some.Run, some.Wait = 2, 1, 5, 3
	for _, c := range []struct {
		name  string
		jobs  []Job
		waits bool // are lacking
	}{
		{"none.parquet", []Job{none, none}, true}, {"some.parquet", []Job{none, some}, false},
		{"none.arrow", []Job{none}, false}, {"none.swf", []Job{none}, false},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		out, err := Create(path, Header{}, WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := out.WriteAll(Batches(func(yield func(Job, error) bool) {
			for _, j := range c.jobs {
				if !yield(j, nil) {
					return
				}
			}
		}, nil)); err != nil {
			t.Fatal(err)
		}
		if err := out.Commit(); err != nil {
			t.Fatal(err)
		}
		log, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := log.Lacks(ColWaitTime); got != c.waits {
			t.Errorf("%s: lacks waits: %t, want %t", c.name, got, c.waits)
		}
		if log.Lacks(ColRunTime) {
			t.Errorf("%s: lacks run times", c.name)
		}
		log.Close()
	}
}
