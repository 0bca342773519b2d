package journal

import (
	"errors"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/workload"
)

var (
	nan       = Number(math.NaN())
	someBegin = Begin{time.Date(2026, 3, 1, 12, 0, 0, 250_000_000, time.FixedZone("", 3600)), "slurm"}
)

// someEntries returns entries of every kind with all fields set.
func someEntries() []Entry {
	submit := &Event{Kind: workload.Submit, Time: 12.5, Job: workload.UnknownJob(), AnsweredAt: 30.000000000000004, Scored: true, Label: "7_3", Answers: []Answer{
		{"bmbp", 0.95, 7200.1, 59, "5-16 processors"},
		{"mean", nan, 1.0 / 3, 3, ""},
		{"qbets", 0.5, nan, 0, "user \"\x00\\\u2028"},
		{"none", 0.8, Number(math.Inf(1)), 1, ""},
	}}
	for i, c := range stored[workload.Submit] {
		if c.Float() {
			c.SetNumber(&submit.Job, 0.1*float64(i+1))
		} else {
			c.SetInt(&submit.Job, int64(i)-2)
		}
	}
	submit.Job.ID, submit.Job.Submit, submit.Job.Row = math.MaxInt64, 12.5, 3
	start := &Event{Kind: workload.Start, Time: 20, Job: workload.UnknownJob(), AnsweredAt: nan}
	start.Job.ID, start.Job.Submit, start.Job.Wait, start.Job.Allocated = -5, math.Copysign(0, -1), 7.5, 64
	finish := &Event{Kind: workload.Finish, Time: -1e300, Job: workload.UnknownJob(), AnsweredAt: nan}
	finish.Job.Run, finish.Job.Status = math.SmallestNonzeroFloat64, workload.StatusCancelled
	finish.Job.Energy, finish.Job.Eligible = 1e21, 13
	return []Entry{
		&Name{"User", 3, "alice <b>\n"}, submit, start, finish,
		&Expect{Row: 4, At: 30, Quantiles: []float64{0.5, 0.95}, Bounds: []float64{110, math.Inf(1)}}, &Expect{At: 1},
	}
}

// same compares values bit by bit except for the payload of NaN, and times with their offsets.
var same = gocmp.Options{
	cmpopts.EquateNaNs(),
	gocmp.Comparer(func(a, b time.Time) bool { return a.Format(time.RFC3339Nano) == b.Format(time.RFC3339Nano) }),
	gocmp.Transformer("float64", func(n Number) float64 { return float64(n) }),
	gocmp.FilterValues(func(a, b float64) bool { return a == a && b == b }, gocmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })),
}

// noError stops a test at an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func checkEntries(t *testing.T, entries iter.Seq2[Entry, error], want ...Entry) {
	t.Helper()
	var all []Entry
	for e, err := range entries {
		noError(t, err)
		all = append(all, e)
	}
	if d := gocmp.Diff(want, all, same); d != "" {
		t.Error(d)
	}
}

func mustOpen(t testing.TB, dir string) *Journal {
	t.Helper()
	j, err := Open(dir, someBegin)
	noError(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

func mustAppend(t testing.TB, j *Journal, entries ...Entry) {
	t.Helper()
	noError(t, j.Append(entries...))
}

// TestRoundTrip checks that entries are read back bit for bit: by the writer, by a concurrent
// reader, and after the store is opened again, even if the store is longer than the part of its end
// that is read then.
func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	j := mustOpen(t, dir)
	begin := someBegin
	want := append([]Entry{&begin}, someEntries()...)
	mustAppend(t, j, want[1:]...)
	checkEntries(t, j.Entries(), want...)
	checkEntries(t, Read(dir), want...)
	noError(t, j.Close())
	j = mustOpen(t, dir)
	if at, ok := j.Last(); !ok || at != 30 {
		t.Error(at, ok)
	}
	for range 5 {
		long := &Name{"User", 4, strings.Repeat("x", maxLine-100)}
		mustAppend(t, j, long)
		want = append(want, long)
	}
	j.Close()
	j, err := Open(dir, Begin{Source: "another"})
	noError(t, err)
	defer j.Close()
	mustAppend(t, j, &Name{"User", 4, ""})
	checkEntries(t, j.Entries(), append(want, &Name{"User", 4, ""})...)
	if d := gocmp.Diff(begin, j.Begin(), same); d != "" {
		t.Error(d)
	}
	for name, mode := range map[string]os.FileMode{"": 0o700 | os.ModeDir, fileName: 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v, want %v", name, info.Mode(), err, mode)
		}
	}
}

