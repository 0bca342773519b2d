package mapping_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// write writes a file of a test.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// of is a mapping of those columns, on line 2.
func of(columns string) string {
	return "{\"schema\": \"loadstone.mapping/1\",\n\"columns\": {" + columns + "}}"
}

// What is wrong with a mapping is said with its line and path, what was seen and what
// was expected.
func TestMappingFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":   ": saw an empty file, want one document in YAML or JSON",
		`{}`: `:1: schema: saw nothing, want "loadstone.mapping/1"`,
		`{"schema": "loadstone.mapping/2", "columns": {"job_id": "a"}}`:                                           `:1: schema: saw "loadstone.mapping/2", want "loadstone.mapping/1"`,
		`{"schema": "loadstone.mapping/1"}`:                                                                       `:1: columns: saw nothing, want the columns of the job table`,
		"{\"schema\": \"loadstone.mapping/1\",\n \"colums\": 1}":                                                  `:2: colums: saw an unknown key, want one of schema, name`,
		of(`"run_time_s": "a", "run_time_s": "b"`):                                                                `:2: columns.run_time_s: saw the key a second time, want each key once`,
		of(`"runtime": "a"`):                                                                                      `:2: columns.runtime: saw "runtime", want a column of the job table: run_time_s`,
		of(`"gpus": "a"`):                                                                                         `:2: columns.gpus: saw "gpus", want a column of the job table: requested_gpus, allocated_gpus`,
		of(`"colour": "a"`):                                                                                       `:2: columns.colour: saw "colour", want a column of the job table: job_id, submit_time_s`,
		of(`"run_time_s": ""`):                                                                                    `:2: columns.run_time_s.column: saw "", want a text`,
		of(`"run_time_s": {"colum": "a"}`):                                                                        `:2: columns.run_time_s.colum: saw an unknown key, want one of column, value, form`,
		of(`"run_time_s": {}`):                                                                                    `:2: columns.run_time_s: saw no column, want a column of the file, or a value`,
		of(`"run_time_s": {"value": 1, "column": "a"}`):                                                           `:2: columns.run_time_s.value: saw value and also column, want one of them`,
		of(`"user_id": {"value": 1}`):                                                                             `:2: columns.user_id.value: saw a value of the form "name", want one of the form "number"`,
		of(`"run_time_s": {"value": "1"}`):                                                                        `:2: columns.run_time_s.value: saw "1", want a number`,
		of(`"run_time_s": {"column": "a", "unit": "weeks"}`):                                                      `:2: columns.run_time_s.unit: saw "weeks", want for run_time_s one of ns, us, ms, s, min, h, d`,
		of(`"requested_memory_kb": {"column": "a", "unit": "min"}`):                                               `:2: columns.requested_memory_kb.unit: saw "min", want for requested_memory_kb one of B, KB, KiB, MB`,
		of(`"user_id": {"column": "a", "unit": "1"}`):                                                             `:2: columns.user_id.unit: saw "1", want no unit: the form "name" of user_id has none`,
		of(`"requested_nodes": {"column": "a", "unit": "1"}`):                                                     `:2: columns.requested_nodes.unit: saw "1", want no unit: the form "number" of requested_nodes has none`,
		of(`"run_time_s": {"column": "a", "form": "name"}`):                                                       `:2: columns.run_time_s.form: saw "name", want for run_time_s number`,
		of(`"start_time_s": {"column": "a", "times": 2}`):                                                         `:2: columns.start_time_s: saw an expression of the form "timestamp", want one of numbers`,
		of(`"run_time_s": {"minus": ["a"]}`):                                                                      `:2: columns.run_time_s.minus: saw a list, want a text`,
		of(`"run_time_s": {"column": "a", "match": "("}`):                                                         `:2: columns.run_time_s.match: saw "(", want a regular expression (error parsing regexp: missing closing )`,
		of(`"submit_time_s": "a", "interarrival_time_s": "b"`):                                                    `:2: columns.interarrival_time_s: saw an entry and also submit_time_s, want one of them`,
		of(`"status": {"column": "a", "values": {"x": "done"}}`):                                                  `:2: columns.status.values.x: saw "done", want failed, completed`,
		of(`"user_id": {"column": "a", "values": {"x": "failed"}}`):                                               `:2: columns.user_id.values: saw names of values, want none: they are for a status`,
		of(`"requested_processors": {"column": "a", "round": "sideways"}`):                                        `:2: columns.requested_processors.round: saw "sideways", want one of up, down, nearest`,
		of(`"run_time_s": {"column": "a", "round": "up"}`):                                                        `:2: columns.run_time_s.round: saw "up", want no rounding: run_time_s is no count`,
		of(`"run_time_s": {"column": "a", "unknown": [[]]}`):                                                      `:2: columns.run_time_s.unknown[0]: saw a list, want a text`,
		of(`"run_time_s": [{"column": "a"}, {"colum": "b"}]`):                                                     `:2: columns.run_time_s[1].colum: saw an unknown key`,
		of(`"run_time_s": [{"column": "a"}, {"column": "b", "round": "up"}]`):                                     `:2: columns.run_time_s[1].round: saw "up", want no rounding`,
		"{\"schema\": \"loadstone.mapping/1\",\n\"time_zone\": \"CET!\", \"columns\": {\"job_id\": \"a\"}}":       `:2: time_zone: saw "CET!", want a name such as Europe/Zurich`,
		"{\"schema\": \"loadstone.mapping/1\",\n\"header\": {\"a: b\": \"z\"}, \"columns\": {\"job_id\": \"a\"}}": `:2: header.a: b: saw "a: b", want the name of a line of the header, such as MaxProcs`,
		"{\"schema\": \"loadstone.mapping/1\",\n\"header\": {\"MaxProcs\": \"many\"}, \"columns\": {\"job_id\": \"a\"}}": `:2: header.MaxProcs: saw "many", want a whole number`,
		"{\"schema\": \"loadstone.mapping/1\",\n\"fields\": [\"a\", \"b[n]\"], \"columns\": {\"job_id\": \"a\"}}":        `:2: fields[1]: saw "b[n]", want the name of a field before it in brackets`,
		"{\"schema\": \"loadstone.mapping/1\",\n\"only\": {\"a\": \"*\"}, \"columns\": {\"job_id\": \"a\"}}":             `:2: only.a: saw "*", want a regular expression (`,
	} {
		path := write(t, "m.json", text)
		_, err := mapping.Read(path)
		var input *workload.InputError
		if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %s", text, err, want)
		}
	}
}

