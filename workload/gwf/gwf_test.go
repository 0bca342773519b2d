package gwf_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/gwf"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// readGWF reads a text to its end.
func readGWF(t *testing.T, text string) ([]workload.Job, *workload.Log) {
	t.Helper()
	l, err := gwf.Open("x.gwf", strings.NewReader(text), workload.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	jobs := jobtest.Collect(t, l.Jobs())
	return jobs, l
}

// withField is plainJob with other texts in some fields, which count from 1.
func withField(sep string, fields map[int]string) string {
	words := strings.Fields(plainJob)
	for n, text := range fields {
		words[n-1] = text
	}
	return strings.Join(words, sep) + "\n"
}

func TestGWFFields(t *testing.T) {
	jobs, l := readGWF(t, "# Grid Workload Format\n#\n# MaxProcs: 64\n"+gridJob+"\n"+plainJob+"\n")
	full, plain := workload.UnknownJob(), workload.UnknownJob()
	full.ID, full.Submit, full.Wait, full.Run, full.Allocated, full.CPUTime = 7, 100, 5, 10, 4, 9.25
	full.Processors, full.Size, full.Time, full.Status = 4, 4, 60, 1
	full.User, full.Group, full.Application, full.Queue, full.Partition = 1, 1, 1, 1, 1
	plain.ID, plain.Row, plain.Submit, plain.Wait, plain.Run, plain.Allocated = 8, 1, 101, 0, 1, 1
	plain.Processors, plain.Size, plain.Status = 1, 1, 0
	for i, want := range []workload.Job{full, plain} {
		if got := fmt.Sprintf("%+v", jobs[i]); got != fmt.Sprintf("%+v", want) { // NaN is not equal to itself
			t.Errorf("job %d:\ngot  %s\nwant %+v", i, got, want)
		}
	}
	header := []string{
		" Grid Workload Format", "", " MaxProcs: 64", " Partitions: sites of a grid: LastRunSiteID, else OrigSiteID, else PartitionID",
		" User: 1 alice", " Group: 1 staff", " Application: 1 app-1", " Queue: 1 long", " Partition: 1 s2",
	}
	if d := cmp.Diff(header, l.Header.Lines); d != "" {
		t.Errorf("header (-want +got):\n%s", d)
	}
	counts := map[string]int64{}
	for _, w := range l.Warnings() {
		counts[w.Rule] = w.Count
		if w.Line != 4 {
			t.Errorf("%s first in line %d, want 4", w.Rule, w.Line)
		}
	}
	want := map[string]int64{
		"left-out-PartitionID": 1, "left-out-OrigSiteID": 1, "left-out-JobStructure": 2, "left-out-JobStructureParams": 1, "left-out-UsedNetwork": 1,
		"left-out-UsedLocalDiskSpace": 1, "left-out-UsedResources": 1, "left-out-ReqPlatform": 1, "left-out-VOID": 1, "left-out-ProjectID": 1,
	}
	if d := cmp.Diff(want, counts); d != "" {
		t.Errorf("warnings (-want +got):\n%s", d)
	}
}

// The rule of site.go, case by case.
func TestGWFSites(t *testing.T) {
	for _, c := range []struct{ partition, orig, last, want, left string }{
		{"-1", "-1", "-1", "", ""},
		{"p", "-1", "-1", "p", ""},
		{"-1", "s1", "-1", "s1", ""},
		{"-1", "s1", "s1", "s1", ""},
		{"-1", "s1", "s2", "s2", "OrigSiteID"},
		{"-1", "-1", "s2", "s2", ""},
		{"p", "s1", "-1", "s1", "PartitionID"},
		{"p", "s1", "s2", "s2", "PartitionID OrigSiteID"},
		{"s2", "s2", "s2", "s2", ""},
		{"s2", "s1", "s2", "s2", "OrigSiteID"},
	} {
		jobs, l := readGWF(t, withField(" ", map[int]string{16: c.partition, 17: c.orig, 18: c.last}))
		if got := l.Header.Names("Partition")[jobs[0].Partition]; got != c.want {
			t.Errorf("%+v: site %q", c, got)
		}
		var left []string
		for _, w := range l.Warnings() {
			if name := strings.TrimPrefix(w.Rule, "left-out-"); strings.HasSuffix(name, "ID") {
				left = append(left, name)
			}
		}
		if got := strings.Join(left, " "); got != c.left {
			t.Errorf("%+v: left out %q", c, got)
		}
	}
}

func TestGWFOddities(t *testing.T) {
	tabbed := strings.ReplaceAll(gridJob, " ", "\t") + "\n"
	for _, c := range []struct {
		name, text string
		rules      string // counted, but for fields left out, with their lines
		want       string
		check      func(j workload.Job, l *workload.Log) []any // of the last job
	}{
		{"blanks within tabs", strings.Replace(tabbed, "alice", "Alice B. Toklas", 1), "", "[1 Alice B. Toklas]", func(j workload.Job, l *workload.Log) []any {
			return []any{l.Header.Get("User")}
		}},
		{"empty within tabs", strings.ReplaceAll(tabbed, "\talice\t", "\t \t"), "", "[true 1]", func(j workload.Job, l *workload.Log) []any {
			return []any{j.User == workload.Unknown, j.Group}
		}},
		{"tab at the end", strings.Replace(tabbed, "\n", "\t\r\n", 1), "", "[7 1 s2]", func(j workload.Job, l *workload.Log) []any {
			return []any{j.ID, l.Header.Get("Partition")}
		}},
		{"blanks around tabs", strings.ReplaceAll(tabbed, "\t", " \t "), "", "[7 9.25 1 s2]", func(j workload.Job, l *workload.Log) []any {
			return []any{j.ID, j.CPUTime, l.Header.Get("Partition")}
		}},
		{"runs of both", strings.ReplaceAll(gridJob, " ", "\t \t"), "", "[7 9.25 1 s2]", func(j workload.Job, l *workload.Log) []any {
			return []any{j.ID, j.CPUTime, l.Header.Get("Partition")}
		}},
		{"30 fields", strings.Replace(gridJob, "s2 BoT", "s2 ? BoT", 1), "30-fields 1", "[1 1 s2 1 1 0]", func(j workload.Job, l *workload.Log) []any {
			return []any{j.Queue, l.Header.Get("Partition"), logtest.Warned(l, "left-out-JobStructure"), logtest.Warned(l, "left-out-ProjectID"), logtest.Warned(l, "left-out-ReqNetwork")}
		}},
		{"31 fields", gridJob + " 30 31", "extra-fields 1", "[7]", func(j workload.Job, l *workload.Log) []any { return []any{j.ID} }},
		{"comment behind", gridJob + " # 30\n# late", "late-comment 2", "[7]", func(j workload.Job, l *workload.Log) []any { return []any{j.ID} }},
		{"job id of text", withField(" ", map[int]string{1: "fs3.17"}) + withField(" ", map[int]string{1: "1.5"}), "text-job-id 1",
			"[2 1]", func(j workload.Job, l *workload.Log) []any { return []any{j.ID, j.Row} }},
		{"numbers as names", withField(" ", map[int]string{12: "17"}) + withField(" ", map[int]string{12: "3"}), "",
			"[2 [1 17 2 3]]", func(j workload.Job, l *workload.Log) []any { return []any{j.User, l.Header.All("User")} }},
		{"reservation", withField(" ", map[int]string{}) + withField(" ", map[int]string{3: "-1"}), "no-wait-time 2",
			"[NaN]", func(j workload.Job, l *workload.Log) []any { return []any{j.Wait} }},
		{"never ran", plainJob + "\n" + withField(" ", map[int]string{3: "-1", 4: "-1"}), "",
			"[NaN NaN]", func(j workload.Job, l *workload.Log) []any { return []any{j.Wait, j.Run} }},
		{"a log without waits", withField(" ", map[int]string{3: "-1"}), "", "[NaN]", func(j workload.Job, l *workload.Log) []any { return []any{j.Wait} }},
		{"negative and zero", withField(" ", map[int]string{4: "0", 5: "-2", 8: "0"}), "zero-run-time 1, negative-allocated-processors 1, zero-requested-processors 1",
			"[0 -2 0]", func(j workload.Job, l *workload.Log) []any { return []any{j.Run, j.Allocated, j.Processors} }},
		{"back in time", "\n" + gridJob + "\n" + withField(" ", map[int]string{2: "99"}), "submit-order 3", "[99]", func(j workload.Job, l *workload.Log) []any { return []any{j.Submit} }},
	} {
		jobs, l := readGWF(t, c.text)
		if got := fmt.Sprint(c.check(jobs[len(jobs)-1], l)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		var rules []string
		for _, w := range l.Warnings() {
			if !strings.HasPrefix(w.Rule, "left-out-") {
				rules = append(rules, fmt.Sprintf("%s %d", w.Rule, w.Line))
			}
		}
		if got := strings.Join(rules, ", "); got != c.rules {
			t.Errorf("%s: counted %q, want %q", c.name, got, c.rules)
		}
	}
}

func TestGWFErrors(t *testing.T) {
	tabbed := strings.ReplaceAll(plainJob, " ", "\t")
	for _, c := range []struct{ text, want string }{
		{"", "x.gwf: no jobs in 0 lines"},
		{"\n\n", "x.gwf: no jobs in 2 lines"},
		{"# h\n1 2 3\n", `x.gwf:2: saw 3 fields in "1 2 3", want 29, with tabs or blanks between (the grid workload format)`},
		{plainJob + "\n" + plainJob[:len(plainJob)-3], `x.gwf:2: saw 28 fields in "8 101 0 1 1 -1 -1 1 -1 -1 0 -1 -1 -1 -1 "..., want 29, with tabs or blanks between (the grid workload format)`},
		{withField(" ", map[int]string{2: "soon"}), `x.gwf:1: submit_time_s: saw "soon", want a number`},
		{withField(" ", map[int]string{5: "2.5"}), `x.gwf:1: allocated_processors: saw "2.5", want a whole number, not a fraction`},
		{withField(" ", map[int]string{4: "NaN"}), `x.gwf:1: run_time_s: saw "NaN", want a number`},
		{withField(" ", map[int]string{4: "1e999"}), `x.gwf:1: run_time_s: saw "1e999", want a number of at most 1.8e308`},
		{strings.Replace(tabbed, "\t101\t", "\t101 5\t", 1), `x.gwf:1: submit_time_s: saw "101 5", want a number`},
		{withField(" ", map[int]string{12: "a\x00b"}), `x.gwf:1: saw binary data "8 101 0 1 1 -1 -1 1 -1 -1 0 a\x00b -1 -1 -1"..., want a text file`},
		{withField(" ", map[int]string{13: "caf\xe9"}), `x.gwf:1: group_id: saw "caf\xe9", want UTF-8 text`},
		{withField(" ", map[int]string{17: "\xff"}), `x.gwf:1: partition_id: saw "\xff", want UTF-8 text`},
		{"# a\x00b\n" + plainJob, `x.gwf:1: saw binary data "# a\x00b", want a text file`},
		{plainJob + "\r" + plainJob, "x.gwf:1: saw a carriage return inside a line, want lines that end with a newline"},
		{strings.Repeat("#"+strings.Repeat(" ", 1<<19)+"\n", 33), "x.gwf:32: saw more than 16 MiB of header, want jobs"},
	} {
		l, err := gwf.Open("x.gwf", strings.NewReader(c.text), workload.Options{Workers: 2})
		if err == nil {
			_, err = logtest.ReadAll(l)
		}
		var e *workload.InputError
		if !errors.As(err, &e) || e.Error() != c.want {
			t.Errorf("%.40q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Names have the same numbers however the log is cut and however many decode.
func TestGWFSameOnAnyCores(t *testing.T) {
	text := logtest.MadeUpGWF(3, 300<<10)
	text = regexp.MustCompile(`(?m)^\d*7\t`).ReplaceAll(text, []byte("job-$0")) // these get their position
	want, err := simpleGWF(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 1000, 64 << 10, parse.ChunkSize} {
		for _, workers := range []int{1, 2, 3} {
			l, err := gwf.OpenChunks("x.gwf", bytes.NewReader(text), workload.Options{Workers: workers}, size)
			if err != nil {
				t.Fatal(err)
			}
			jobs, err := readGrid(l)
			if err != nil {
				t.Fatal(err)
			}
			if d := differGrid(jobs, want.jobs); d != "" {
				t.Errorf("chunks of %d, %d workers: %s", size, workers, d)
			}
		}
	}
}

func TestIsGWF(t *testing.T) {
	numbers := strings.TrimSpace(strings.Repeat("1 ", 29)) + "\n"
	for _, c := range []struct {
		name, text, want string
	}{
		{"log", plainJob, "gwf"},
		{"log", "\xef\xbb\xbf# c\r\n\r\n\t" + gridJob, "gwf"},
		{"log", strings.ReplaceAll(gridJob, " ", "\t"), "gwf"},
		{"log", gridJob + " 30", "gwf"},
		{"log", strings.ReplaceAll(strings.ReplaceAll(gridJob, " ", "\t"), "\t-1\t", "\t\t"), "gwf"},
		{"log", numbers, "gwf"},
		{"x.swf", numbers, "swf"}, // eleven fields more
		{"x.swf.gz", numbers, "swf"},
		{"x.gwf", "; c\n" + numbers, "swf"},
		{"log", "; c\n" + numbers, "swf"},
		{"log", strings.Repeat("1 ", 18), "swf"},
		{"log", strings.Repeat("1 ", 21), "swf"},
		{"log", "# c\n" + strings.Repeat("1 ", 18), "swf"},
		{"log", strings.Repeat("a ", 29), "swf"},
		{"x.gwf", "1 2 3", "gwf"},
		{"x.GWF.zst", "1 2 3", "gwf"},
		{"log", "# JobID SubmitTime WaitTime\n", "gwf"},
		{"log", "# the Grid Workload Format\n", "gwf"},
		{"log", "# something\n", "swf"},
		{"log", "", "swf"},
	} {
		got := "swf"
		if gwf.Sniff(c.name, []byte(c.text)) {
			got = "gwf"
		}
		if got != c.want {
			t.Errorf("%s %.40q: %s, want %s", c.name, c.text, got, c.want)
		}
	}
	path := logtest.TempFile(t, "log", logtest.Gzipped(t, logtest.MadeUpGWF(1, 1<<17)))
	l, err := logfile.Open(path, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if l.Format != "gwf" {
		t.Errorf("format %q", l.Format)
	}
}