// TestKeys pins the keys of the columns, since existing stores use them. If a column's short name
// changes, add its old one here; add new columns, too.
func TestKeys(t *testing.T) {
	for kind, want := range map[workload.EventKind]string{
		workload.Submit: "job submit processors estimate memory user group application queue partition preceding think " +
			"sequential parallelism sigma requested_nodes requested_gpus gpu_type gpu_share memory_total account qos array size nodes gpus",
		workload.Start:  "job submit wait proc allocated_nodes allocated_gpus eligible",
		workload.Finish: "job submit run cpu used_memory status used_memory_total energy eligible",
	} {
		var keys []string
		for _, c := range stored[kind] {
			keys = append(keys, c.Words[0])
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}

// TestLine pins the format of lines. The checksums are from a bitwise CRC-32C in Python, which
// gives e3069283 for "123456789" as in RFC 3720.
func TestLine(t *testing.T) {
	for i, want := range map[int]string{
		2: `22d81139 3 {"start":{"t":20,"job":{"job":-5,"proc":64,"submit":-0,"wait":7.5}}}`,
		3: `a96f8782 4 {"finish":{"t":-1e+300,"job":{"eligible":13,"energy":1e+21,"run":5e-324,"status":5}}}`,
	} {
		if got, err := appendLine(nil, int64(i+1), someEntries()[i]); err != nil || string(got) != want+"\n" {
			t.Errorf("%s%v, want %s", got, err, want)
		}
	}
}

// TestAppendFaults checks that an entry that cannot be stored leaves the store unchanged, and that
// a second writer is an error.
func TestAppendFaults(t *testing.T) {
	dir := t.TempDir()
	j := mustOpen(t, dir)
	long := strings.Repeat("x", maxLine)
	for _, e := range []Entry{&Event{Kind: workload.Submit, Time: math.NaN()}, &Expect{At: math.Inf(1)}, &Name{Text: long}, "text"} {
		if err := j.Append(&Name{Key: "User"}, e); err == nil {
			t.Errorf("%T: no error", e)
		}
	}
	begin := someBegin
	checkEntries(t, j.Entries(), &begin)
	if _, err := Open(dir, someBegin); !errors.Is(err, ErrLocked) || !strings.HasPrefix(err.Error(), dir+": saw a store that another process has open") {
		t.Error(err)
	}
	j.Close()
	if j.Append() == nil || j.Sync() == nil || j.Close() != nil {
		t.Error("after Close")
	}
	if _, err := Open(t.TempDir(), Begin{Origin: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil {
		t.Error("the year 10000: no error")
	}
}

// someJob returns a job all of whose values a store keeps.
func someJob(row int64, submit, wait, run float64) workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Row, j.Submit, j.Wait, j.Run, j.User, j.Processors = 100+row, row, submit, wait, run, 7, 4
	j.Allocated, j.Size, j.Status = 4, 4, workload.StatusCompleted
	j.Account, j.TakesNodes, j.AllocatedNodes = 2, 1, 1
	return j
}

func openAsLog(t *testing.T, dir string) (*workload.Log, []workload.Job) {
	t.Helper()
	l, err := Format.OpenFolder("the store", dir, workload.Options{})
	noError(t, err)
	var jobs []workload.Job
	for j, err := range l.Jobs() {
		noError(t, err)
		jobs = append(jobs, j)
	}
	return l, jobs
}

// TestLog checks that a store is read as the log of its events, in order of submission, however the
// jobs overlap. Jobs that wait or run have no wait or run time yet, and a torn line is ignored.
func TestLog(t *testing.T) {
	unknown := math.NaN()
	jobs := []workload.Job{
		someJob(0, 1000, 50, 100000), someJob(1, 1000.5, 0, 1), someJob(2, 1100, 1.0/3, 2), someJob(3, 2000, 0, 0),
		someJob(4, 200000, unknown, unknown), someJob(5, 200001, 5, unknown), someJob(6, 200002, unknown, unknown),
	}
	jobs[6].Status = workload.StatusCancelled
	dir := t.TempDir()
	j := mustOpen(t, dir)
	for e, err := range workload.Timeline(workload.JobsOf(jobs)) {
		noError(t, err)
		mustAppend(t, j, &Event{Kind: e.Kind, Time: e.Time, Job: *e.Job})
	}
	mustAppend(t, j, &Event{Kind: workload.Finish, Time: 200100, Job: jobs[6]}, &Event{Kind: workload.Start, Time: 200100, Job: someJob(77, 1, 1, 1)})
	mustAppend(t, j, &Name{"Queue", 3, "a (b) \"c\""}, &Name{"User", 7, "alice\n"}, &Expect{At: 1})
	j.file.WriteAt([]byte("torn"), j.size)
	l, got := openAsLog(t, dir)
	for _, i := range []int{4, 5} { // their ends have not been seen
		jobs[i].Status = workload.Unknown
	}
	for _, i := range []int{4, 6} { // nor have their starts
		jobs[i].Allocated, jobs[i].AllocatedNodes, jobs[i].TakesNodes = workload.Unknown, workload.Unknown, workload.Unknown
	}
	if d := gocmp.Diff(jobs, got, same); d != "" {
		t.Error(d)
	}
	if l.Name != "the store" || l.Format != "store" {
		t.Error(l.Name, l.Format)
	}
	want := []string{" Version: 2.2", " UnixStartTime: 1772362800", " TimeZone: 3600", " Note: From the store of a live service. It watches: slurm",
		" User: 7 \"alice \"", ` Queue: 3 "a (b) \"c\""`}
	if !slices.Equal(l.Header.Lines, want) {
		t.Errorf("%q", l.Header.Lines)
	}
	if got := l.Optional(); got != workload.ColumnSetOf(workload.ColAccount, workload.ColAllocatedNodes) {
		t.Error(workload.ColumnNames(got.Written()))
	}
	if taken, ok := l.Taken(); !ok || taken != 200100 {
		t.Error(taken, ok)
	}
	if w := l.Warnings(); len(w) != 1 || w[0].Rule != "no-submission" {
		t.Error(w)
	}
	if l, err := Format.OpenFolder("x", t.TempDir(), workload.Options{}); l != nil || err != nil {
		t.Error(l, err)
	}
	if l, err := Format.OpenFolder("x", storeOf(t, someLines(t)[10:]), workload.Options{}); l != nil || err == nil {
		t.Error("a damaged store: no error")
	}
	none := t.TempDir()
	if j, err := Open(none, Begin{Source: "replay of x.swf"}); err != nil || !j.Begin().Origin.IsZero() {
		t.Error(err)
	}
	l, _ = openAsLog(t, none)
	if clock, _ := l.Header.Clock(); clock.Known {
		t.Error(clock)
	}
}
