package swf_test

import (
	"bytes"
	"errors"
	"fmt"
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

// batchOf returns a batch of jobs.
func batchOf(jobs ...workload.Job) *workload.Batch {
	b := &workload.Batch{}
	for i := range jobs {
		b.Append(&jobs[i])
	}
	return b
}

func TestAppendSWF(t *testing.T) {
	full := workload.UnknownJob()
	full.ID, full.Submit, full.Wait, full.Run, full.Allocated, full.CPUTime, full.UsedMemory = 1, 2, 3.5, 0, 5, 0.1, 1e6
	full.Processors, full.Time, full.Memory, full.Status = 8, 9, 1e21, 1
	full.User, full.Group, full.Application, full.Queue, full.Partition, full.Preceding, full.Think = 12, 13, math.MaxInt64, 0, -16, 17, -18
	full.SequentialTime = 5 // has no field
	got := string(swf.Append(nil, batchOf(full, workload.UnknownJob())))
	want := "1 2 3.5 0 5 0.1 1000000 8 9 1e+21 1 12 13 9223372036854775807 0 -16 17 -18\n" + strings.TrimSpace(strings.Repeat("-1 ", parse.Fields)) + "\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Numbers are written in the shortest form that is read back unchanged.
func TestAppendNumber(t *testing.T) {
	for _, text := range strings.Fields("0 -0 9 10 99 100 101 12345678 99999999 100000000 -2 0.1 0.3333333333333333 9007199254740992 100000000000000000000 1e+21 0.0000001 1e-08 +Inf 1.7976931348623157e+308") {
		x, _ := strconv.ParseFloat(text, 64)
		if got := parse.FormatNumber(x); got != text {
			t.Errorf("%v is written %s, want %s", x, got, text)
		}
	}
	if got := parse.FormatNumber(math.NaN()); got != "-1" {
		t.Errorf("NaN is written %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		got, err := strconv.ParseFloat(parse.FormatNumber(x), 64)
		if err != nil || math.Float64bits(got) != math.Float64bits(x) {
			t.Fatalf("%v is read back as %v, %v", x, got, err)
		}
		n := rapid.Int64().Draw(t, "n")
		for _, n := range []int64{n, n % 200_000} {
			if got, want := string(parse.AppendWhole(nil, n)), strconv.FormatInt(n, 10); got != want {
				t.Fatalf("%s, want %s", got, want)
			}
		}
	})
}

func TestSWFLosses(t *testing.T) {
	job, other := workload.UnknownJob(), workload.UnknownJob()
	job.SequentialTime, job.AverageParallelism = 100, 2
	other.SequentialTime, other.Wait, other.Queue = -1, -1, -1
	const want = `[{wait_time_s -1 means unknown in the format 1} {queue_id -1 means unknown in the format 1} {sequential_time_s the format has no such field 2} {average_parallelism the format has no such field 1}]`
	if got := fmt.Sprint(swf.Losses(batchOf(job, other))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The header is written first and once, even without jobs; an error of the output persists.
func TestSWFWriter(t *testing.T) {
	for jobs := range 3 {
		var b bytes.Buffer
		w, err := logfile.NewWriter("swf", &b, workload.Header{Lines: []string{" A: 1", "", " two\nlines"}}, workload.WriteOptions{})
		for range jobs {
			err = errors.Join(err, w.Write(batchOf(workload.UnknownJob())))
		}
		want := "; A: 1\n;\n; two\n;lines\n" + strings.Repeat(string(swf.Append(nil, batchOf(workload.UnknownJob()))), jobs)
		if err = errors.Join(err, w.Close()); err != nil || b.String() != want {
			t.Errorf("%q, %v; want %q", b.String(), err, want)
		}
	}
	full := errors.New("disk full")
	w, err := logfile.NewWriter("swf", failingWriter{full}, workload.Header{}, workload.WriteOptions{})
	if err != nil || !errors.Is(w.Write(batchOf(workload.UnknownJob())), full) || !errors.Is(w.Close(), full) {
		t.Error("the error of the output is lost")
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }
