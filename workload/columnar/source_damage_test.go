package columnar_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// sourceFiles are those of testdata/source.
func sourceFiles(t logtest.Failer) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "source", "*.parquet"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		if files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// readAll reads every column that a file says it has, by the kind that it says.
func readAll(b []byte, o workload.Options) error {
	s, err := columnar.OpenSource("x.parquet", bytes.NewReader(b), int64(len(b)), o)
	if err != nil {
		return err
	}
	var columns []workload.TableColumn
	for _, c := range s.Columns() {
		if !c.Nested {
			columns = append(columns, workload.TableColumn{Name: c.Name, Kind: c.Kind})
		}
	}
	for rows, err := range s.Read(columns) {
		if err != nil {
			return err
		}
		// A few bytes can stand for very many nulls.
		if rows.Row > 1<<18 {
			return nil
		}
		for i, c := range columns {
			v := rows.Columns[i]
			if len(v.Whole)+len(v.Number)+len(v.Text) != rows.Rows {
				return errors.New(c.Name + ": not one value a row")
			}
		}
	}
	return nil
}

// checkRead reads a file, which may be damaged.
func checkRead(t logtest.Failer, b []byte) {
	t.Helper()
	var input *workload.InputError
	if err := readAll(b, workload.Options{Workers: 1}); err != nil && !errors.As(err, &input) {
		t.Fatalf("%T %v", err, err)
	}
}

// Damaged files of every type, encoding and codec end in one input error, or in
// values.
func TestDamagedSources(t *testing.T) {
	trials := 300
	if testing.Short() {
		trials = 30
	}
	for name, b := range sourceFiles(t) {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, 1))
			for range trials {
				checkRead(t, damage(rng, b))
			}
		})
	}
}

func FuzzSource(f *testing.F) {
	for _, b := range sourceFiles(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkRead(t, b) })
}
