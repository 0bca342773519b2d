package journal

import (
	"math"
	"os"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
)

// someJob is a job of which a store keeps all.
func someJob(row int64, submit, wait, run float64) workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Row, j.Submit, j.Wait, j.Run, j.User, j.Processors = 100+row, row, submit, wait, run, 7, 4
	j.Allocated, j.Size, j.Status = 4, 4, workload.StatusCompleted
	asked, given := workload.NoAsked, workload.NoGiven
	asked.Account, asked.TakesNodes, given.Nodes = 2, 1, 1
	j.Asked, j.Given = &asked, &given
	return j
}

// eventsOf are those of jobs, in the order of workload.Timeline.
func eventsOf(t *testing.T, jobs []workload.Job) (entries []Entry) {
	t.Helper()
	for e, err := range workload.Timeline(workload.JobsOf(jobs)) {
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, &Event{Kind: e.Kind, Time: e.Time, Job: *e.Job, AnsweredAt: nan})
	}
	return entries
}

func openAsLog(t *testing.T, dir string) (*workload.Log, []workload.Job) {
	t.Helper()
	l, err := Format.OpenFolder("the store", dir, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var jobs []workload.Job
	for j, err := range l.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
	return l, jobs
}

// TestLog: a store is the log whose events it has, in the order of submission, however
// jobs overlap; those that wait or run have no wait or run time yet.
func TestLog(t *testing.T) {
	jobs := []workload.Job{
		someJob(0, 1000, 50, 100000), someJob(1, 1000.5, 0, 1), someJob(2, 1100, 1.0/3, 2), someJob(3, 2000, 0, 0),
	}
	dir := t.TempDir()
	j := mustOpen(t, dir, 500)
	mustAppend(t, j, eventsOf(t, jobs)...)
	mustAppend(t, j, &Name{"Queue", 3, "a (b) \"c\""}, &Name{"User", 7, "alice\n"}, &Expect{ID: 100, At: 1})
	l, got := openAsLog(t, dir)
	if d := gocmp.Diff(jobs, got, same); d != "" {
		t.Error(d)
	}
	if l.Name != "the store" || l.Format != "store" {
		t.Error(l.Name, l.Format)
	}
	want := []string{" Version: 2.2", " UnixStartTime: 1772362800", " TimeZoneString: Europe/Zurich", " Note: From the store of a live service. It watches: slurm",
		" User: 7 \"alice \"", ` Queue: 3 "a (b) \"c\""`}
	if !slices.Equal(l.Header.Lines, want) {
		t.Errorf("%q", l.Header.Lines)
	}
	if n := l.Header.Names("Queue")[3]; n != `a (b) "c"` {
		t.Error(n)
	}
	if got := l.Optional(); got != workload.ColumnSetOf(workload.ColAccount, workload.ColAllocatedNodes) {
		t.Error(workload.ColumnNames(got.Written()))
	}
	if taken, ok := l.Taken(); !ok || taken != 101050 {
		t.Error(taken, ok)
	}

	unknown := math.NaN()
	// A log has what the store had when it was opened, though it is written on.
	before, _ := Format.OpenFolder("the store", dir, workload.Options{})
	waits, runs, withdrawn := someJob(9, 200000, unknown, unknown), someJob(10, 200001, 5, unknown), someJob(11, 200002, unknown, unknown)
	withdrawn.Status = workload.StatusCancelled
	mustAppend(t, j, eventsOf(t, []workload.Job{waits, runs, withdrawn})[:4]...)
	mustAppend(t, j, &Event{Kind: workload.Finish, Time: 200100, Job: withdrawn}, &Event{Kind: workload.Start, Time: 200100, Job: someJob(77, 1, 1, 1)})
	n := 0
	for range before.Jobs() {
		n++
	}
	l, got = openAsLog(t, dir)
	if n != 4 || len(got) != 7 {
		t.Fatal(n, len(got))
	}
	for i, want := range []workload.Job{waits, runs, withdrawn} {
		if j := got[4+i]; j.ID != want.ID || !gocmp.Equal([]float64{j.Wait, j.Run}, []float64{want.Wait, want.Run}, same) || (j.Status == workload.StatusCancelled) != (i == 2) {
			t.Errorf("%+v, want %+v", j, want)
		}
	}
	if w := l.Warnings(); len(w) != 1 || w[0].Rule != "no-submission" {
		t.Error(w)
	}
}

// TestLogFaults: a folder that holds no store is of another format; a damaged store is an
// error.
func TestLogFaults(t *testing.T) {
	if l, err := Format.OpenFolder("x", t.TempDir(), workload.Options{}); l != nil || err != nil {
		t.Error(l, err)
	}
	whole := someLines(t)
	whole[len(whole)-20] ^= 1
	if _, err := Format.OpenFolder("x", storeOf(t, whole), workload.Options{}); err == nil {
		t.Error("no error")
	}
	dir := storeOf(t, whole[:len(whole)-10]) // torn
	if _, jobs := openAsLog(t, dir); len(jobs) != 1 {
		t.Error(jobs)
	}
	os.Rename(dir+"/journal-00001.log", dir+"/journal-00002.log")
	if _, err := Format.OpenFolder("x", dir, workload.Options{}); err == nil || !IsStore(dir) {
		t.Error(err)
	}
}

// TestNoOrigin: a store of a log without a date has none.
func TestNoOrigin(t *testing.T) {
	dir := t.TempDir()
	j, err := Open(dir, Begin{Source: "replay of x.swf"})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	l, _ := openAsLog(t, dir)
	if clock, _ := l.Header.Clock(); clock.Known || !j.Begin().Origin.IsZero() {
		t.Error(clock, j.Begin())
	}
}
