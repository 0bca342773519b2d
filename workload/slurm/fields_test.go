package slurm_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// columnsOf reads a text as any file and returns the named columns of its jobs, "-" where
// unknown, and how often each rule was warned of.
func columnsOf(t *testing.T, text string, columns ...string) (rows []string, rules map[string]int64, format string) {
	t.Helper()
	l, err := logfile.OpenReader("log", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for j, err := range l.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		var values []string
		for _, name := range columns {
			x, c := "-", workload.ColumnAt(workload.ColumnIndex(name))
			switch {
			case c.Float() && !math.IsNaN(c.Number(&j)):
				x = fmt.Sprintf("%.15g", c.Number(&j))
			case !c.Float() && c.Int(&j) != workload.Unknown:
				x = fmt.Sprint(c.Int(&j))
			}
			values = append(values, x)
		}
		rows = append(rows, strings.Join(values, " "))
	}
	rules = map[string]int64{}
	for _, w := range l.Warnings() {
		rules[w.Rule] += w.Count
	}
	return rows, rules, l.Format
}

// TestSqueueTextsWithSeparators has names, reasons and comments with the separator in them,
// for each separator.
func TestSqueueTextsWithSeparators(t *testing.T) {
	const text = `JOBID|USER|ACCOUNT|PARTITION|QOS|NAME|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|COMMENT|REASON
1|u1|lab|batch|normal|a|RUNNING|2025-11-07T10:00:00|2025-11-07T10:10:00|50:00|1-00:00:00|60|b|None
2|u2|lab|batch|normal|crazy|name|PENDING|2025-11-07T10:05:00|N/A|0:00|1-00:00:00|60-70|b|Priority
3|u3|lab|batch|normal|x|PENDING|y|PENDING|2025-11-07T10:06:00|N/A|0:00|NOT_SET|4|b|Nodes required for job are DOWN|DRAINED
4|u4|lab|batch|normal||b|PENDING|2025-11-07T10:07:00|N/A|0:00|UNLIMITED|4|a|b|Resources
`
	want := []string{"1 60 86400", "2 60 86400", "3 4 -", "4 4 -"}
	for _, separator := range []string{"|", "\t", ",", ";"} {
		rows, rules, format := columnsOf(t, strings.ReplaceAll(text, "|", separator), "job_id", "requested_processors", "requested_time_s")
		if d := cmp.Diff(want, rows); d != "" || format != "squeue" || rules["separator-in-text"] != 3 {
			t.Errorf("%q: format %s, %s, warnings %v", separator, format, d, rules)
		}
	}
	q, err := slurm.ReadQueue("q", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a", "crazy|name", "x|PENDING|y", "|b"} {
		if got, _ := q.Names.Text(workload.ColApplication, q.Jobs[i].Application); got != name {
			t.Errorf("job %d: name %q, want %q", i+1, got, name)
		}
	}
	// Blanks.
	rows, _, _ := columnsOf(t, `JOBID USER ST NAME SUBMIT_TIME START_TIME CPUS REASON
1 u1 PD my own job 2025-11-07T10:00:00 N/A 60 Priority
`, "job_id", "requested_processors")
	if d := cmp.Diff([]string{"1 60"}, rows); d != "" {
		t.Error(d)
	}
}

// forms are those in which Slurm shows a job; of accounting, and of a queue.
var forms = []string{"sacct", "sacct JSON", "squeue", "squeue JSON", "scontrol"}

