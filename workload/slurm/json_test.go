package slurm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// The two forms of sacct's JSON. In the old form numbers are plain or null, states are texts, and
// steps have a number and a name (data parsers 0.0.37 and 0.0.38; 0.0.39 has some of each). In the
// new form numbers that may be missing are objects, states are lists, and steps have a single text
// (0.0.40 to 0.0.46). 1717200000 is 2024-06-01T00:00:00Z.
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

// sacctJobs are the jobs of both, worked out by hand. Job 1 used 40 KB of memory for each of 4
// tasks, 160 KB on 8 processors, not the batch step's 80 KB; it requested 8 MB for 4 processors,
// and used 200.5 s of CPU time on 8 processors. Job 2 stands for 4 tasks. Job 5 lost a node and ran
// again. Infinite and unset limits are unknown.
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
		checkCase(t, text, "", slices.Concat(sacctJobs, strings.Split(`warning never-started 1
warning running 1
warning waiting 1
warning waiting-tasks 1
header UnixStartTime: 1717200000
header Application: 1 a"bé/
header User: 2 bob
header Computer: c`, "\n")))
		// The lines at which jobs begin in the old form, counted by hand.
		if lines, _ := outcome(text, "", []string{"line"}); form == "old" && !slices.Equal(lines[:6], strings.Fields("2 13 15 17 19 21")) {
			t.Errorf("lines %s", lines)
		}
	}
	// Instants need no zone, but the start of the day does: here the midnight in New York (UTC-4)
	// before 2024-05-31T20:00.
	got, header := outcome(oldMeta+oldJobs+"]}", "America/New_York", nil)
	if !slices.Contains(header, " UnixStartTime: 1717128000") || !slices.Contains(header, " TimeZoneString: America/New_York") || !strings.HasPrefix(got[0], "1 72000 30 ") {
		t.Errorf("%q %q", header, got)
	}
}

// TestSacctJSONForms reads documents of other shapes and expects the same jobs.
func TestSacctJSONForms(t *testing.T) {
	two := strings.SplitAfterN(oldJobs, "\"steps\": []},", 3)
	// The output of jq: .jobs, and with -c .jobs[].
	lines := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(oldJobs, ",\n{\"job_id\"", "\x00{\"job_id\""), "\n", ""), "\x00", "\n")
	for name, text := range map[string]string{
		"one line":          strings.ReplaceAll(oldMeta+oldJobs+"]}", "\n", " "),
		"carriage returns":  strings.ReplaceAll(oldMeta+oldJobs+"]}", "\n", "\r\n"),
		"byte order mark":   "\xef\xbb\xbf" + oldMeta + oldJobs + "]}",
		"array":             " [" + oldJobs + "]\n",
		"arrays":            "[" + strings.TrimSuffix(two[0]+two[1], ",") + "] [" + two[2] + "]",
		"lines":             lines + "\n",
		"behind each other": strings.ReplaceAll(lines, "\n", ""),
		"compressed":        string(logtest.Gzipped(t, []byte(oldMeta+oldJobs+"]}"))),
		"no meta":           `{"jobs": [` + oldJobs + "]}",
		"several documents": oldMeta + strings.TrimSuffix(two[0]+two[1], ",") + "]}\n" + oldMeta + two[2] + "]}\n",
	} {
		got, _ := outcome(text, "", nil)
		if d := cmp.Diff(sacctJobs, got[:min(6, len(got))]); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for _, text := range []string{oldMeta + "]}", `{"jobs": [` + newMeta, `{"jobs": [], "last_update": {"number": 1717200200}, "meta": {"slurm": {}}}`} {
		if got, _ := outcome(text, "", nil); len(got) > 0 {
			t.Errorf("no jobs: %s", got)
		}
	}
}
