package swf_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

func recordString(jobs ...workload.Job) string {
	b := &workload.Batch{}
	for i := range jobs {
		b.Append(&jobs[i])
	}
	rec := b
	return string(swf.Append(nil, rec))
}

func TestAppendSWF(t *testing.T) {
	full := workload.UnknownJob()
	full.ID, full.Submit, full.Wait, full.Run, full.Allocated, full.CPUTime, full.UsedMemory = 1, 2, 3.5, 0, 5, 0.1, 1e6
	full.Processors, full.Time, full.Memory, full.Status = 8, 9, 1e21, 1
	full.User, full.Group, full.Application, full.Queue, full.Partition, full.Preceding, full.Think = 12, 13, math.MaxInt64, 0, -16, 17, -18
	full.SequentialTime = 5 // has no field
	got := recordString(full, workload.UnknownJob())
	want := "1 2 3.5 0 5 0.1 1000000 8 9 1e+21 1 12 13 9223372036854775807 0 -16 17 -18\n" + strings.TrimSpace(strings.Repeat("-1 ", parse.Fields)) + "\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestNumbersAreWrittenAsShortAsTheyReadBack(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "-0"}, {9, "9"}, {10, "10"}, {99, "99"}, {100, "100"}, {101, "101"}, {12345678, "12345678"},
		{99999999, "99999999"}, {100000000, "100000000"}, {-2, "-2"}, {0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"},
		{1 << 53, "9007199254740992"}, {1e20, "100000000000000000000"}, {1e21, "1e+21"}, {1e-7, "0.0000001"}, {1e-8, "1e-08"},
		{math.NaN(), "-1"}, {math.Inf(1), "+Inf"}, {math.MaxFloat64, "1.7976931348623157e+308"},
	} {
		if got := string(parse.AppendNumber(nil, c.x)); got != c.want {
			t.Errorf("%v is written %s, want %s", c.x, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		got, err := strconv.ParseFloat(string(parse.AppendNumber(nil, x)), 64)
		if err != nil || math.Float64bits(got) != math.Float64bits(x) {
			t.Fatalf("%v is read back as %v, %v", x, got, err)
		}
		n := rapid.Int64().Draw(t, "n")
		if got, want := string(parse.AppendWhole(nil, n)), strconv.FormatInt(n, 10); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
	for n := range int64(200_000) {
		if got, want := string(parse.AppendWhole(nil, n)), strconv.FormatInt(n, 10); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
}

func TestSWFLosses(t *testing.T) {
	job := workload.UnknownJob()
	job.SequentialTime, job.AverageParallelism = 100, 2
	other := workload.UnknownJob()
	other.SequentialTime, other.Wait, other.Queue = -1, -1, -1
	b := &workload.Batch{}
	b.Append(&job)
	b.Append(&other)
	rec := b
	const none, unknown = "the format has no such field", "-1 means unknown in the format"
	want := []workload.Loss{
		{Column: "wait_time_s", Why: unknown, Values: 1},
		{Column: "queue_id", Why: unknown, Values: 1},
		{Column: "sequential_time_s", Why: none, Values: 2},
		{Column: "average_parallelism", Why: none, Values: 1},
	}
	if d := cmp.Diff(want, swf.Losses(rec)); d != "" {
		t.Error(d)
	}
}

func TestSWFWriterWritesTheHeaderFirst(t *testing.T) {
	h := workload.Header{Lines: []string{" A: 1", "", " two\nlines"}}
	const header = "; A: 1\n;\n; two\n;lines\n"
	var b bytes.Buffer
	w := mustWriter(t, &b, h)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if b.String() != header {
		t.Errorf("without jobs: %q", b.String())
	}
	b.Reset()
	w = mustWriter(t, &b, h)
	for range 2 {
		rec := &workload.Batch{}
		j := workload.UnknownJob()
		rec.Append(&j)
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if want := header + recordString(workload.UnknownJob(), workload.UnknownJob()); b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

func TestSWFWriterKeepsItsError(t *testing.T) {
	full := errors.New("disk full")
	w := mustWriter(t, failingWriter{err: full}, workload.Header{})
	b := &workload.Batch{}
	j := workload.UnknownJob()
	b.Append(&j)
	rec := b
	if err := w.Write(rec); !errors.Is(err, full) {
		t.Errorf("Write: %v", err)
	}
	if err := w.Close(); !errors.Is(err, full) {
		t.Errorf("Close: %v", err)
	}
}

func mustWriter(t *testing.T, w io.Writer, h workload.Header) workload.Writer {
	t.Helper()
	swf, err := logfile.NewWriter("swf", w, h, workload.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return swf
}