// TestFields has one job in each form that has the fields: 1704103200 is
// 2024-01-01T10:00:00Z. It waits, on 8 processors, but for what is given.
func TestFields(t *testing.T) {
	const tres32, tres64 = "cpu=8,mem=2147486648M,node=1", "cpu=8,mem=9223372036854778808M,node=1" // 3000 MB for each processor, with MEM_PER_CPU
	const memory, small = "requested_memory_kb requested_memory_total_kb", "3072000 24576000"
	ran := []string{"State", "COMPLETED", "Start", "1704103800", "End", "1704107400", "ElapsedRaw", "3600", "NCPUS", "8", "Elapsed", "01:00:00", "AllocTRES", "cpu=8", "NodeList", "n1", "Reason", "None"}
	backwards := append(slices.Clone(ran), "Start", "1704106800", "End", "1704106200", "ElapsedRaw", "0", "Elapsed", "0:00")
	for _, c := range []struct {
		name          string
		forms         string // those that have the fields; "" for all
		fields        []string
		columns, want string // "" for no job
		rule          string // of the only warning but of waiting; "" for none
	}{
		{"memory of each node, 32 bits", "sacct", []string{"ReqMem", "2147486648Mn", "NNodes", "1"}, memory, small, ""},
		{"of several nodes", "sacct", []string{"ReqMem", "2147486648Mn", "NNodes", "4"}, memory, small, ""},
		{"of each processor", "sacct", []string{"ReqMem", "2147486648Mc", "NNodes", "4"}, memory, small, ""},
		{"of the job", "sacct", []string{"ReqMem", "2147486648M", "NNodes", "1"}, memory, small, ""},
		{"without a unit", "sacct", []string{"ReqMem", "2147486648", "NNodes", "1"}, memory, small, ""},
		{"64 bits", "sacct", []string{"ReqMem", "9223372036854778808Mn", "NNodes", "1"}, memory, small, ""},
		{"64 bits, no unit", "sacct", []string{"ReqMem", "9223372036854778808", "NNodes", "2"}, memory, small, ""},
		{"the flag alone", "sacct", []string{"ReqMem", "2147483648Mn", "NNodes", "1"}, memory, "- -", "bad-amount"},
		{"no value", "sacct", []string{"ReqMem", "4294967294Mn", "NNodes", "1"}, memory, "- -", ""},
		{"no value, 64 bits", "sacct", []string{"ReqMem", "18446744073709551614Mn", "NNodes", "1"}, memory, "- -", ""},
		{"rounded", "sacct", []string{"ReqMem", "2.00Pn", "NNodes", "1"}, memory, "- -", "bad-amount"},
		{"4096 nodes of 512 GiB", "sacct", []string{"ReqMem", "2147483648M", "NNodes", "4096"}, memory, "274877906944 2199023255552", ""},
		{"9408 nodes of 512 GiB", "sacct", []string{"ReqMem", "4816896G", "NNodes", "9408"}, memory, "631360192512 5050881540096", ""}, // 4816896 * 2^20, by 8
		{"list, 32 bits", "sacct sacct_JSON squeue_JSON scontrol", []string{"ReqTRES", tres32}, memory, small, ""},
		{"list, 64 bits", "sacct sacct_JSON squeue_JSON scontrol", []string{"ReqTRES", tres64}, memory, small, ""},
		{"list without processors", "squeue_JSON", []string{"ReqTRES", "mem=2147486648M,node=1"}, memory, "- -", ""},
		{"negative amounts", "sacct sacct_JSON squeue_JSON scontrol", []string{"ReqTRES", "cpu=8,mem=4611686018427387904M,gres/gpu=-5"}, "requested_gpus requested_memory_total_kb", "- -", "bad-amount"},
		{"GPUs", "sacct sacct_JSON squeue_JSON scontrol", []string{"ReqTRES", "cpu=8,gres/gpu=2"}, "requested_gpus", "2", ""},
		{"shards of GPUs", "sacct sacct_JSON squeue_JSON scontrol", []string{"ReqTRES", "cpu=8,gres/shard=4"}, "requested_gpus", "-", ""},
		{"rounded counts", "sacct squeue", []string{"ReqNodes", "1.50K", "ReqCPUS", "96K"}, "requested_nodes requested_processors", "1536 98304", "rounded-count"},
		{"ranges", "squeue", []string{"ReqNodes", "1K-2K", "ReqCPUS", "2k-4k"}, "requested_nodes requested_processors", "1024 2048", ""},
		{"365 days", "", []string{"Timelimit", "365-00:00:00", "TimelimitRaw", "525600"}, "requested_time_s", "-", "year-limit"},
		{"31 bits of seconds", "", []string{"Timelimit", "24855-03:14:07", "TimelimitRaw", "35791395"}, "requested_time_s", "-", "year-limit"},
		{"a minute less", "", []string{"Timelimit", "364-23:59:00", "TimelimitRaw", "525599"}, "requested_time_s", "31535940", ""},
		{"held", "squeue squeue_JSON scontrol", []string{"Reason", "JobHeldUser"}, "job_id", "", "held-jobs"},
		{"ran", "", ran, "wait_time_s allocated_processors status", "600 8 1", ""},
		{"end before start", "", backwards, "wait_time_s run_time_s allocated_processors", "3600 - 8", "end-before-start"},
		{"end before start, wrapped", "sacct", append(backwards, "ElapsedRaw", "4294966696"), "run_time_s", "-", "end-before-start"},
		{"end before start, Elapsed", "sacct", append(backwards, "ElapsedRaw", "", "Elapsed", "INVALID"), "run_time_s", "-", "end-before-start"},
	} {
		for _, form := range forms {
			if c.forms != "" && !slices.Contains(strings.Fields(c.forms), strings.ReplaceAll(form, " ", "_")) {
				continue
			}
			rows, rules, _ := columnsOf(t, slurm.Render(form, fieldsOf(c.fields...)), strings.Fields(c.columns)...)
			delete(rules, "waiting")
			delete(rules, "missing-column")
			got := map[string]int64{}
			if c.rule != "" {
				got[c.rule] = 1
				rules[c.rule] = min(rules[c.rule], 1)
			}
			if strings.Join(rows, ";") != c.want || !maps.Equal(got, rules) {
				t.Errorf("%s, %s: %v, want %s; warnings %v, want %s", c.name, form, rows, c.want, rules, c.rule)
			}
		}
	}
}

