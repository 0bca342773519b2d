package cli

import (
	"encoding/csv"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// faulty is tiny with a fault and oddities: job 3 runs past its request of
// 10 s, job 4 comes twice and on more processors than there are.
const faulty = `; Version: 2.2
; MaxProcs: 4
1 0 0 100 4 -1 -1 4 200 -1 1 1 1 1 0 1 -1 -1
; a remark
2 10 90 50 2 -1 -1 2 60 -1 1 2 1 1 0 1 -1 -1
3 20 130 15 2 -1 -1 2 10 -1 0 1 1 1 1 1 -1 -1
4 30 -1 20 4 -1 -1 4 20 -1 1 2 1 1 1 1 -1 -1
4 40 -1 20 6 -1 -1 6 20 -1 1 2 1 1 1 1 -1 -1
`

func TestValidateTable(t *testing.T) {
	path := writeLog(t, faulty)
	got := loadstone(t, "", "validate", path, "--first", "1")
	want := strings.ReplaceAll(`FILE (swf): 5 jobs, 2 faults, 5 oddities

rule                    severity  count  of     what
allocated-over-machine  fault         1  jobs   more processors allocated than the machine has
job-duplicate           fault         1  jobs   job id of a job above (parts of a job, status 2 to 4, aside)
wait-unknown            oddity        2  jobs   wait unknown
run-past-estimate       oddity        1  jobs   ran longer than requested
requested-over-machine  oddity        1  jobs   more processors requested than the machine has
reader-late-comment     oddity        1  lines  comment lines after the first job: left out

FILE:8: job 4: allocated_processors: saw 6, want 4 at most [allocated-over-machine]
FILE:8: job 4: job_id: saw 4, want a unique number [job-duplicate]
FILE:7: job 4: wait_time_s: saw nothing, want a time [wait-unknown]
FILE:6: job 3: run_time_s: saw 15, want 10 at most [run-past-estimate]
FILE:8: job 4: requested_processors: saw 6, want 4 at most [requested-over-machine]
FILE:4: saw "; a remark" [reader-late-comment]

not checked: run-past-max, memory-over-max, header-jobs, header-records, header-queues, header-partitions, header-nodes, header-start, header-end, submit-past-end, end-past-end: the header has no MaxRuntime, MaxMemory, MaxJobs, MaxRecords, MaxQueues, MaxPartitions, MaxNodes, StartTime, EndTime
not checked: status-part: the header does not say Preemption: No

to remove the jobs of allocated-over-machine, job-duplicate: loadstone clean FILE --filter 'proc>4' --filter 'duplicates by=id' -o clean.swf
`, "FILE", path)
	if d := cmp.Diff(want, got.out); d != "" || got.code != exitDone || got.err != "" {
		t.Errorf("exit code %d, error %q: %s", got.code, got.err, d)
	}
}

// The filters that validate names exist, and remove the jobs.
func TestValidateFilters(t *testing.T) {
	path := writeLog(t, faulty)
	clean := filepath.Join(t.TempDir(), "clean.swf")
	got := loadstone(t, "", "clean", path, "--filter", "proc>4", "--filter", "duplicates by=id", "--filter", "submit=unknown",
		"--filter", "run=unknown", "--filter", "size=unknown", "--filter", "partials", "--filter", "failed-at-start", "-o", clean)
	if got.code != exitDone {
		t.Fatalf("exit code %d, %s", got.code, got.err)
	}
	var v inspect.Validation
	decode(t, &v, "validate", clean, "--rules", "job-duplicate,allocated-over-machine")
	if len(v.Findings) != 0 {
		t.Errorf("still found: %+v", v.Findings)
	}
}

func TestValidateCSV(t *testing.T) {
	got := loadstone(t, faulty, "validate", "-", "--format", "csv", "--first", "2", "--rules", "job-duplicate,wait-unknown,reader-*")
	rows, err := csv.NewReader(strings.NewReader(got.out)).ReadAll()
	const duplicate, late = "job id of a job above (parts of a job, status 2 to 4, aside)", "comment lines after the first job: left out"
	want := [][]string{
		{"rule", "severity", "field", "words", "count", "counts", "note", "line", "row", "job_id", "saw", "want"},
		{"job-duplicate", "fault", "job_id", duplicate, "1", "jobs", "", "8", "5", "4", "4", "a unique number"},
		{"wait-unknown", "oddity", "wait_time_s", "wait unknown", "2", "jobs", "", "7", "4", "4", "nothing", "a time"},
		{"wait-unknown", "oddity", "wait_time_s", "wait unknown", "2", "jobs", "", "8", "5", "4", "nothing", "a time"},
		{"reader-late-comment", "oddity", "", late, "1", "lines", "", "4", "", "", `"; a remark"`, ""},
	}
	if err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("got %q, %v", rows, err)
	}
	got = loadstone(t, faulty, "validate", "-", "--format", "csv", "--first", "0", "--rules", "job-duplicate")
	if want := ",saw,want\njob-duplicate,fault,job_id,\"" + duplicate + "\",1,jobs,,,,,,\n"; !strings.HasSuffix(got.out, want) {
		t.Errorf("got %q", got.out)
	}
}

