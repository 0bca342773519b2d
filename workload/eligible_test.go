package workload

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// heldJobs are made by hand: submission, eligibility, wait.
func heldJobs() []Job {
	nan := math.NaN()
	var jobs []Job
	for i, c := range [][3]float64{
		{0, nan, 5},    // not known: as it is
		{10, 100, 120}, // held for 90 s: waits 30 s from 100
		{20, 20, 7},    // not held
		{30, 25, 9},    // eligible before its submission: as it is
		{40, 60, nan},  // held, still waits
		{50, 90, 10},   // eligible after its start at 60: it did not wait
		{100, nan, 1},  // at the moment of the second: after it
	} {
		j := UnknownJob()
		j.ID, j.Row, j.Submit, j.Wait = int64(i+1), int64(i), c[0], c[2]
		if !math.IsNaN(c[1]) {
			ColumnAt(ColEligibleTime).SetNumber(&j, c[1])
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func TestFromEligibility(t *testing.T) {
	var got []string
	var odd Warnings
	for j, err := range FromEligibility(JobsOf(heldJobs()), &odd) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(j.ID, " at ", j.Submit, " waits ", j.Wait))
	}
	want := []string{"1 at 0 waits 5", "3 at 20 waits 7", "4 at 30 waits 9", "5 at 60 waits NaN", "6 at 60 waits 0", "2 at 100 waits 30", "7 at 100 waits 1"}
	if all := odd.List(); !slices.Equal(got, want) || len(all) != 2 || all[0].Count != 3 || all[1].Count != 1 {
		t.Errorf("%v, %q, want %q", all, got, want)
	}
	for range FromEligibility(JobsOf(heldJobs()), nil) {
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
		read.Batches = Batches(JobsOf(heldJobs()))
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
