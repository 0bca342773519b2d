package slurm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// arrays is the queue of a real Slurm 22.05 (.ci/slurm) in three forms: tasks 14 to 29 of
// array 1 wait for processors, 0 to 29 of array 2 with a limit of five behind them, and 5 to
// 29 of array 4 because five run; array 3 is held.
var arrays = map[string]string{
	"squeue": `JOBID|STATE|SUBMIT_TIME|START_TIME|CPUS|REASON|NODELIST
1_13|RUNNING|2026-11-28T16:50:50|2026-11-28T16:50:51|4|None|vm
1_[14-29]|PENDING|2026-11-28T16:50:50|2026-11-28T17:21:00|4|Resources|
2_[0-29%5]|PENDING|2026-11-28T16:50:50|2026-11-28T18:01:00|4|Priority|
3_[1,3,5-9,20-26:3]|PENDING|2026-11-28T16:50:50|N/A|1|JobHeldUser|
4_3|RUNNING|2026-11-28T16:50:50|2026-11-28T16:50:51|1|None|vm
4_[5-29%5]|PENDING|2026-11-28T16:50:50|N/A|1|JobArrayTaskLimit|
`,
	"scontrol": scontrolArray("23", "1", "13", "RUNNING", "None", "4") + scontrolArray("1", "1", "14-29", "PENDING", "Resources", "4") +
		scontrolArray("2", "2", "0-29%5", "PENDING", "Priority", "4") + scontrolArray("3", "3", "1,3,5-9,20-26:3", "PENDING", "JobHeldUser", "1") +
		scontrolArray("8", "4", "3", "RUNNING", "None", "1") + scontrolArray("4", "4", "5-29%5", "PENDING", "JobArrayTaskLimit", "1"),
	"JSON": `{"meta": {"plugin": {"type": "openapi\/v0.0.38"}, "Slurm": {}}, "errors": [], "jobs": [` + strings.Join([]string{
		jsonArray(23, 1, `13, "array_task_string": ""`, "RUNNING", "None", 4), jsonArray(1, 1, `null, "array_task_string": "14-29"`, "PENDING", "Resources", 4),
		jsonArray(2, 2, `null, "array_task_string": "0-29%5"`, "PENDING", "Priority", 4), jsonArray(3, 3, `null, "array_task_string": "1,3,5-9,20-26:3"`, "PENDING", "JobHeldUser", 1),
		jsonArray(8, 4, `3, "array_task_string": ""`, "RUNNING", "None", 1), jsonArray(4, 4, `null, "array_task_string": "5-29%5"`, "PENDING", "JobArrayTaskLimit", 1),
	}, ",") + "]}",
}

func scontrolArray(id, array, task, state, reason, cpus string) string {
	start, nodes := "Unknown", "(null)"
	if state == "RUNNING" {
		start, nodes = "2026-11-28T16:50:51", "vm"
	}
	return fmt.Sprintf("JobId=%s ArrayJobId=%s ArrayTaskId=%s JobName=wrap\n   JobState=%s Reason=%s\n   SubmitTime=2026-11-28T16:50:50 StartTime=%s\n   NodeList=%s\n   NumCPUs=%s\n\n", id, array, task, state, reason, start, nodes, cpus)
}

func jsonArray(id, array int, task, state, reason string, cpus int) string {
	start, nodes := 0, ""
	if state == "RUNNING" {
		start, nodes = 1795884651, "vm"
	}
	return fmt.Sprintf(`{"job_id": %d, "array_job_id": %d, "array_task_id": %s, "job_state": "%s", "state_reason": "%s", "submit_time": 1795884650, "start_time": %d, "nodes": "%s", "cpus": %d}`, id, array, task, state, reason, start, nodes, cpus)
}

