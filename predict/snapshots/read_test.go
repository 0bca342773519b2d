package snapshots

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// plain is a mapping with one of each.
func plain() *Mapping {
	return &Mapping{Schema: MappingSchema, Name: "plain", Time: "t", Answer: "wait", Unit: "min", Group: "part", Times: []string{"submit"}, Numbers: []string{"cpus", "share"}}
}

func TestRead(t *testing.T) {
	r := NewReader(plain())
	for _, text := range []string{
		"id,part,t,submit,cpus,share,wait\n7,b,2021-05-02 12:00:00,2021-05-02 11:59:00,4,0.5,2\n8,a,2021-05-02 12:00:00,,x1,inf,\n",
		"\ufeffwait,share,cpus,submit,t,part\n1.5,,1e3,1619870390,1619870400,b\n", // 2021-05-01 12:00:00
	} {
		text = strings.Replace(text, "x1", "", 1)
		if err := r.Read("f.csv", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := r.Table()
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	want := []Row{
		{1619870400, 90, 0, []float64{10, 1000, nan}},
		{1619956800, 120, 0, []float64{60, 4, 0.5}},
		{1619956800, nan, 1, []float64{nan, nan, nan}},
	}
	same := func(a, b float64) bool { return a == b || a != a && b != b }
	if len(got.Rows) != len(want) || !slices.Equal(got.Groups, []string{"b", "a"}) {
		t.Fatalf("%+v, %q", got.Rows, got.Groups)
	}
	for i, g := range got.Rows {
		if w := want[i]; g.Time != w.Time || !same(g.Wait, w.Wait) || g.Group != w.Group || !slices.EqualFunc(g.Features, w.Features, same) {
			t.Errorf("row %d: %+v, want %+v", i, g, w)
		}
	}
	if s := got.Snapshots(); len(s) != 2 || len(s[0]) != 1 || len(s[1]) != 2 {
		t.Errorf("%d snapshots", len(s))
	}
	if !got.Rows[0].Known(1619870490) || got.Rows[0].Known(1619870489) || got.Rows[2].Known(1e12) {
		t.Error("a wait is known once the job has started")
	}
}

func TestReadFaults(t *testing.T) {
	const head = "part,t,submit,cpus,share,wait\n"
	for text, want := range map[string]string{
		"":                                   "f.csv: saw nothing, want a table",
		"part,t,submit\n":                    `f.csv:1: saw no column wait, cpus, share, want the columns of the mapping "plain"`,
		head + "a,0,0,1,1\n":                 "f.csv:2: want comma-separated values, as many in each line",
		head + "a,0,0,1,1,1\na,0,0,1,1,-1\n": `f.csv:3: wait: saw "-1", want a time of 0 or more, or nothing`,
		head + "a,0,0,1,1,NaN\n":             `f.csv:2: wait: saw "NaN"`,
		head + "a,0,0,1,1,+Inf\n":            `f.csv:2: wait: saw "+Inf"`,
		head + "a,noon,0,1,1,1\n":            `f.csv:2: t: saw "noon", want a date and time`,
		head + "a,NaN,0,1,1,1\n":             `f.csv:2: t: saw "NaN", want a date and time`,
		head + "a,0,soon,1,1,1\n":            `f.csv:2: submit: saw "soon", want a date and time, seconds or nothing`,
		head + "a,0,0,many,1,1\n":            `f.csv:2: cpus: saw "many", want a number, or nothing`,
		head + "a,0,0,\"1,1,1\n":             "f.csv:2: ",
	} {
		err := NewReader(plain()).Read("f.csv", strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := NewReader(plain()).Table(); err == nil {
		t.Error("a table without rows is no error")
	}
}

func FuzzRead(f *testing.F) {
	f.Add("part,t,submit,cpus,share,wait\na,0,0,1,1,1\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := NewReader(plain())
		if r.Read("f.csv", strings.NewReader(text)) == nil {
			r.Table()
		}
	})
}

func TestMapping(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "m.json")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const good = `{"schema":"loadstone.snapshots-mapping/1","name":"mine","time":"t","answer":"w","unit":"s","group":"g","numbers":["a","g"],"times":["s"]}`
	m, err := FindMapping(write(good))
	if err != nil || m.Name != "mine" || !slices.Equal(m.Features(), []string{"s", "a", "g"}) {
		t.Errorf("%+v, %v", m, err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"mapping/1", "mapping/2", `schema: saw "loadstone.snapshots-mapping/2"`},
		{`"s","group"`, `"d","group"`, `unit: saw "d", want s, min or h`},
		{`["a","g"]`, `[]`, ""}, // times are features too
		{`["a","g"],"times":["s"]`, `[]`, "numbers: saw none"},
		{`["a","g"]`, `["a","a"]`, `numbers: saw "a", which is in numbers too`},
		{`["a","g"]`, `["a","w"]`, `numbers: saw "w", which is in answer too`},
		{`["a","g"]`, `["t"]`, `numbers: saw "t", which is in time too`},
		{`["a","g"]`, `[""]`, "numbers: saw an empty name"},
		{`"time":"t"`, `"time":""`, "time: saw an empty name"},
		{`"name"`, `"nom"`, `unknown field "nom"`},
		{`["a","g"]`, `"a"`, "numbers: saw a string, want a list"},
		{`}`, `}}`, "more behind the object"},
		{`{`, `[`, "mapping of snapshots"},
	} {
		_, err := FindMapping(write(strings.Replace(good, c.old, c.new, 1)))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
	if _, err := FindMapping("slurm"); err == nil || !strings.Contains(err.Error(), "slurm-queue-time-pred") {
		t.Errorf("%v", err)
	}
	if _, err := FindMapping("missing.json"); err == nil || !strings.Contains(err.Error(), "missing.json") {
		t.Errorf("%v", err)
	}
}

// TestBuiltin: the built-in mapping has no column that is known only later, and is
// found by its columns.
func TestBuiltin(t *testing.T) {
	for _, m := range builtin() {
		if err := m.Validate(); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		if MappingOf(append(m.Columns(), "other")) != nil && MappingOf(m.Columns()[1:]) == nil {
			continue
		}
		t.Errorf("%s is not found by its columns", m.Name)
	}
	later := strings.Fields("partition_id_x alloc_nodes state priority_x eligible_time start_time elapsed_time end_time submit_wait submit_wait_sec eligible_wait eligible_wait_sec run_time run_time_sec poll_wait poll_wait_sec")
	for _, column := range slurmQueueTime().Features() {
		if slices.Contains(later, column) {
			t.Errorf("%s is known only later", column)
		}
	}
}
