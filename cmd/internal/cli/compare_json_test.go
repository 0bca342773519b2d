package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompareJSON: logs in JSON are logs, and models are models.
func TestCompareJSON(t *testing.T) {
	var jobs, table []string
	for i := range 6 {
		begin := 1700000000 + 100*i
		jobs = append(jobs, fmt.Sprintf(`{"job_id": %d, "user": "a", "partition": "p", "time": {"submission": %d, "start": %d, "end": %d, "elapsed": %d}, "state": {"current": ["COMPLETED"]}, "required": {"CPUs": 4}, "tres": {"allocated": [{"type": "cpu", "count": 4}]}}`,
			i+1, begin, begin+10, begin+20+i, 10+i))
		table = append(table, fmt.Sprintf(`{"id": %d, "at": %d, "ran": %d, "cpus": 4}`, i+1, begin, 10+i))
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	slurm := file("sacct.json", `{"jobs": [`+strings.Join(jobs, ",")+`]}`)
	lines := file("table.json", strings.Join(table, "\n"))
	names := "--map=" + file("mapping.json", `{"schema": "loadstone.mapping/1", "columns": {"job_id": "id", "submit_time_s": {"column": "at", "form": "unix"}, "run_time_s": "ran", "allocated_processors": "cpus"}}`)
	site := file("site.json", loadstone(t, "", "models", "show", "lublin1999").out)
	for _, args := range [][]string{
		{slurm, slurm},
		{slurm, site},
		{lines, site, names},
	} {
		got := loadstone(t, "", append([]string{"compare", "--jobs", "50"}, args...)...)
		if got.code != exitDone || !strings.Contains(got.out, "run_time") {
			t.Errorf("%q: exit code %d, %q", args, got.code, got.err)
		}
	}
	// JSON of neither kind is taken for a model, whose error names what is missing.
	if got := loadstone(t, "", "compare", slurm, file("other.json", `{"a": 1}`)); got.code != exitFailed || !strings.Contains(got.err, "schema: missing") {
		t.Errorf("exit code %d, %q", got.code, got.err)
	}
}
