package workload

import (
	"fmt"
	"slices"
	"testing"
)

// heldJobs returns jobs made by hand: 1 has no eligible time; 2 was held for 90 s and waits 30 s
// from 100 s on; 3 was not held; 4 was eligible before its submission; 5 was held and still waits;
// 6 was eligible after its start at 60 s, so that it did not wait; 7 is submitted when 2 becomes
// eligible.
func heldJobs(t *testing.T) (jobs []Job) {
	const table = `
job=1 submit=0 wait=5
job=2 submit=10 eligible=100 wait=120
job=3 submit=20 eligible=20 wait=7
job=4 submit=30 eligible=25 wait=9
job=5 submit=40 eligible=60
job=6 submit=50 eligible=90 wait=10
job=7 submit=100 wait=1
`
	for i, row := range rowsOf(table) {
		j := jobOf(t, row[0])
		j.Row = int64(i)
		jobs = append(jobs, j)
	}
	return jobs
}

func TestFromEligibility(t *testing.T) {
	var got []string
	var odd Warnings
	for j, err := range FromEligibility(JobsOf(heldJobs(t)), &odd) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(j.ID, " at ", j.Submit, " waits ", j.Wait))
	}
	want := []string{"1 at 0 waits 5", "3 at 20 waits 7", "4 at 30 waits 9", "5 at 60 waits NaN", "6 at 60 waits 0", "2 at 100 waits 30", "7 at 100 waits 1"}
	if all := odd.List(); !slices.Equal(got, want) || len(all) != 2 || all[0].Count != 3 || all[1].Count != 1 {
		t.Errorf("%v, %q, want %q", all, got, want)
	}
	for range FromEligibility(JobsOf(heldJobs(t)), nil) {
		break
	}
}

func TestCountWaitsFrom(t *testing.T) {
	for _, c := range []struct {
		from  string
		has   ColumnSet
		first float64 // submission of job 2
		text  string
	}{
		{"", OptionalColumns, 10, ""},
		{WaitFromSubmit, OptionalColumns, 10, "waits are counted from submission: held jobs could not start until later; 3 times (wait-from)"},
		{WaitFromEligible, OptionalColumns, 100, "waits are counted from eligibility: held jobs are taken to be submitted when they could start; 3 times (wait-from)" +
			"jobs eligible after their start: taken to be eligible when they started; once: job 6 (eligible-after-start)"},
		{WaitFromEligible, 0, 10, ""},
	} {
		log, read := NewLog("x", "test")
		read.Declare(c.has)
		read.Batches = Batches(JobsOf(heldJobs(t)))
		if err := log.CountWaitsFrom(c.from); err != nil {
			t.Fatal(err)
		}
		for j, err := range log.Jobs() {
			if err != nil || j.ID == 2 && j.Submit != c.first {
				t.Errorf("%q: %+v, %v", c.from, j, err)
			}
		}
		text := ""
		for _, w := range log.Warnings() {
			text += w.String()
		}
		if text != c.text {
			t.Errorf("%q: %s, want %s", c.from, text, c.text)
		}
	}
	log, _ := NewLog("x", "test")
	if err := log.CountWaitsFrom("start"); err == nil {
		t.Errorf("start: %v", err)
	}
}
