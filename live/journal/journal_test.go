package journal

import (
	"errors"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/workload"
)

var nan = Number(math.NaN())

func someBegin(t testing.TB) Begin {
	zone, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	return Begin{time.Date(2026, 3, 1, 12, 0, 0, 250_000_000, zone), "slurm"}
}

// someEntries has every field of every kind.
func someEntries() []Entry {
	submit := &Event{Kind: workload.Submit, Time: 12.5, Job: workload.UnknownJob(), AnsweredAt: 30.000000000000004, Scored: true, Answers: []Answer{
		{"bmbp", 0.95, 7200.1, 59, "5-16 processors"},
		{"mean", nan, 1.0 / 3, 3, ""},
		{"qbets", 0.5, nan, 0, "user \"\x00\\\u2028"},
		{"none", 0.8, Number(math.Inf(1)), 1, ""},
	}}
	for i, f := range requestFields {
		if f.float {
			f.SetNumber(&submit.Job, 0.1*float64(i+1))
		} else {
			f.SetInt(&submit.Job, int64(i)-2)
		}
	}
	submit.Job.ID, submit.Job.Submit, submit.Job.Row = math.MaxInt64, 12.5, 3
	start := &Event{Kind: workload.Start, Time: 20, Job: workload.UnknownJob(), AnsweredAt: nan}
	start.Job.ID, start.Job.Submit, start.Job.Wait, start.Job.Allocated = -5, math.Copysign(0, -1), 7.5, 64
	finish := &Event{Kind: workload.Finish, Time: -1e300, Job: workload.UnknownJob(), AnsweredAt: nan}
	finish.Job.Run, finish.Job.Status = math.SmallestNonzeroFloat64, workload.StatusCancelled
	given := workload.NoGiven
	given.Energy, given.Eligible = 1e21, 13
	finish.Job.Given = &given
	return []Entry{
		&Name{"User", 3, "alice <b>\n\xff"}, submit, start, finish,
		&Expect{ID: 7, Row: 4, Submit: 12.5, At: 30, Ours: 100, Theirs: nan, Quantiles: []float64{0.5, 0.95}, Bounds: []float64{110, math.Inf(1)}, Raw: []float64{90, 95.5, 1e9}}, &Expect{ID: workload.Unknown, Submit: nan, At: 1, Ours: nan, Theirs: -3},
	}
}

// same compares bit by bit but for the payload of NaN, and moments with their zones.
var same = gocmp.Options{
	cmpopts.EquateNaNs(),
	gocmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) && a.Location().String() == b.Location().String() }),
	gocmp.Transformer("float64", func(n Number) float64 { return float64(n) }),
	gocmp.FilterValues(func(a, b float64) bool { return a == a && b == b }, gocmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })),
}

