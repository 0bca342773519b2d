package slurm_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// TestArrays reads the queue of a real Slurm 22.05 (.ci/slurm) in three forms: tasks 14 to 29 of
// array 1 wait for processors, 0 to 29 of array 2, which has a limit of five, wait after them, and
// 5 to 29 of array 4 wait because five run; array 3 is held. Each task of an array is a job, as
// squeue -r lists them. Of an array with a limit only as many tasks are queued as may run in
// addition to the running ones.
func TestArrays(t *testing.T) {
	dir := filepath.Join("testdata", "arrays")
	want := readText(filepath.Join(dir, "want.txt"))
	for _, form := range []string{"squeue.txt", "scontrol.txt", "squeue.json"} {
		text := readText(filepath.Join(dir, form))
		q, err := slurm.ReadQueue("q", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		got := ""
		for _, j := range q.Jobs {
			state := "runs"
			if j.Held {
				state = "held " + j.Reason
			} else if !(j.Wait >= 0) {
				state = j.Reason
			}
			got += j.Label + " " + state + "\n"
		}
		if d := cmp.Diff(want, got); d != "" || len(q.Warnings) > 0 {
			t.Errorf("%s: %v %s", form, q.Warnings, d)
		}
		l, err := logfile.OpenReader("q", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		var sizes []int64 // of running and queued jobs
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

// Slurm truncates long lists, and squeue -o does so without a mark: the last number may be
// incomplete. A text that cannot be a list is a job that cannot be read.
func TestTaskLists(t *testing.T) {
	for text, want := range map[string]string{
		"7":             "7",
		"1,3,5-6...":    "1 3 more",
		"1,3,35":        "1 3 more", // without a bracket
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
