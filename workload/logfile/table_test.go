package logfile_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

var tableColumns = []workload.TableColumn{
	{Name: "job_id", Kind: workload.TableWhole}, {Name: "predicted_s", Kind: workload.TableNumber},
	{Name: "predictor", Kind: workload.TableText, Optional: true}, {Name: "quantile", Kind: workload.TableNumber, Optional: true},
}

// rowsOf reads a whole table, one line per row.
func rowsOf(t *testing.T, path string) ([]string, error) {
	t.Helper()
	table, done, err := logfile.OpenTable(path, tableColumns)
	if err != nil {
		return nil, err
	}
	defer done()
	var all []string
	for r, err := range table {
		if err != nil {
			return all, err
		}
		for i := range r.Rows {
			line := fmt.Sprintf("%d: %d %g", r.At(i), r.Columns[0].Whole[i], r.Columns[1].Number[i])
			if r.Columns[2].HasText() {
				line += " " + r.Columns[2].TextAt(i)
			}
			if r.Columns[3].Number != nil {
				line += fmt.Sprintf(" %g", r.Columns[3].Number[i])
			}
			all = append(all, line)
		}
	}
	return all, nil
}

// TestTable reads the same table as text, plain and compressed.
func TestTable(t *testing.T) {
	const csv = "other, Predicted_S ,predictor,job_id,quantile\n\nx,1.5,a,7,\n" + `"y, z",2e2,"b",8,0.95` + "\nz,NaN,a,9,NA\nz,-inf,a,10,.5\n"
	want := []string{"3: 7 1.5 a NaN", "4: 8 200 b 0.95", "5: 9 NaN a NaN", "6: 10 -Inf a 0.5"}
	for name, content := range map[string][]byte{"p.csv": []byte(csv), "p.csv.gz": logtest.Gzipped(t, []byte(csv)), "p.txt": []byte(csv)} {
		got, err := rowsOf(t, logtest.TempFile(t, name, content))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
}

// TestTableFaults checks the file, line and field in errors.
func TestTableFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "p.csv: saw an empty file, want a table in CSV"},
		{"\n\n", "p.csv: saw no column names, want a header line with the column names"},
		{"job,predicted_s\n1,2\n", `p.csv:1: columns: saw "job, predicted_s", want one with the name "job_id"`},
		{"job_id,job_id,predicted_s\n", `p.csv:1: columns: saw "job_id" twice, want each column once`},
		{"job_id,predicted_s\n1,2\n2\n", "p.csv:3: saw 1 field, want 2, as in the first line"},
		{"job_id,predicted_s\n\n1,2\nx,2\n", `p.csv:4: job_id: saw "x", want a whole number`},
		{"job_id,predicted_s\n1,1:30\n", `p.csv:2: predicted_s: saw "1:30", want a number`},
		{"job_id,predicted_s\n1,\"2\n", `p.csv:2: saw a quote that is not closed`},
		{"ARROW1\x00\x00", "p.csv: saw an Arrow file, which begins with ARROW1, want a table in CSV"},
		{"PAR1", "p.csv: saw a Parquet file, which begins with PAR1, want a table in CSV"},
	} {
		path := logtest.TempFile(t, "p.csv", []byte(c.text))
		_, err := rowsOf(t, path)
		var fault *workload.InputError
		if !errors.As(err, &fault) || !strings.HasPrefix(strings.Replace(err.Error(), filepath.Dir(path)+"/", "", 1), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := rowsOf(t, t.TempDir()); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Error(err)
	}
}
