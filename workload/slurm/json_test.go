package slurm_test

import (
	"bytes"
	"fmt"

	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// read drains a log: its jobs as SWF has them, header, warnings and lines.
func read(l *workload.Log, err error) (r sacctRead, _ error) {
	if err != nil {
		return r, err
	}
	defer l.Close()
	row := int64(0)
	for rec, err := range l.Batches() {
		if err != nil {
			return r, err
		}
		for line := range strings.Lines(string(swf.Append(nil, rec))) {
			r.jobs = append(r.jobs, strings.TrimSpace(line))
			r.lines = append(r.lines, l.Line(row))
			row++
		}
	}
	r.header = l.Header.Lines
	for _, w := range l.Warnings() {
		r.warnings = append(r.warnings, fmt.Sprintf("%s %d %d", w.Rule, w.Count, w.Line))
	}
	slices.Sort(r.warnings)
	return r, nil
}

func readText(text string, o workload.Options) (sacctRead, error) {
	return read(logfile.OpenReader("log", strings.NewReader(text), o))
}

// The two forms of sacct's JSON: numbers plain or null, states as texts, steps by number
// and name (data parsers 0.0.37 and 0.0.38; 0.0.39 has some of each); and numbers that
// may be missing as objects, states as lists, steps by one text (0.0.40 to 0.0.46).
// 1717200000 is 2024-06-01T00:00:00Z.
const (
	oldMeta = `{"meta": {"plugin": {"type": "openapi\/dbv0.0.38", "name": "Slurm OpenAPI DB v0.0.38"}, "Slurm": {"release": "22.05.8"}}, "errors": [], "jobs": [`
	oldJobs = `
{"job_id": 1, "account": "phys", "cluster": "c", "user": "ann", "group": "g", "partition": "p", "qos": "q", "name": "a\"b\u00e9\/", "nodes": "n1",
 "allocation_nodes": 1, "array": {"job_id": 0, "task": null, "task_id": null}, "het": {"job_id": 0, "job_offset": null}, "required": {"CPUs": 4, "memory": 0},
 "state": {"current": "COMPLETED", "reason": "None"}, "association": {"account": "phys", "cluster": "c", "partition": null, "user": "ann"},
 "time": {"elapsed": 100, "eligible": 1717200010, "end": 1717200130, "start": 1717200030, "submission": 1717200000, "suspended": 0, "limit": 60,
  "total": {"seconds": 200, "microseconds": 500000}},
 "tres": {"allocated": [{"type": "cpu", "name": null, "id": 1, "count": 8}, {"type": "energy", "name": null, "id": 3, "count": null}, {"type": "node", "name": null, "id": 4, "count": 1}],
  "requested": [{"type": "cpu", "name": null, "id": 1, "count": 4}, {"type": "mem", "name": null, "id": 2, "count": 8}]},
 "steps": [{"step": {"job_id": 1, "het": {"component": null}, "id": "batch", "name": "batch"}, "tasks": {"count": 1}, "time": {"total": {"seconds": 1, "microseconds": 0}},
   "tres": {"requested": {"max": [{"type": "cpu", "name": null, "id": 1, "count": 9, "node": "n1", "task": 0}, {"type": "mem", "name": null, "id": 2, "count": 81920, "node": "n1", "task": 0}]}}},
  {"step": {"job_id": 1, "het": {"component": null}, "id": 0, "name": "x"}, "tasks": {"count": 4}, "time": {"total": {"seconds": 1, "microseconds": 0}},
   "tres": {"requested": {"max": [{"type": "mem", "name": null, "id": 2, "count": 40960, "node": "n1", "task": 2}]}}}]},
{"job_id": 2, "array": {"job_id": 2, "task": "0x1E", "task_id": null}, "name": "w", "user": "bob", "account": "phys", "partition": "p", "qos": "q", "nodes": "None assigned",
 "required": {"CPUs": 1}, "state": {"current": "PENDING"}, "time": {"elapsed": 0, "end": 0, "start": 0, "submission": 1717200060, "limit": null, "total": {"seconds": 0, "microseconds": 0}}, "tres": {"allocated": [], "requested": []}, "steps": []},
{"job_id": 4, "array": {"job_id": 3, "task": null, "task_id": 7}, "name": "w", "user": "bob", "account": "phys", "partition": "p", "qos": "q", "nodes": "n2",
 "required": {"CPUs": 1}, "state": {"current": "RUNNING"}, "time": {"elapsed": 30, "end": 0, "start": 1717200070, "submission": 1717200060, "limit": 4294967295}, "tres": {"allocated": [{"type": "cpu", "count": 2}], "requested": []}, "steps": []},
{"job_id": 5, "name": "r", "user": "bob", "account": "phys", "partition": "p", "qos": "q", "nodes": "n2", "required": {"CPUs": 1}, "state": {"current": "NODE_FAIL"},
 "time": {"elapsed": 5, "end": 1717200085, "start": 1717200080, "submission": 1717200070, "limit": 1}, "tres": {"allocated": [{"type": "cpu", "count": 1}], "requested": []}, "steps": []},
{"job_id": 5, "name": "r", "user": "bob", "account": "phys", "partition": "p", "qos": "q", "nodes": "n3", "required": {"CPUs": 1}, "state": {"current": "COMPLETED"},
 "time": {"elapsed": 6, "end": 1717200106, "start": 1717200100, "submission": 1717200090, "limit": 1}, "tres": {"allocated": [{"type": "cpu", "count": 1}], "requested": []}, "steps": []},
{"job_id": 12, "het": {"job_id": 11, "job_offset": 1}, "name": "h", "user": "bob", "account": "phys", "partition": "p", "qos": "q", "nodes": "None assigned", "required": {"CPUs": 3}, "state": {"current": "CANCELLED"},
 "time": {"elapsed": 0, "end": 1717200095, "start": 0, "submission": 1717200091, "limit": "30"}, "tres": {"allocated": [], "requested": []}, "steps": []}
`
	newMeta = `], "meta": {"plugin": {"type": "", "name": "", "data_parser": "data_parser/v0.0.43", "accounting_storage": "accounting_storage/slurmdbd"}, "command": ["sacct"],
 "slurm": {"version": {"major": "25", "micro": "0", "minor": "05"}, "release": "25.05.0", "cluster": "c"}}, "errors": [], "warnings": []}`
	unset   = `{"set": false, "infinite": false, "number": 0}`
	newJobs = `
{"account": "phys", "allocation_nodes": 1, "array": {"job_id": 0, "limits": {"max": {"running": {"tasks": 0}}}, "task_id": ` + unset + `, "task": ""},
 "association": {"account": "phys", "cluster": "c", "partition": "", "user": "ann", "id": 9}, "cluster": "c", "group": "g", "het": {"job_id": 0, "job_offset": ` + unset + `},
 "job_id": 1, "name": "a\"b\u00e9\/", "nodes": "n1", "partition": "p", "qos": "q", "required": {"CPUs": 4, "memory_per_cpu": {"set": true, "infinite": false, "number": 2}, "memory_per_node": ` + unset + `},
 "state": {"current": ["COMPLETED"], "reason": "None"}, "time": {"elapsed": 100, "eligible": 1717200010, "end": 1717200130, "planned": {"set": true, "infinite": false, "number": 20}, "start": 1717200030,
  "submission": 1717200000, "suspended": 0, "limit": {"set": true, "infinite": false, "number": 60}, "total": {"seconds": 200, "microseconds": 500000}},
 "steps": [{"time": {"end": {"set": true, "infinite": false, "number": 1717200130}, "limit": ` + unset + `, "total": {"seconds": 1, "microseconds": 0}}, "tasks": {"count": 1}, "step": {"id": "1.batch", "name": "batch", "stderr": ""},
   "tres": {"requested": {"max": [{"type": "cpu", "name": "", "id": 1, "count": 9, "task": 0, "node": "n1"}, {"type": "mem", "name": "", "id": 2, "count": 81920, "task": 0, "node": "n1"}], "min": []}}},
  {"time": {"total": {"seconds": 1, "microseconds": 0}}, "tasks": {"count": 4}, "step": {"id": "1.0", "name": "x"}, "tres": {"requested": {"max": [{"type": "mem", "name": "", "id": 2, "count": 40960, "task": 2, "node": "n1"}]}}}],
 "tres": {"allocated": [{"type": "cpu", "name": "", "id": 1, "count": 8}, {"type": "energy", "name": "", "id": 3, "count": -2}, {"type": "node", "name": "", "id": 4, "count": 1}],
  "requested": [{"type": "cpu", "name": "", "id": 1, "count": 4}, {"type": "mem", "name": "", "id": 2, "count": 8}]}, "user": "ann"},
{"array": {"job_id": 2, "task_id": ` + unset + `, "task": "1-4%2"}, "account": "phys", "job_id": 2, "name": "w", "nodes": "None assigned", "partition": "p", "qos": "q", "required": {"CPUs": 1}, "state": {"current": ["PENDING"]},
 "time": {"elapsed": 0, "end": 0, "start": 0, "submission": 1717200060, "limit": ` + unset + `, "total": {"seconds": 0, "microseconds": 0}}, "steps": [], "tres": {"allocated": [], "requested": []}, "user": "bob"},
{"array": {"job_id": 3, "task_id": {"set": true, "infinite": false, "number": 7}, "task": ""}, "account": "phys", "job_id": 4, "name": "w", "nodes": "n2", "partition": "p", "qos": "q", "required": {"CPUs": 1}, "state": {"current": ["RUNNING"]},
 "time": {"elapsed": 30, "end": 0, "start": 1717200070, "submission": 1717200060, "limit": {"set": false, "infinite": true, "number": 0}}, "steps": [], "tres": {"allocated": [{"type": "cpu", "name": "", "count": 2}], "requested": []}, "user": "bob"},
{"account": "phys", "job_id": 5, "name": "r", "nodes": "n2", "partition": "p", "qos": "q", "required": {"CPUs": 1}, "state": {"current": ["NODE_FAIL"]},
 "time": {"elapsed": 5, "end": 1717200085, "start": 1717200080, "submission": 1717200070, "limit": {"set": true, "infinite": false, "number": 1}}, "steps": [], "tres": {"allocated": [{"type": "cpu", "count": 1}], "requested": []}, "user": "", "association": {"user": "bob"}},
{"account": "phys", "job_id": 5, "name": "r", "nodes": "n3", "partition": "p", "qos": "q", "required": {"CPUs": 1}, "state": {"current": ["COMPLETED"]},
 "time": {"elapsed": 6, "end": 1717200106, "start": 1717200100, "submission": 1717200090, "limit": {"set": true, "infinite": false, "number": 1}}, "steps": [], "tres": {"allocated": [{"type": "cpu", "count": 1}], "requested": []}, "user": "bob"},
{"account": "phys", "het": {"job_id": 11, "job_offset": {"set": true, "infinite": false, "number": 1}}, "job_id": "12", "name": "h", "nodes": "None assigned", "partition": "p", "qos": "q", "required": {"CPUs": "3"}, "state": {"current": ["CANCELLED"]},
 "time": {"elapsed": "0", "end": "1717200095", "start": 0, "submission": "1717200091", "limit": {"set": true, "infinite": false, "number": "30"}}, "steps": [], "tres": {"allocated": [], "requested": []}, "user": "bob"}
`
)

// sacctJobs are the jobs of both, by hand. Job 1: used memory is 40 KB of each of 4
// tasks, 160 KB on 8 processors, not the batch step's 80 KB; asked for are 8 MB for 4
// processors; 200.5 s of CPU time on 8 processors. Job 2 stands for 4 tasks. Job 5 lost
// a node and ran again. No limit and one that is not set are unknown.
var sacctJobs = []string{
	"1 0 30 100 8 25.0625 20 4 3600 2048 1 1 1 1 1 1 -1 -1",
	"2 60 -1 -1 -1 -1 -1 1 -1 -1 -1 2 1 2 1 1 -1 -1",
	"4 60 10 -1 2 -1 -1 1 -1 -1 -1 2 1 2 1 1 -1 -1",
	"5 70 10 5 1 -1 -1 1 60 -1 2 2 1 3 1 1 -1 -1",
	"5 90 10 6 1 -1 -1 1 60 -1 3 2 1 3 1 1 -1 -1",
	"12 91 -1 -1 -1 -1 -1 3 1800 -1 5 2 1 4 1 1 -1 -1",
}

func TestSacctJSON(t *testing.T) {
	for form, text := range map[string]string{"old": oldMeta + oldJobs + "]}\n", "new": `{"jobs": [` + newJobs + newMeta} {
		got, err := readText(text, workload.Options{})
		if err != nil {
			t.Fatal(form, err)
		}
		if d := cmp.Diff(sacctJobs, got.jobs); d != "" {
			t.Errorf("%s: %s", form, d)
		}
		// Lines of the old form, counted by hand, are those where jobs begin.
		if form == "old" && !slices.Equal(got.lines, []int64{2, 13, 15, 17, 19, 21}) {
			t.Errorf("lines %d", got.lines)
		}
		for _, line := range []string{" UnixStartTime: 1717200000", " Application: 1 a\"b\u00e9/", " User: 2 bob", " Computer: c"} {
			if !slices.Contains(got.header, line) {
				t.Errorf("%s: no line %q in %q", form, line, got.header)
			}
		}
		want := []string{"never-started 1", "running 1", "state-node-fail 1", "waiting 1", "waiting-tasks 1"}
		for i, w := range got.warnings {
			got.warnings[i] = w[:strings.LastIndexByte(w, ' ')]
		}
		if d := cmp.Diff(want, got.warnings); d != "" {
			t.Errorf("%s: %s", form, d)
		}
	}
}

// TestSacctJSONForms has documents of other shapes: the same jobs.
func TestSacctJSONForms(t *testing.T) {
	want, err := readText(oldMeta+oldJobs+"]}", workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	two := strings.SplitAfterN(oldJobs, "\"steps\": []},", 3)
	// As jq prints them: .jobs, and with -c .jobs[].
	lines := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(oldJobs, ",\n{\"job_id\"", "\x00{\"job_id\""), "\n", ""), "\x00", "\n")
	for name, text := range map[string]string{
		"one line":          strings.ReplaceAll(oldMeta+oldJobs+"]}", "\n", " "),
		"carriage returns":  strings.ReplaceAll(oldMeta+oldJobs+"]}", "\n", "\r\n"),
		"byte order mark":   "\xef\xbb\xbf" + oldMeta + oldJobs + "]}",
		"array":             " [" + oldJobs + "]\n",
		"arrays":            "[" + strings.TrimSuffix(two[0]+two[1], ",") + "] [" + two[2] + "]",
		"lines":             lines + "\n",
		"behind each other": strings.ReplaceAll(lines, "\n", ""),
		"no meta":           `{"jobs": [` + oldJobs + "]}",
		"several documents": oldMeta + strings.TrimSuffix(two[0]+two[1], ",") + "]}\n" + oldMeta + two[2] + "]}\n",
	} {
		got, err := readText(text, workload.Options{Workers: 3})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(want.jobs, got.jobs); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	// Compressed, and through a pipe.
	zipped := logtest.Gzipped(t, []byte(oldMeta+oldJobs+"]}"))
	got, err := read(logfile.OpenReader("-", iotest.HalfReader(bytes.NewReader(zipped)), workload.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.jobs, got.jobs); d != "" {
		t.Errorf("gzip: %s", d)
	}
	for _, text := range []string{oldMeta + "]}", `{"jobs": [` + newMeta} {
		got, err := readText(text, workload.Options{})
		if err != nil || len(got.jobs) > 0 {
			t.Errorf("no jobs: %v %v", got.jobs, err)
		}
	}
}

// TestSacctJSONZone checks the log's second 0 and its zone: instants need none, but the
// day begins somewhere.
func TestSacctJSONZone(t *testing.T) {
	got, err := readText(oldMeta+oldJobs+"]}", workload.Options{TimeZone: "America/New_York"})
	if err != nil {
		t.Fatal(err)
	}
	// Midnight in New York, UTC-4, before 2024-05-31T20:00.
	if !slices.Contains(got.header, " UnixStartTime: 1717128000") || !slices.Contains(got.header, " TimeZoneString: America/New_York") || !strings.HasPrefix(got.jobs[0], "1 72000 30 ") {
		t.Errorf("%q %q", got.header, got.jobs[0])
	}
}

const squeueMeta = `"last_backfill": {"set": true, "infinite": false, "number": 1717200190}, "last_update": {"set": true, "infinite": false, "number": 1717200200},
 "meta": {"plugin": {"type": "openapi/slurmctld", "data_parser": "data_parser/v0.0.43"}, "slurm": {"release": "25.05.0"}}, "errors": [], "warnings": []}`

// num is a number in the new form.
func num(n int64) string { return fmt.Sprintf(`{"set": true, "infinite": false, "number": %d}`, n) }

// squeueJob is a job in the old form or the new.
func squeueJob(old bool, id int64, state, reason string, submit, start, end, limit, cpus int64, nodes, more string) string {
	n := func(x int64) string {
		switch {
		case old && x < 0:
			return "null"
		case old:
			return fmt.Sprint(x)
		case x < 0:
			return unset
		}
		return num(x)
	}
	if old {
		state, _, _ = strings.Cut(state, `", "`)
		state = `"` + state + `"`
	} else {
		state = `["` + state + `"]`
	}
	return fmt.Sprintf(`{"account": "phys", "accrue_time": %s, "job_id": %d, "job_state": %s, "state_reason": "%s", "submit_time": %s, "start_time": %s, "end_time": %s,
 "time_limit": %s, "cpus": %s, "nodes": "%s", "user_name": "ann", "user_id": 7, "group_name": "g", "partition": "p", "qos": "q", "name": "n", "job_resources": {"allocated_nodes": [{"sockets": {"0": {"cores": {"0": "allocated"}}}}]}%s}`,
		n(submit), id, state, reason, n(submit), n(start), n(end), n(limit), n(cpus), nodes, more)
}

// TestSqueueJSON has values by hand. Second 0 is 1717200000. Jobs 5 and 6 are held, 7 was
// refused; 8 completes in the new form, which has flags, and has ended in the old.
func TestSqueueJSON(t *testing.T) {
	for _, old := range []bool{true, false} {
		task, tasks, het := `, "array_job_id": 90, "array_task_id": 3, "array_task_string": ""`, `, "array_job_id": 3, "array_task_id": null, "array_task_string": "1-6%2"`, `, "het_job_id": 4, "het_job_offset": 1`
		if !old {
			task = `, "array_job_id": ` + num(90) + `, "array_task_id": ` + num(3) + `, "array_task_string": ""`
			tasks = `, "array_job_id": ` + num(3) + `, "array_task_id": ` + unset + `, "array_task_string": "1-6%2"`
			het = `, "array_job_id": ` + num(0) + `, "het_job_id": ` + num(4) + `, "het_job_offset": ` + num(1)
		}
		const z = 1717200000
		jobs := strings.Join([]string{
			squeueJob(old, 1, "RUNNING", "None", z+10, z+40, z+3640, 60, 8, "n1", `, "last_sched_evaluation": 1717200040`),
			squeueJob(old, 2, "RUNNING", "None", z+10, z+50, z+3640, -1, 2, "n1", task),
			squeueJob(old, 3, "PENDING", "Priority", z+20, 0, 0, 5, 4, "", tasks),
			squeueJob(old, 4, "PENDING", "Resources", z+30, z+4000, z+5000, 5, 4, "", het),
			squeueJob(old, 5, "PENDING", "JobHeldUser", z+30, 0, 0, 5, 4, "", ""),
			squeueJob(old, 6, "PENDING", "BeginTime", z+30, z+900, 0, 5, 4, "", ""),
			squeueJob(old, 7, "FAILED", "BadConstraints", z+31, z+31, z+31, 5, 4, "", ""),
			squeueJob(old, 8, `COMPLETED", "COMPLETING`, "None", z+32, z+40, z+140, 5, 4, "n1", ""),
		}, ",\n")
		text := `{"jobs": [` + jobs + "], " + squeueMeta
		if old {
			text = `{"meta": {"plugin": {"type": "openapi\/v0.0.38"}, "Slurm": {}}, "errors": [], "jobs": [` + jobs + "]}"
		}
		eighth := "8 32 8 -1 4 -1 -1 4 300 -1 -1 1 1 1 1 1 -1 -1"
		if old {
			eighth = "8 32 8 100 4 -1 -1 4 300 -1 1 1 1 1 1 1 -1 -1"
		}
		want := []string{
			"1 10 30 -1 8 -1 -1 8 3600 -1 -1 1 1 1 1 1 -1 -1",
			"2 10 40 -1 2 -1 -1 2 -1 -1 -1 1 1 1 1 1 -1 -1",
			"3 20 -1 -1 -1 -1 -1 4 300 -1 -1 1 1 1 1 1 -1 -1", // two of six tasks: the others are held
			"3 20 -1 -1 -1 -1 -1 4 300 -1 -1 1 1 1 1 1 -1 -1",
			"4 30 -1 -1 -1 -1 -1 4 300 -1 -1 1 1 1 1 1 -1 -1",
			"7 31 -1 -1 -1 -1 -1 4 300 -1 0 1 1 1 1 1 -1 -1",
			eighth,
		}
		l, err := logfile.OpenReader("now.json", strings.NewReader(text), workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		taken, _ := l.Taken()
		if wanted := map[bool]float64{true: 140, false: 200}[old]; taken != wanted {
			t.Errorf("old %v: taken at %v, want %v", old, taken, wanted)
		}
		got, err := read(l, err)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got.jobs); d != "" {
			t.Errorf("old %v: %s", old, d)
		}
		if d := cmp.Diff([]string{"held-jobs 6 9"}, got.warnings); d != "" {
			t.Errorf("old %v: %s", old, d)
		}
	}
	empty, err := logfile.OpenReader("now.json", strings.NewReader(`{"jobs": [], `+squeueMeta), workload.Options{})
	if err != nil || empty.Format != "squeue" {
		t.Errorf("an empty queue: %v", err)
	}
}

// TestJSONKinds tells documents apart, or refuses them.
func TestJSONKinds(t *testing.T) {
	for text, want := range map[string]string{
		`{"meta": {"Slurm": {}}, "errors": [], "nodes": [{"name": "n1"}]}`:                        "saw Slurm's JSON with errors, nodes, want jobs: the output of sacct --json, squeue --json or scontrol show job --json",
		`{"sinfo": [{"port": 6818}], "meta": {"plugin": {"data_parser": "data_parser/v0.0.41"}}}`: "saw Slurm's JSON with sinfo, want jobs: the output of sacct --json, squeue --json or scontrol show job --json",
		`{"statistics": {"jobs": []}, "meta": {"slurm": {}}}`:                                     "saw Slurm's JSON with statistics, want jobs: the output of sacct --json, squeue --json or scontrol show job --json",
		`{"nb_res": 4, "jobs": [{"id": "1", "subtime": 0}], "profiles": {}}`:                      `saw JSON, "{\"nb_res\": 4, \"jobs\": [{\"id\": \"1\", \"subt"..., want a job log: of JSON, what Slurm's sacct, squeue and scontrol show job print with --json, and tables by --map`,
		`[{"job_id": 1}]`:                   `saw JSON, "[{\"job_id\": 1}]", want a job log: of JSON, what Slurm's sacct, squeue and scontrol show job print with --json, and tables by --map`,
		`{"schema": "loadstone.fit/1"}`:     `saw JSON of the schema "loadstone.fit/1", want a job log`,
		"NodeName=n1 Arch=x86_64\n":         "saw scontrol's NodeName=, want jobs: scontrol show job",
		"PartitionName=p\n   AllowGroups=A": "saw scontrol's PartitionName=, want jobs: scontrol show job",
	} {
		_, err := readText(text, workload.Options{})
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