// fieldsOf are those of a job that waits, and others in their place.
func fieldsOf(others ...string) map[string]string {
	fields := is("JobID", "1", "JobIDRaw", "1", "JobName", "a", "State", "PENDING", "Reason", "Priority", "Submit", "1704103200", "Start", "Unknown", "ReqCPUS", "8")
	maps.Copy(fields, is(others...))
	return fields
}

// NO_VAL and INFINITE, in 32 and 64 bits (slurm.h: 0xfffffffe, 0xffffffff, and with 16
// digits), mean the same in every form and field: the value is unknown.
func TestNoValues(t *testing.T) {
	var columns []string
	for col := range workload.NumColumns {
		if c := workload.ColumnAt(col); c.NameKey == "" {
			columns = append(columns, c.Name)
		}
	}
	for _, v := range []string{"4294967294", "4294967295", "18446744073709551614", "18446744073709551615"} {
		fields := fieldsOf("ReqTRES", "cpu=8,mem="+v+",gres/gpu="+v)
		for _, name := range strings.Fields("Start Eligible End Timelimit TimelimitRaw Elapsed ElapsedRaw Suspended Priority ReqNodes NNodes NCPUS ArrayID ArrayTask HetID HetOffset TotalCPU ReqMem") {
			fields[name] = v
		}
		for _, form := range forms {
			if form == "scontrol" { // which leaves these out
				for _, name := range strings.Fields("ArrayID ArrayTask HetID HetOffset") {
					delete(fields, name)
				}
			}
			rows, _, _ := columnsOf(t, slurm.Render(form, fields), columns...)
			if got := strings.Fields(strings.ReplaceAll(strings.Join(rows, ";"), "-", "")); !slices.Equal(got, []string{"1", "36000", "8"}) {
				t.Errorf("%s: %s: %v", form, v, rows)
			}
		}
	}
}
