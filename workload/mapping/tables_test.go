package mapping_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

func TestTables(t *testing.T) { logtest.Archives(t) }

// Each built-in mapping has made files, testdata/made/NAME.*, and what comes of them by
// hand, NAME.want. A .typed.csv becomes Parquet, of the types that its first line names.
func TestMadeFiles(t *testing.T) {
	for _, m := range mapping.List() {
		t.Run(m.Name, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata", "made", m.Name+".want"))
			inputs, _ := filepath.Glob(filepath.Join("testdata", "made", m.Name+".*"))
			if err != nil || len(inputs) < 2 {
				t.Fatalf("%d files, %v", len(inputs), err)
			}
			for _, input := range inputs {
				if filepath.Ext(input) == ".want" {
					continue
				}
				data, err := os.ReadFile(input)
				if err != nil {
					t.Fatal(err)
				}
				path := write(t, filepath.Base(input), string(data))
				logtest.ReadsAs(t, path, string(want), workload.Options{As: m.Name})
				logtest.ReadsAs(t, path, string(want), workload.Options{MapFile: filepath.Join("sources", m.Name+".json"), Workers: 1})
				if m.Exactly != nil || m.Fields != nil {
					logtest.ReadsAs(t, path, string(want), workload.Options{})
				}
			}
		})
	}
}

// write writes a file of a test.
func write(t *testing.T, name, text string) string {
	t.Helper()
	return logtest.TempFile(t, name, []byte(text))
}
