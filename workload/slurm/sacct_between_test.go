package slurm_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// commaSacct is a listing with steps, a task of an array that never started, and a job that runs.
const commaSacct = `JobID,JobName,User,Account,Partition,State,Submit,Start,End,Elapsed,Timelimit,NNodes,NCPUS,ReqMem,MaxRSS,ExitCode
100,train,ann,lab,batch,COMPLETED,2024-01-01T10:00:00,2024-01-01T10:10:00,2024-01-01T11:10:00,01:00:00,02:00:00,1,4,8G,,0:0
100.batch,batch,,lab,,COMPLETED,2024-01-01T10:10:00,2024-01-01T10:10:00,2024-01-01T11:10:00,01:00:00,,1,4,,204800K,0:0
100.0,python,,lab,,COMPLETED,2024-01-01T10:10:05,2024-01-01T10:10:05,2024-01-01T11:10:00,00:59:55,,1,4,,1048576K,0:0
101_3,arr,bob,lab,batch,CANCELLED by 1001,2024-01-01T10:05:00,None,2024-01-01T10:30:00,00:00:00,1-00:00:00,1,8,8G,,0:0
102,x,bob,lab,batch,TIMEOUT,2024-01-01T10:06:00,2024-01-01T10:20:00,2024-01-02T10:20:13,1-00:00:13,1-00:00:00,2,16,8G,,0:0
102.batch,batch,,lab,,CANCELLED,2024-01-01T10:20:00,2024-01-01T10:20:00,2024-01-02T10:20:14,1-00:00:14,,1,8,,1048576K,0:15
103,y,cat,lab,batch,RUNNING,2024-01-01T10:07:00,2024-01-01T10:20:00,Unknown,05:00:00,UNLIMITED,1,1,8G,,0:0
`

// commaJobs are the jobs of commaSacct: number, wait, run time, processors, limit, status, and the
// memory of the batch step divided by the processors (the listing does not give the number of tasks
// of the other step).
var commaJobs = []string{"100 600 3600 4 7200 1 51200", "101 -1 -1 -1 86400 5 -1", "102 840 86413 16 86400 0 65536", "103 780 -1 1 -1 -1 -1"}

// TestOtherSeparators reads the listing with the separators that sacct --delimiter allows, and as
// other programs write it in CSV, with quotes, and expects the same jobs, without their steps.
func TestOtherSeparators(t *testing.T) {
	quoted := func(which func(i int, field string) bool, separator string) string {
		var b strings.Builder
		rows := jobtest.Must(csv.NewReader(strings.NewReader(commaSacct)).ReadAll())
		for _, row := range rows {
			for i, field := range row {
				if row[0] == "100" && i == 1 {
					field = `a ""b""` + separator + "c"
					row[i] = field
				}
				if which(i, field) {
					row[i] = `"` + field + `"`
				}
			}
			b.WriteString(strings.Join(row, separator) + "\n")
		}
		return b.String()
	}
	all := func(int, string) bool { return true }
	needed := func(_ int, field string) bool { return strings.ContainsAny(field, "\",;\t") }
	bars := strings.ReplaceAll(commaSacct, ",", "|")
	for name, text := range map[string]string{
		"bars":                bars,
		"comma":               commaSacct,
		"comma, CRLF":         strings.ReplaceAll(commaSacct, "\n", "\r\n"),
		"comma at the end":    strings.ReplaceAll(commaSacct, "\n", ",\n"),
		"semicolon":           strings.ReplaceAll(commaSacct, ",", ";"),
		"tab":                 strings.ReplaceAll(commaSacct, ",", "\t"),
		"caret":               strings.ReplaceAll(commaSacct, ",", "^"),
		"two characters":      strings.ReplaceAll(commaSacct, ",", "@#"),
		"comma, blank":        strings.ReplaceAll(commaSacct, ",", ", "),
		"unit separator":      strings.ReplaceAll(commaSacct, ",", "\x1f"),
		"all quoted":          quoted(all, ","),
		"name quoted":         quoted(needed, ","),
		"quoted, semicolon":   quoted(needed, ";"),
		"quoted, tab":         quoted(all, "\t"),
		"a name with commas":  strings.Replace(commaSacct, "train", "train,a,b", 1),
		"a name with a tab":   strings.Replace(strings.ReplaceAll(commaSacct, ",", "\t"), "train", "tr\tain", 1),
		"a name of two lines": strings.Replace(commaSacct, "train", "\"tr\nain\"", 1),
		"a name with a quote": strings.Replace(commaSacct, "train", "\"train", 1),
		"byte order mark":     "\xef\xbb\xbf" + commaSacct,
		"pandas":              strings.NewReplacer("T10:00:00,", "T10:00:00.000000,").Replace(commaSacct),
	} {
		t.Run(name, func(t *testing.T) {
			got, header := outcome(text, "UTC", strings.Fields("job_id wait_time_s run_time_s allocated_processors requested_time_s status used_memory_kb"))
			if d := cmp.Diff(commaJobs, got[:min(4, len(got))]); d != "" || !slices.Contains(header, " Format: sacct") {
				t.Errorf("%s, of %q, header %q", d, got, header)
			}
		})
	}
}

// TestTablesThatAreNotSacct has tables with some of sacct's column names but other values, which
// are read like any other table, and listings that cannot be read.
func TestTablesThatAreNotSacct(t *testing.T) {
	for name, text := range map[string]string{
		"seconds":     "JobID,User,Submit,Start,End,State,NCPUS\na1,u,0.5,10,20,COMPLETED,4\n",
		"minutes":     "JobID,User,Submit,Elapsed,NCPUS,State\n1,u,2024-01-01T10:00:00,90,4,COMPLETED\n",
		"other names": "jobid,user,submit,start,end,ncpus\n1,u,2024-01-01T10:00:00,2024-01-01T10:00:00,2024-01-01T10:00:00,4\n",
	} {
		if got, header := outcome(text, "UTC", []string{"job_id"}); !slices.Contains(header, " Format: csv") {
			t.Errorf("%s: %q, header %q", name, got, header)
		}
	}
	_, jobs, _ := strings.Cut(commaSacct, "\n")
	if got, _ := outcome(jobs, "UTC", nil); !strings.Contains(got[0], "a header line with the names of the columns: run sacct without -n") {
		t.Errorf("no header: %q", got)
	}
	l, err := logfile.OpenReader("log", strings.NewReader(commaSacct), workload.Options{TimeZone: "UTC", Map: map[string]string{"submit_time": "Start"}})
	if err != nil || l.Format != "csv" {
		t.Errorf("with --map: %v", err)
	}
}