// Each task of an array is a job, as squeue -r lists them, in every form of the queue. Of an
// array with a limit as many are queued as may run beside those that do.
func TestArrays(t *testing.T) {
	var want []string
	add := func(state string, array int, tasks ...int) {
		for _, task := range tasks {
			want = append(want, fmt.Sprintf("%d_%d %s", array, task, state))
		}
	}
	span := func(first, last int) (tasks []int) {
		for task := first; task <= last; task++ {
			tasks = append(tasks, task)
		}
		return tasks
	}
	add("runs", 1, 13)
	add("Resources", 1, span(14, 29)...)
	add("Priority", 2, span(0, 4)...)
	add("held JobArrayTaskLimit", 2, span(5, 29)...)
	add("held JobHeldUser", 3, 1, 3, 5, 6, 7, 8, 9, 20, 23, 26)
	add("runs", 4, 3)
	add("held JobArrayTaskLimit", 4, span(5, 29)...)
	for form, text := range arrays {
		q, err := slurm.ReadQueue("q", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		var got []string
		for _, j := range q.Jobs {
			state := "runs"
			if j.Held {
				state = "held " + j.Reason
			} else if !(j.Wait >= 0) {
				state = j.Reason
			}
			got = append(got, j.Label+" "+state)
		}
		if d := cmp.Diff(want, got); d != "" || len(q.Warnings) > 0 {
			t.Errorf("%s: %v %s", form, q.Warnings, d)
		}
		l, err := logfile.OpenReader("q", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		var sizes []int64 // of those that run and are queued
		for j, err := range l.Jobs() {
			if err != nil {
				t.Fatalf("%s: %v", form, err)
			}
			sizes = append(sizes, j.Size)
			if wanted := int64(len(sizes) - 1); j.Row != wanted || j.Array != map[bool]int64{true: 4, false: 2}[j.Size == 1] && len(sizes) > 17 {
				t.Errorf("%s: row %d, want %d: %+v", form, j.Row, wanted, j)
			}
		}
		if len(sizes) != 1+16+5+1 || sizes[22] != 1 || sizes[21] != 4 {
			t.Errorf("%s: sizes %v", form, sizes)
		}
		if w := l.Warnings(); len(w) != 1 || w[0].Rule != "held-jobs" || w[0].Count != 25+10+25 || w[0].Saw != "JobArrayTaskLimit 50, JobHeldUser 10" {
			t.Errorf("%s: %v", form, w)
		}
	}
}

// Slurm cuts long lists short, squeue -o without a word: the last number may be a part of
// one. What cannot be a list is a job that cannot be read.
func TestTaskLists(t *testing.T) {
	for text, want := range map[string]string{
		"7":             "7",
		"1,3,5-6...":    "1 3 more",
		"1,3,35":        "1 3 more", // and no bracket
		"0-8:4,20":      "0 4 8 20",
		"0-199999":      "100000 tasks more",
		"...":           "more",
		"5-3":           "unreadable",
		"0-8:0":         "unreadable",
		"0-8%x":         "unreadable",
		"1,,2":          "unreadable",
		"-3":            "unreadable",
		"0-99999999999": "100000 tasks more",
	} {
		bracket := "]"
		if text == "1,3,35" {
			bracket = ""
		}
		q, err := slurm.ReadQueue("q", strings.NewReader("JOBID|STATE|SUBMIT_TIME|START_TIME|CPUS\n9|PD|2026-11-28T16:50:50|N/A|4\n8_["+text+bracket+"|PD|2026-11-28T16:50:50|N/A|4\n"), workload.Options{TimeZone: "UTC"})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var got []string
		for _, j := range q.Jobs[1:] {
			got = append(got, strings.TrimPrefix(j.Label, "8_"))
		}
		if len(got) > 99 {
			got = []string{fmt.Sprint(len(got)), "tasks"}
		}
		for _, w := range q.Warnings {
			switch w.Rule {
			case "unlisted-tasks":
				got = append(got, "more")
			case "unreadable-jobs":
				got = append(got, "unreadable")
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", text, strings.Join(got, " "), want)
		}
	}
}
