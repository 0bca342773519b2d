package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMapIsObeyed: a table whose first columns are those of a job table is read as --map
// says. Its run times are in a column of minutes.
func TestMapIsObeyed(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if got := loadstone(t, "", "-q", "convert", writeLog(t, tiny), "-o", path("own.csv")); got.code != exitDone {
		t.Fatal(got.err)
	}
	lines, err := os.ReadFile(path("own.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(lines)), "\n")
	for i := range rows {
		rows[i] += map[bool]string{true: ",minutes", false: ",7"}[i == 0]
	}
	m := `{"schema": "loadstone.mapping/1", "columns": {"submit_time_s": {"column": "submit_time_s", "form": "relative"}, "run_time_s": {"column": "minutes", "unit": "min"}}}`
	for name, text := range map[string]string{"own.csv": strings.Join(rows, "\n") + "\n", "site.json": m} {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := loadstone(t, "", "convert", "--format", "swf", "--map", path("site.json"), path("own.csv"))
	if got.code != exitDone || strings.Contains(got.err, "no effect") || strings.Count(got.out, " -1 420 ") != 4 {
		t.Errorf("exit code %d, %s%s", got.code, got.out, got.err)
	}
}

// Tables of other programs are read by a mapping that --map or --as names.
func TestMappingFlags(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	m := file("site.json", `{"schema": "loadstone.mapping/1", "columns": {"submit_time_s": {"column": "at", "form": "relative"}, "run_time_s": {"minus": ["to", "from"], "unit": "min"}}}`)
	bad := file("bad.json", "{\"schema\": \"loadstone.mapping/1\",\n\"columns\": {\"run_time_s\": {\"column\": \"a\", \"unit\": \"weeks\"}}}")
	table := file("log.jsonl", "{\"at\": 0, \"from\": 1, \"to\": 3}\n{\"at\": 5, \"from\": 2, \"to\": 3}\n")
	swf := writeLog(t, tiny)
	for _, c := range []struct {
		args []string
		code int
		out  string
		err  string
	}{
		{[]string{"convert", "--format", "swf", "--map", m, table}, exitDone, "-1 0 -1 120 ", ""},
		{[]string{"convert", "--format", "swf", "--map", m, swf}, exitDone, "", "--map has no effect: a mapping is for CSV, JSON lines and Parquet of other programs, and this is swf"},
		{[]string{"convert", "--format", "swf", "--as", "helios", swf}, exitDone, "", "--as has no effect"},
		{[]string{"convert", "--format", "swf", "--as", "helios", table}, exitFailed, "", `columns: saw "at", "from", "to", want "job_id", from which the mapping helios reads job_id`},
		{[]string{"convert", table}, exitFailed, "", "saw JSON"},
		{[]string{"convert", "--as", "list", table}, exitUsage, "", `saw "list", want one of acme-kalos, acme-seren, adastra, alibaba-openb-2023, `},
		{[]string{"convert", "--as", "helios", "--map", m, table}, exitUsage, "", "not both"},
		{[]string{"convert", "--map", m, "--map", "user=who", table}, exitUsage, "", ""},
		{[]string{"convert", "--map", bad, table}, exitUsage, "", `bad.json:2: columns.run_time_s.unit: saw "weeks", want for run_time_s one of ns, us, ms, s, min, h, d` + "\nSee 'loadstone help sources'.\n"},
		{[]string{"convert", "--map", filepath.Join(dir, "none.json"), table}, exitUsage, "", "none.json"},
	} {
		got := loadstone(t, "", c.args...)
		if got.code != c.code || !strings.Contains(got.out, c.out) || !strings.Contains(got.err, c.err) {
			t.Errorf("%v: code %d, output %s%s, want code %d, %s%s", c.args, got.code, got.out, got.err, c.code, c.out, c.err)
		}
	}
}
