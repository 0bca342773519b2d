package mapping_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// FuzzMapping reads a table by a mapping and checks that every fault of either is an *InputError.
func FuzzMapping(f *testing.F) {
	made, _ := filepath.Glob(filepath.Join("testdata", "made", "*.[cjs]*"))
	for _, path := range made {
		table, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		name := filepath.Base(path)
		m, err := os.ReadFile(filepath.Join("sources", name[:len(name)-len(filepath.Ext(name))]+".json"))
		if err == nil {
			f.Add(m, table)
		}
	}
	f.Add([]byte(mappingOf(`"run_time_s": {"column": "a", "over": "wait_time_s"}, "wait_time_s": {"column": "b", "unit": "h"}`)), []byte("a,b\n1,1:00\n"))
	f.Fuzz(func(t *testing.T, m, table []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, "m.json")
		jobtest.NoError(t, os.WriteFile(path, m, 0o600))
		var input *workload.InputError
		if _, err := mapping.Read(path); err != nil {
			if !errors.As(err, &input) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		data := filepath.Join(dir, "t.csv")
		jobtest.NoError(t, os.WriteFile(data, table, 0o600))
		if _, err := logtest.Drain(logfile.Open(data, workload.Options{MapFile: path, Workers: 1})); err != nil && !errors.As(err, &input) {
			t.Fatalf("%T %v", err, err)
		}
	})
}
