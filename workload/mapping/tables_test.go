package mapping_test

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// TestTables reads the tables of testdata/tables. In each archive, the file "options" has a line
// for each option, "columns" has the columns of a mapping, and "mapping" is a complete mapping;
// each replaces its predecessor. Other files are tables, or the text that follows a name in the
// error of the mapping. The file "want" has the expected result for the files before it: an error,
// or jobs as in a .want file. \r, \xe9 and \end stand for a carriage return, a byte, and the end of
// a text without a newline.
func TestTables(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join("testdata", "tables", "*.txt"))
	if len(paths) < 4 {
		t.Errorf("%d files of tables", len(paths))
	}
	for _, path := range paths {
		archive := jobtest.Must(txtar.ParseFile(path))
		var o workload.Options
		var inputs []string
		unescape := strings.NewReplacer(`\r`, "\r", `\xe9`, "\xe9", "\\end\n", "")
		for _, f := range archive.Files {
			text := string(f.Data)
			switch f.Name {
			case "options":
				o = workload.Options{Map: map[string]string{}}
				for line := range strings.Lines(text) {
					key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
					switch column, isPair := strings.CutPrefix(key, "map "); {
					case isPair:
						o.Map[column] = value
					case key == "timezone":
						o.TimeZone = value
					default:
						o.As = value
					}
				}
			case "columns":
				o = workload.Options{MapFile: write(t, "m.json", mappingOf(strings.TrimSpace(text)))}
			case "mapping":
				o = workload.Options{MapFile: write(t, "m.json", strings.TrimSpace(text))}
			case "want":
				if inputs == nil {
					inputs = []string{write(t, "t.csv", "a\n1\n")}
				}
				for _, input := range inputs {
					t.Run(filepath.Base(path)+"/"+filepath.Base(input), func(t *testing.T) { readsAs(t, input, text, o) })
				}
				inputs = nil
			default:
				inputs = append(inputs, write(t, f.Name, unescape.Replace(text)))
			}
		}
		if inputs != nil {
			t.Errorf("%s: nothing is wanted of %q", path, inputs)
		}
	}
}

// readsAs compares the result of reading a file with the expected one: a table of the known
// columns, a blank line, the header lines other than names, and the warnings; or an error.
func readsAs(t *testing.T, input, want string, o workload.Options) {
	t.Helper()
	if strings.HasSuffix(input, ".typed.csv") {
		input = typed(t, input)
	}
	table, notes, _ := strings.Cut(want, "\n\n")
	notes, _, _ = strings.Cut(notes, "\n\nBy hand")
	jobs, gotNotes, err := logtest.JobsOf(input, o)
	if err != nil {
		text := err.Error()
		for _, dir := range []string{filepath.Dir(input) + "/", filepath.Dir(o.MapFile) + "/"} {
			text = strings.ReplaceAll(text, dir, "")
		}
		var fault *workload.InputError
		if part, ok := strings.CutPrefix(strings.TrimSpace(want), "error: "); !ok || !strings.Contains(text, part) || !errors.As(err, &fault) && !strings.HasPrefix(part, "timezone") {
			t.Errorf("error: %s\nwant\n%s", text, want)
		}
		return
	}
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != len(jobs)+1 || gotNotes != strings.TrimSpace(notes) {
		t.Fatalf("%v\n%v\n%s\nwant\n%s", err, jobs, gotNotes, want)
	}
	for i, job := range jobs {
		for at, column := range rows[0] {
			got, want := job[column], rows[i+1][at]
			x, err1 := strconv.ParseFloat(got, 64)
			y, err2 := strconv.ParseFloat(want, 64)
			isName := strings.HasSuffix(column, "_id") // as names, 07 and 7 differ
			if got != want && (isName || err1 != nil || err2 != nil || x != y) {
				t.Errorf("row %d, %s: %q, want %q", i+1, column, got, want)
			}
			delete(job, column)
		}
		if len(job) > 0 {
			t.Errorf("row %d: also %v", i+1, job)
		}
	}
}

// A local time in Parquet within the hour that the clock repeats is the first of the two; one
// within the hour that it skips is interpreted as if the clock had not changed: 02:30 on the last
// Sundays of October and March in Zurich.
func TestParquetClockChanges(t *testing.T) {
	clocks := filepath.Join("..", "columnar", "testdata", "source", "other", "clocks.parquet")
	o := workload.Options{Map: map[string]string{"submit_time": "at"}}
	for zone, want := range map[string]string{
		"Europe/Zurich": `submit_time_s
18140400
0

UnixStartTime: 1711848600
TimeZoneString: Europe/Zurich
times in the repeated hour of a clock change: read as the first of the two; once in line 1: "1729996200" (repeated-hour)
local times that were skipped by a clock change: the time zone is wrong; once in line 2: "1711852200" (skipped-time)
jobs submitted before the previous one: kept in their place; once in line 2: 0 s after 18140400 s (submit-order)`,
		"": `submit_time_s
18144000
0

UnixStartTime: 1711852200
local times without a time zone, read as UTC: name the zone by --timezone, such as Europe/Zurich (time-zone)
jobs submitted before the previous one: kept in their place; once in line 2: 0 s after 18144000 s (submit-order)`,
	} {
		o.TimeZone = zone
		readsAs(t, clocks, want, o)
	}
}

// Each built-in mapping has synthetic files, testdata/made/NAME.*, and their expected result,
// worked out by hand, in NAME.want. A .typed.csv is converted to Parquet with the types given in
// its first line.
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
				data := jobtest.Must(os.ReadFile(input))
				path := write(t, filepath.Base(input), string(data))
				readsAs(t, path, string(want), workload.Options{As: m.Name})
				readsAs(t, path, string(want), workload.Options{MapFile: filepath.Join("sources", m.Name+".json"), Workers: 1})
				if m.Exactly != nil || m.Fields != nil {
					readsAs(t, path, string(want), workload.Options{})
				}
			}
		})
	}
}

// write writes a file for a test.
func write(t *testing.T, name, text string) string {
	t.Helper()
	return logtest.TempFile(t, name, []byte(text))
}

// typed converts a CSV file to Parquet; its first line has the columns' types, after a colon.
func typed(t *testing.T, path string) string {
	t.Helper()
	data := jobtest.Must(os.ReadFile(path))
	name := strings.TrimSuffix(filepath.Base(path), ".typed.csv") + ".parquet"
	return write(t, name, string(logtest.ForeignParquet(t, logtest.TypedRecord(t, string(data)), 2)))
}

// mappingOf returns a mapping with these columns, on line 2.
func mappingOf(columns string) string {
	return "{\"schema\": \"loadstone.mapping/1\",\n\"columns\": {" + columns + "}}"
}