func gather(t testing.TB, entries iter.Seq2[Entry, error]) []Entry {
	t.Helper()
	var all []Entry
	for e, err := range entries {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

func mustOpen(t testing.TB, dir string, target int64) *Journal {
	t.Helper()
	j, err := open(dir, someBegin(t), target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func mustAppend(t testing.TB, j *Journal, entries ...Entry) {
	t.Helper()
	if err := j.Append(entries...); err != nil {
		t.Fatal(err)
	}
}

// TestRoundTrip: what is appended is read back bit by bit, by the writer, by a reader
// meanwhile, and after the store is opened again.
func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	j := mustOpen(t, dir, segmentBytes)
	begin := someBegin(t)
	want := append([]Entry{&begin}, someEntries()...)
	mustAppend(t, j, want[1:]...)
	if d := gocmp.Diff(want, gather(t, j.Entries()), same); d != "" {
		t.Error(d)
	}
	if d := gocmp.Diff(want, gather(t, Read(dir)), same); d != "" {
		t.Error(d)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir, Begin{Source: "another"})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	mustAppend(t, again, &Name{"User", 4, ""})
	if d := gocmp.Diff(append(want, &Name{"User", 4, ""}), gather(t, again.Entries()), same); d != "" {
		t.Error(d)
	}
	if d := gocmp.Diff(begin, again.Begin(), same); d != "" {
		t.Error(d)
	}
	for name, mode := range map[string]os.FileMode{"": 0o700 | os.ModeDir, "lock": 0o600, "journal-00001.log": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v, want %v", name, info.Mode(), err, mode)
		}
	}
}

// TestSegments: a store of many segments is one log of entries, whose closed segments
// are compressed, and a crash between any two steps of that loses nothing.
func TestSegments(t *testing.T) {
	dir := t.TempDir()
	j := mustOpen(t, dir, 1000)
	begin := someBegin(t)
	want := []Entry{&begin}
	for range 20 {
		batch := someEntries()
		mustAppend(t, j, batch...)
		want = append(want, batch...)
	}
	check := func(when string, entries iter.Seq2[Entry, error]) {
		t.Helper()
		if d := gocmp.Diff(want, gather(t, entries), same); d != "" {
			t.Error(when, d)
		}
	}
	check("written", j.Entries())
	all, err := segments(dir)
	if err != nil || len(all) < 10 || !all[0].packed || all[len(all)-1].packed {
		t.Fatal(all, err)
	}
	j.Close()

	// A crash before the plain form is removed, and one while it is compressed.
	first := segment{dir, 1, false}
	l, err := all[0].open(0)
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 1<<16)
	n, _ := l.r.Read(text)
	for ok := true; ok; {
		m, err := l.r.Read(text[n:])
		n, ok = n+m, err == nil
	}
	l.done()
	if err := os.WriteFile(first.path(), text[:n], 0o600); err != nil {
		t.Fatal(err)
	}
	half := all[0].path() + unborn
	if err := os.WriteFile(half, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("in both forms", Read(dir))
	if err := os.Remove(all[0].path()); err != nil {
		t.Fatal(err)
	}
	check("not compressed", Read(dir))
	j = mustOpen(t, dir, 1000)
	check("opened", j.Entries())
	if again, err := segments(dir); err != nil || !again[0].packed {
		t.Error(again, err)
	}
	for _, gone := range []string{half, first.path()} {
		if _, err := os.Stat(gone); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", gone, err)
		}
	}
	j.Close()

	if err := os.Remove(all[4].path()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, begin); err == nil || !strings.Contains(err.Error(), "journal-00005.log: saw no such file") {
		t.Error(err)
	}
}

// TestLocked: a second writer is an error that names the folder and the process; a
// reader is none.
func TestLocked(t *testing.T) {
	dir := t.TempDir()
	j := mustOpen(t, dir, segmentBytes)
	_, err := Open(dir, someBegin(t))
	if want := dir + ": saw a store that process "; !errors.Is(err, ErrLocked) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	gather(t, Read(dir))
	j.Close()
	mustOpen(t, dir, segmentBytes)
}

// TestAppendFaults: an entry that cannot be stored leaves the store as it was.
func TestAppendFaults(t *testing.T) {
	j := mustOpen(t, t.TempDir(), segmentBytes)
	long := strings.Repeat("x", maxLine)
	for _, e := range []Entry{&Event{Kind: workload.Submit, Time: math.NaN()}, &Expect{At: math.Inf(1)}, &Event{Kind: 9}, &Name{Text: long}} {
		if err := j.Append(&Name{Key: "User"}, e); err == nil {
			t.Errorf("%T: no error", e)
		}
	}
	mustAppend(t, j, &Name{Key: "Queue", Number: 1, Text: long[:maxLine-100]})
	if all := gather(t, j.Entries()); len(all) != 2 {
		t.Error(len(all))
	}
	j.Close()
	if _, err := Open(t.TempDir(), Begin{Origin: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil {
		t.Error("the year 10000: no error")
	}
	if j.Append() == nil || j.Sync() == nil || j.Close() != nil {
		t.Error("after Close")
	}
}
