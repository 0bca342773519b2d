package mapping_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// A table whose columns have other common names is read without a mapping, and it is
// reported which column was taken for what.
func TestOtherNames(t *testing.T) {
	l, jobs, err := readCSV("JobID,Submit Time,start,end,ncpus,nodes,owner,walltime,state\n"+
		"7,2024-05-31 14:30:00,2024-05-31 14:31:00,2024-05-31 14:35:00,16,2,ann,0 days 01:00:00,COMPLETED\n", workload.Options{})
	if err != nil || len(jobs) != 1 {
		t.Fatal(jobs, err)
	}
	wantJob(t, jobs[0], func(j *workload.Job) {
		j.ID, j.Submit, j.Wait, j.Run, j.Time = 7, 0, 60, 240, 3600
		j.Allocated, j.AllocatedNodes, j.User, j.Status = 16, 2, 1, 1
	})
	logtest.WantCounts(t, l, map[string]int64{"other-name": 9, "time-zone": 1})
	for _, w := range l.Warnings() {
		if want := "ncpus as allocated_processors"; w.Rule == "other-name" && !strings.Contains(w.Saw, want) {
			t.Errorf("saw %q, want %q in it", w.Saw, want)
		}
	}
}

// A column of the table's own name is preferred, a column is read once, two columns of one
// name are none, and what gives a length of time twice is read once.
func TestOtherNamesGiveWay(t *testing.T) {
	for _, c := range []struct {
		head, line  string
		submit, run float64
		other       int
	}{
		{"submit_time_s,submit,run_time", "1,2,3", 1, 3, 0},
		{"submit,Submit,submitted,run_time", "1,2,3,4", 3, 4, 1},
		{"submit,runtime,start,end", "0,5,1,100", 0, 5, 3},
		{"submit,start,end", "10,15,100", 10, 85, 3},
		{"submit,duration,elapsed", "10,15,100", 10, 100, 2},
		{"interarrival_time,run_time_s", "4,15", 4, 15, 1},
		{"interarrival_time_s,start,end,run_time_s", "4,9,20,15", 4, 15, 1},
		{"submit,interarrival_time,run_time_s", "9,4,15", 9, 15, 1},
	} {
		l, jobs, err := readCSV(c.head+"\n"+c.line+"\n", workload.Options{})
		if err != nil || jobs[0].Submit != c.submit || jobs[0].Run != c.run {
			t.Errorf("%s: saw %+v, %v", c.head, jobs, err)
			continue
		}
		if got := logtest.Warned(l, "other-name"); got != c.other {
			t.Errorf("%s: saw %d columns of other names, want %d", c.head, got, c.other)
		}
	}
	// A pair that names a column keeps it from being taken for something else.
	_, jobs, err := readCSV("submit,runtime\n1,2\n", workload.Options{Map: map[string]string{"requested_time": "runtime"}})
	if err != nil || jobs[0].Time != 2 || !math.IsNaN(jobs[0].Run) {
		t.Errorf("saw %+v, %v", jobs, err)
	}
}

// Dates are read and not the seconds beside them, and names and not the numbers: pandas
// writes both.
func TestDatesAndNamesBeforeNumbers(t *testing.T) {
	l, jobs, err := readCSV("job_id,submit_time_s,submit_time,run_time_s,user_id,user\n"+
		"7,99,2024-05-31 14:30:00+00:00,5,31,ann\n8,99,2024-05-31 14:30:04+00:00,6,31,bob\n", workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if start, ok := l.Header.Int("UnixStartTime"); !ok || start != 1717165800 {
		t.Errorf("start %d, %v, want 1717165800", start, ok)
	}
	wantJob(t, jobs[1], func(j *workload.Job) { j.ID, j.Submit, j.Run, j.User = 8, 4, 6, 2 })
	logtest.WantCounts(t, l, map[string]int64{"unmapped-column": 2})
}

// Numbers with leading zeros are names: 007 and 7 are two users. Those of floats are numbers.
func TestLeadingZeros(t *testing.T) {
	for text, want := range map[string][2]int64{"7\n007\n": {1, 2}, "0\n7\n": {0, 7}, "7.0\n9.0\n": {7, 9}} {
		_, jobs, err := readCSV("user\n"+text, workload.Options{})
		if err != nil || jobs[0].User != want[0] || jobs[1].User != want[1] {
			t.Errorf("%q: saw %+v, %v, want users %v", text, jobs, err, want)
		}
	}
}

// The manual lists the names.
func TestOtherNamesInManual(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := "| column | also read from |\n|---|---|\n"
	for _, a := range mapping.Aliases() {
		want += "| " + a[0] + " | `" + strings.Join(a[1:], "`, `") + "` |\n"
	}
	if !strings.Contains(string(text), want) {
		t.Errorf("docs/reference/formats.md: want this table:\n%s", want)
	}
}

// A table without submissions, or with nodes and no processors, says so.
func TestWarnsOfWhatATableLacks(t *testing.T) {
	for _, c := range []struct {
		text, rule, want string
		pairs            map[string]string
	}{
		{"start,end,cores\n0,10,4\n", "no-submit-column", "--map submit_time=start", nil},
		{"cores,Colour\n4,5\n", "no-submit-column", "by --map submit_time=COLUMN; ", nil},
		{"cores\n4\n", "", "", nil}, // has nothing to name
		{"cores,run_time\n4,5\n", "no-submit-column", "by --map submit_time=COLUMN", nil},
		{"submit,start,end,nodes\n0,0,10,4\n", "no-processors-column", `{"column": "nodes", "times": 64}`, nil},
		{"start,end,cores\n0,10,4\n", "", "", map[string]string{"submit_time": "start"}},
		{"submit,start,end,nodes,cores\n0,0,10,4,8\n", "", "", nil},
	} {
		l, _, err := readCSV(c.text, workload.Options{Map: c.pairs})
		if err != nil {
			t.Fatal(err)
		}
		rule := ""
		for _, w := range l.Warnings() {
			if strings.HasPrefix(w.Rule, "no-") {
				rule = w.Rule
				if !strings.Contains(w.Text, c.want) {
					t.Errorf("saw %q, want %q in it", w.Text, c.want)
				}
			}
		}
		if rule != c.rule {
			t.Errorf("%q: rule %q, want %q", c.text, rule, c.rule)
		}
	}
}

// Numbers in a column queue or the like may be of another meaning, such as seconds: the
// columns that are taken for identifiers are named, unless the user named them.
func TestNumbersAsNames(t *testing.T) {
	for text, want := range map[string]string{
		"submit_time_s,run_time_s,queue\n10,15,100\n":             "queue as queue_id",
		"submit_time_s,run_time_s,queue,partition\n10,15,100,2\n": "queue as queue_id, partition as partition_id",
		"submit_time_s,run_time_s,queue\n10,15,batch\n":           "",
		"submit_time_s,run_time_s,queue_id\n10,15,100\n":          "",
	} {
		l, _, err := readCSV(text, workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		saw := ""
		for _, w := range l.Warnings() {
			if w.Rule == "numbers-as-names" {
				saw = w.Saw
			}
		}
		if saw != want {
			t.Errorf("%q: warned of %q, want %q", text, saw, want)
		}
	}
	l, _, err := readCSV("submit_time_s,run_time_s,queue\n10,15,100\n", workload.Options{Map: map[string]string{"queue": "queue"}})
	if err != nil || logtest.Warned(l, "numbers-as-names") != 0 {
		t.Errorf("with a mapping: %v, warned", err)
	}
}
