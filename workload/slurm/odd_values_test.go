package slurm_test

import (
	"fmt"
	"math"
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

// TestMemoryFlag has memory with Slurm's flag MEM_PER_CPU left in it, 2^31 or 2^63 MB: 3000
// MB for each of 8 processors, and amounts that are large without it. In the listings it is
// in the lists of resources.
func TestMemoryFlag(t *testing.T) {
	sacct := func(reqMem, nodes, tres string) string {
		return "JobID|State|Submit|Start|End|ElapsedRaw|NNodes|NCPUS|ReqCPUS|ReqMem|ReqTRES\n" +
			"1|COMPLETED|2024-01-01T10:00:00|2024-01-01T10:10:00|2024-01-01T11:10:00|3600|" + nodes + "|8|8|" + reqMem + "|" + tres + "\n"
	}
	scontrol := func(tres string) string {
		return "JobId=1 JobName=a UserId=u(1) JobState=PENDING Reason=Priority TimeLimit=01:00:00 SubmitTime=2024-01-01T10:00:00 StartTime=Unknown NumCPUs=8 ReqTRES=" + tres + "\n"
	}
	squeueJSON := func(tres string) string {
		return `{"jobs": [{"job_id": 1, "job_state": "PENDING", "state_reason": "Priority", "submit_time": 1704103200, "start_time": 0, "cpus": 8, "tres_req_str": "` + tres + `"}], "meta": {"Slurm": {}}}`
	}
	sacctJSON := func(count string) string {
		return `{"jobs": [{"job_id": 1, "state": {"current": "COMPLETED"}, "required": {"CPUs": 8}, "time": {"submission": 1704103200, "start": 1704103800, "end": 1704107400, "elapsed": 3600},
			"tres": {"requested": [{"type": "cpu", "count": 8}, {"type": "mem", "count": ` + count + `}, {"type": "node", "count": 1}]}, "steps": []}], "meta": {"Slurm": {}}}`
	}
	const tres32, tres64 = "cpu=8,mem=2147486648M,node=1", "cpu=8,mem=9223372036854778808M,node=1"
	const small = "3072000 24576000" // 3000 MB, 8 times
	for name, c := range map[string]struct{ text, want string }{
		"for each node, 32 bits":      {sacct("2147486648Mn", "1", ""), small},
		"several nodes":               {sacct("2147486648Mn", "4", ""), small},
		"for each processor":          {sacct("2147486648Mc", "4", ""), small},
		"of the job":                  {sacct("2147486648M", "1", ""), small},
		"without a unit":              {sacct("2147486648", "1", ""), small},
		"64 bits":                     {sacct("9223372036854778808Mn", "1", ""), small},
		"64 bits, no unit":            {sacct("9223372036854778808", "2", ""), small},
		"ReqTRES, 32 bits":            {sacct("", "1", tres32), small},
		"ReqTRES, 64 bits":            {sacct("", "1", tres64), small},
		"the flag alone":              {sacct("2147483648Mn", "1", ""), "- -"},
		"no value":                    {sacct("4294967294Mn", "1", ""), "- -"},
		"no value, 64 bits":           {sacct("18446744073709551614Mn", "1", ""), "- -"},
		"rounded":                     {sacct("2.00Pn", "1", ""), "- -"},
		"4096 nodes of 512 GiB":       {sacct("2147483648M", "4096", ""), "274877906944 2199023255552"},
		"9408 nodes of 512 GiB":       {sacct("4816896G", "9408", ""), "631360192512 5050881540096"}, // 4816896 * 2^20, by 8
		"sacct JSON, 32 bits":         {sacctJSON("2147486648"), small},
		"sacct JSON, 64 bits":         {sacctJSON("9223372036854778808"), small},
		"scontrol, 32 bits":           {scontrol(tres32), small},
		"scontrol, 64 bits":           {scontrol(tres64), small},
		"squeue JSON, 32 bits":        {squeueJSON(tres32), small},
		"squeue JSON, 64 bits":        {squeueJSON(tres64), small},
		"squeue JSON without a count": {squeueJSON("mem=2147486648M,node=1"), "- -"},
	} {
		t.Run(name, func(t *testing.T) {
			rows, _, _ := columnsOf(t, c.text, "requested_memory_kb", "requested_memory_total_kb")
			if d := cmp.Diff([]string{c.want}, rows); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestGPUsNotAskedFor has logs whose requests never name GPUs: how many were asked for is
// unknown, although some jobs were given GPUs. Where one request names them, the others ask
// for none.
func TestGPUsNotAskedFor(t *testing.T) {
	sacct := `JobID|State|Submit|Start|End|ElapsedRaw|NCPUS|ReqTRES|AllocTRES
1|COMPLETED|2024-01-01T10:00:00|2024-01-01T10:10:00|2024-01-01T11:10:00|3600|8|cpu=8,mem=24000M,node=1|cpu=8,mem=24000M,node=1
2|COMPLETED|2024-01-01T10:00:00|2024-01-01T10:10:00|2024-01-01T11:10:00|3600|8|cpu=8,mem=24000M,node=1|cpu=8,gres/gpu=2,mem=24000M,node=1
`
	squeue := `{"jobs": [
		{"job_id": 1, "job_state": "RUNNING", "submit_time": 1704103200, "start_time": 1704103800, "cpus": 8, "nodes": "n1", "tres_req_str": "cpu=8", "tres_alloc_str": "cpu=8"},
		{"job_id": 2, "job_state": "RUNNING", "submit_time": 1704103200, "start_time": 1704103800, "cpus": 8, "nodes": "n1", "tres_req_str": "cpu=8", "tres_alloc_str": "cpu=8,gres/gpu=2"}], "meta": {"Slurm": {}}}`
	for text, want := range map[string][]string{
		sacct: {"- 0", "- 2"}, squeue: {"- 0", "- 2"},
		strings.Replace(squeue, `"cpu=8", "tres_alloc_str": "cpu=8,`, `"cpu=8,gres/gpu=2", "tres_alloc_str": "cpu=8,`, 1): {"0 0", "2 2"},
	} {
		rows, _, format := columnsOf(t, text, "requested_gpus", "allocated_gpus")
		if d := cmp.Diff(want, rows); d != "" {
			t.Error(format, d)
		}
	}
}

// TestRoundedCounts has counts as sacct writes them without --noconvert, in every column.
func TestRoundedCounts(t *testing.T) {
	rows, rules, _ := columnsOf(t, `JobID|State|Submit|Start|End|ElapsedRaw|NNodes|NCPUS|ReqCPUS|ReqNodes
1|COMPLETED|2024-01-01T10:00:00|2024-01-01T10:10:00|2024-01-01T11:10:00|3600|1|2|2|0.00K
2|COMPLETED|2024-01-01T10:00:00|2024-01-01T10:10:00|2024-01-01T11:10:00|3600|1.50K|96K|96k|1.50K
`, "requested_nodes", "allocated_nodes", "requested_processors", "allocated_processors")
	if d := cmp.Diff([]string{"0 1 2 2", "1536 1536 98304 98304"}, rows); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]int64{"rounded-count": 2}, rules); d != "" {
		t.Error(d)
	}
	rows, _, _ = columnsOf(t, `JOBID|STATE|SUBMIT_TIME|START_TIME|CPUS|NODES|REASON
1|RUNNING|2024-01-01T10:00:00|2024-01-01T10:10:00|96K|1.50K|None
2|PENDING|2024-01-01T10:00:00|N/A|2k-4k|1K-2K|Priority
`, "requested_processors", "requested_nodes")
	if d := cmp.Diff([]string{"98304 1536", "2048 1024"}, rows); d != "" {
		t.Error(d)
	}
}

// TestEndBeforeStart has jobs that ended ten minutes before they started, in each form: no
// run time, and a warning.
func TestEndBeforeStart(t *testing.T) {
	const start, end = "2024-01-01T11:00:00", "2024-01-01T10:50:00"
	sacct := func(column, value string) string {
		return "JobID|State|Submit|Start|End|NCPUS" + column + "\n2|COMPLETED|2024-01-01T10:00:00|" + start + "|" + end + "|4" + value + "\n"
	}
	for name, text := range map[string]string{
		"sacct":             sacct("", ""),
		"sacct, ElapsedRaw": sacct("|ElapsedRaw", "|0"),
		"sacct, wrapped":    sacct("|ElapsedRaw", "|4294966696"),
		"sacct, Elapsed":    sacct("|Elapsed", "|INVALID"),
		"sacct JSON": `{"jobs": [{"job_id": 2, "state": {"current": "COMPLETED"}, "required": {"CPUs": 4}, "nodes": "n1", "steps": [],
			"time": {"submission": 1704103200, "start": 1704106800, "end": 1704106200, "elapsed": 0}, "tres": {"allocated": [{"type": "cpu", "count": 4}]}}], "meta": {"Slurm": {}}}`,
		"squeue":      "JOBID|STATE|SUBMIT_TIME|START_TIME|END_TIME|TIME|CPUS|NODELIST|REASON\n2|COMPLETED|2024-01-01T10:00:00|" + start + "|" + end + "|0:00|4|n1|None\n",
		"squeue JSON": `{"jobs": [{"job_id": 2, "job_state": "COMPLETED", "submit_time": 1704103200, "start_time": 1704106800, "end_time": 1704106200, "cpus": 4, "nodes": "n1"}], "meta": {"Slurm": {}}}`,
		"scontrol":    "JobId=2 JobName=a UserId=u(1) JobState=COMPLETED RunTime=00:00:00 TimeLimit=01:00:00 SubmitTime=2024-01-01T10:00:00 StartTime=" + start + " EndTime=" + end + " NodeList=n1 NumCPUs=4\n",
	} {
		t.Run(name, func(t *testing.T) {
			rows, rules, _ := columnsOf(t, text, "job_id", "wait_time_s", "run_time_s", "allocated_processors")
			if d := cmp.Diff([]string{"2 3600 - 4"}, rows); d != "" || rules["end-before-start"] != 1 {
				t.Errorf("%s, warnings %v", d, rules)
			}
		})
	}
}

// TestNoLimit has the limits that Slurm writes for jobs without one: 365 days, or all that
// 31 bits hold. A day less is a limit.
func TestNoLimit(t *testing.T) {
	for _, c := range []struct{ limit, minutes, want string }{
		{"365-00:00:00", "525600", "-"}, {"24855-03:14:07", "35791395", "-"}, {"364-23:59:00", "525599", "31535940"},
	} {
		head := "|State|Submit|Start|End|ElapsedRaw|NCPUS\n1|"
		row := "|COMPLETED|2024-01-01T10:00:00|2024-01-01T10:10:00|2024-01-01T11:10:00|3600|8\n"
		for form, text := range map[string]string{
			"Timelimit":    "JobID|Timelimit" + head + c.limit + row,
			"TimelimitRaw": "JobID|TimelimitRaw" + head + c.minutes + row,
			"squeue":       "JOBID|STATE|SUBMIT_TIME|START_TIME|CPUS|TIME_LIMIT|REASON\n1|PENDING|2024-01-01T10:00:00|N/A|8|" + c.limit + "|Priority\n",
			"squeue JSON":  `{"jobs": [{"job_id": 1, "job_state": "PENDING", "state_reason": "Priority", "submit_time": 1704103200, "start_time": 0, "cpus": 8, "time_limit": ` + c.minutes + `}], "meta": {"Slurm": {}}}`,
			"scontrol":     "JobId=1 JobName=a UserId=u(1) JobState=PENDING Reason=Priority TimeLimit=" + c.limit + " SubmitTime=2024-01-01T10:00:00 StartTime=Unknown NumCPUs=8\n",
			"sacct JSON":   `{"jobs": [{"job_id": 1, "state": {"current": "COMPLETED"}, "time": {"submission": 1704103200, "start": 1704103800, "end": 1704107400, "elapsed": 3600, "limit": ` + c.minutes + `}, "steps": []}], "meta": {"Slurm": {}}}`,
		} {
			rows, rules, _ := columnsOf(t, text, "requested_time_s")
			if warned := rules["year-limit"] == 1; rows[0] != c.want || warned != (c.want == "-") {
				t.Errorf("%s of %s: %v, warnings %v", form, c.limit, rows, rules)
			}
		}
	}
}

// TestHeldOnly has listings of held jobs alone: no jobs, and a warning.
func TestHeldOnly(t *testing.T) {
	for form, text := range map[string]string{
		"squeue":   "JOBID|USER|STATE|SUBMIT_TIME|START_TIME|CPUS|REASON\n1|a|PENDING|2024-01-01T10:00:00|N/A|4|JobHeldUser\n",
		"JSON":     `{"jobs": [{"job_id": 1, "job_state": "PENDING", "state_reason": "JobHeldUser", "submit_time": 1704103200, "start_time": 0, "cpus": 8}], "meta": {"Slurm": {}}}`,
		"scontrol": "JobId=1 JobName=a UserId=u(1) JobState=PENDING Reason=JobHeldUser TimeLimit=01:00:00 SubmitTime=2024-01-01T10:00:00 StartTime=Unknown NumCPUs=8\n",
	} {
		rows, rules, _ := columnsOf(t, text, "job_id")
		if len(rows) != 0 || rules["held-jobs"] != 1 {
			t.Errorf("%s: jobs %v, warnings %v", form, rows, rules)
		}
	}
}

// TestListingLacksColumns has a listing without submissions and other columns: a warning
// names what to ask for. What a job that runs still has used is not known either.
func TestListingLacksColumns(t *testing.T) {
	rows, rules, _ := columnsOf(t, "JobID|Start|End|TotalCPU|State|NCPUS\n1|2024-01-01T11:00:00|2024-01-01T12:00:00|01:00:00|COMPLETED|4\n2|2024-01-01T11:00:00|Unknown|00:00:00|RUNNING|4\n",
		"submit_time_s", "wait_time_s", "run_time_s", "cpu_time_s")
	if d := cmp.Diff([]string{"- - 3600 900", "- - - -"}, rows); d != "" || rules["missing-column"] != 1 {
		t.Errorf("%s, warnings %v", d, rules)
	}
	if _, rules, _ = columnsOf(t, "JobID|User|Submit\n1|u|2024-01-01T11:00:00\n", "job_id"); rules["missing-column"] != 4 { // Start, ElapsedRaw, NCPUS, State
		t.Errorf("warnings %v", rules)
	}
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