// Values that are not what a mapping says stop the reading, with file, line, column,
// what was seen and what was expected.
func TestValueFaults(t *testing.T) {
	for _, c := range []struct{ columns, table, want string }{
		{`"run_time_s": "b"`, "a,c\n1,2\n", `columns: saw "a", "c", want "b", from which the mapping m reads run_time_s`},
		{`"run_time_s": {"column": ["x", "y"]}`, "a,c\n1,2\n", `columns: saw "a", "c", want "x", from which the mapping m reads run_time_s`},
		{`"run_time_s": {"column": "b", "optional": true}`, "a,c\n1,2\n", `columns: saw "a", "c", want those of the mapping m`},
		{`"run_time_s": "a"`, "a,c\n1,2\nx,2\n", `:3: a (run_time_s): saw "x", want seconds, or a time such as 1-02:03:04`},
		{`"run_time_s": "a"`, "a,c\n1,2\n1e999,2\n", `:3: a (run_time_s): saw "1e999", want a finite number`},
		{`"run_time_s": "a"`, "a,c\n1:2:3:4,2\n", `:2: a (run_time_s): saw "1:2:3:4", want`},
		{`"submit_time_s": "a"`, "a,c\n12,2\n", `:2: a (submit_time_s): saw "12", want a time such as 2024-05-31 14:30:00`},
		{`"run_time_s": {"column": "wait_time_s", "plus": "a"}, "wait_time_s": {"column": "a", "plus": "run_time_s"}`, "a,c\n12,2\n", `wait_time_s: saw a column that the mapping m computes from itself`},
		{`"run_time_s": {"column": "a", "times": "b"}`, "a,c\n12,2\n", `columns: saw "a", "c", want "b", from which the mapping m reads run_time_s`},
		{`"requested_processors": "a"`, "a,c\nmany,2\n", `:2: a (requested_processors): saw "many", want a whole number`},
		{`"run_time_s": {"column": "a", "times": "c"}`, "a,c\n1e200,1e200\n", `:2: a (run_time_s): saw "1e200", want a finite number`},
		{`"run_time_s": "a"`, `{"a": 1}` + "\n" + `{"a": [1]}` + "\n", `:2: a: saw a list, want one value`},
		{`"run_time_s": "a"`, `{"a": 1, "a": 2}` + "\n", `a: saw a key that is given twice, want it once`},
		{`"run_time_s": "a"`, `{"a": 1}` + "\n" + `{"a": 1`, `:2: saw the end of the text, want`},
		{`"run_time_s": "a"`, `[{"a": 1}, {"a": "x"}]`, `:1: a (run_time_s): saw "x", want seconds`},
		{`"run_time_s": "a"`, `[{"a": 1}, {"a": 2}`, `want the rest of the array: it was cut short`},
		{`"run_time_s": "a"`, `[1, 2]`, "saw"},
		{`"run_time_s": "a.b"`, `{"a": {"c": 1}}`, `columns: saw "a.c", want "a.b", from which the mapping m reads run_time_s`},
	} {
		path := write(t, "t.csv", c.table)
		l, err := logfile.Open(path, workload.Options{MapFile: write(t, "m.json", of(c.columns))})
		if err == nil {
			for _, e := range l.Jobs() {
				err = e
			}
			l.Close()
		}
		var input *workload.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %q: %v, want %s", c.columns, c.table, err, c.want)
		}
	}
}

// Lines that are none of a built-in mapping's stop the reading in their line.
func TestLineFaults(t *testing.T) {
	const engine = "q1:n1:lab:ada:t:77:sge:0:1931200000:1931200300:1931200900:0:0:600:1100.5:9.5:0:0:0:0:0:1:0:0:0:0:0:0:0:0:0:p1:d1:smp:2:3:1110.0:30.5:0.1:-l h_rt=900 -pe smp 2:0.0:NONE:1073741824.0:0:0\n"
	for _, c := range []struct{ as, text, want string }{
		{"htcondor", "ClusterId = 1\nProcId = 0\nQDate = 1700000000\ngarbage\nJobStatus = 4\n", `:4: saw "garbage", want name = value, or the end of the record`},
		{"grid-engine", engine + strings.Repeat("1931200000:", 30) + "\n", `:2: saw 31 fields in`},
		{"grid-engine", engine + strings.Repeat("1931200000:", 30) + "\n", `want at least 43`},
	} {
		l, err := logfile.Open(write(t, "t.log", c.text), workload.Options{As: c.as})
		if err == nil {
			for _, e := range l.Jobs() {
				err = e
			}
			l.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.as, err, c.want)
		}
	}
}