func TestValidateExitCode(t *testing.T) {
	path := writeLog(t, faulty)
	for _, c := range []struct {
		args []string
		code int
		want string // on standard error
	}{
		{nil, exitDone, ""},
		{[]string{"--fail-on", "none"}, exitDone, ""},
		{[]string{"--fail-on", "fault"}, exitThreshold, "loadstone: " + path + ": 2 faults, and --fail-on fault\n"},
		{[]string{"--fail-on", "oddity"}, exitThreshold, "loadstone: " + path + ": 2 faults and 5 oddities, and --fail-on oddity\n"},
		{[]string{"--fail-on", "fault", "--rules", "wait-unknown"}, exitDone, ""},
		{[]string{"--fail-on", "oddity", "--rules", "run-past-estimate"}, exitThreshold, "loadstone: " + path + ": 0 faults and 1 oddity, and --fail-on oddity\n"},
		{[]string{"--fail-on", "oddity", "--rules", "header-*"}, exitDone, ""},
	} {
		got := loadstone(t, "", append([]string{"validate", path}, c.args...)...)
		if got.code != c.code || got.err != c.want || got.out == "" {
			t.Errorf("%q: exit code %d, error %q; want %d, %q", c.args, got.code, got.err, c.code, c.want)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--rules", "nonsense"}, `"nonsense", which matches no rule`},
		{[]string{"--first", "-1"}, "--first -1"},
		{[]string{"--procs", "0"}, "--procs 0"},
	} {
		got := loadstone(t, "", append([]string{"validate", path}, c.args...)...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, error %q; want %d, %q", c.args, got.code, got.err, exitUsage, c.want)
		}
	}
	// A line that is no job ends the reading: no half a report.
	got := loadstone(t, faulty+"oops\n", "validate", "-")
	if got.code != exitFailed || got.out != "" || !strings.Contains(got.err, "-:9: ") {
		t.Errorf("exit code %d, output %q, error %q", got.code, got.out, got.err)
	}
}

// A status is shown by its code and its name.
func TestValidateNamesStatus(t *testing.T) {
	log := writeFile(t, "log.swf", "1 0 5 10 1 -1 -1 1 100 -1 5 1 1 1 1 1 -1 -1\n2 1 5 10 1 -1 -1 1 100 -1 77 1 1 1 1 1 -1 -1\n")
	got := loadstone(t, "", "validate", log).out
	for _, want := range []string{"job 1: status: saw 5 (cancelled) and a run time of 10, want", "job 2: status: saw 77, want 0 to 5 (0 failed, 1 completed,"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
