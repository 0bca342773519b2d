package swf_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// frontierRow is what the made log says of a job.
type frontierRow struct{ id, allocated, requested, nodes, gpus int64 }

// A log of Frontier's form has nodes from field 21 and GPUs from field 19; fields 5
// and 8, which reach 589,824 on 9,408 nodes, are no processors.
func TestFrontier(t *testing.T) {
	const unknown = workload.Unknown
	text, err := os.ReadFile(filepath.Join("testdata", "frontier.swf"))
	if err != nil {
		t.Fatal(err)
	}
	want := []frontierRow{{1, unknown, unknown, 9216, 73728}, {2, unknown, unknown, 1, 8}, {3, unknown, unknown, unknown, unknown}}
	for _, size := range []int{100, 1 << 20} {
		for _, text := range []string{string(text), strings.ReplaceAll(string(text), "\n", "\r\n")} {
			l, err := swf.OpenChunks("frontier.swf", strings.NewReader(text), workload.Options{Workers: 2}, size)
			if err != nil {
				t.Fatal(err)
			}
			for _, col := range []int{workload.ColAllocatedNodes, workload.ColAllocatedGPUs, workload.ColRequestedNodes} {
				if got := l.Lacks(col); got != (col == workload.ColRequestedNodes) {
					t.Errorf("lacks %s: %t", workload.ColumnAt(col).Name, got)
				}
			}
			var got []frontierRow
			for rec, err := range l.Batches() {
				if err != nil {
					t.Fatal(err)
				}
				v := rec
				for i := range v.Rows {
					got = append(got, frontierRow{v.Int(workload.ColJobID, i), v.Int(workload.ColAllocatedProcessors, i), v.Int(workload.ColRequestedProcessors, i),
						v.Int(workload.ColAllocatedNodes, i), v.Int(workload.ColAllocatedGPUs, i)})
				}
			}
			for i := range want {
				if len(got) != len(want) || got[i] != want[i] {
					t.Errorf("chunks of %d: %v, want %v", size, got, want)
					break
				}
			}
			logtest.WantCounts(t, l, map[string]int64{"frontier-processors": 6, "left-out-soft_walltime": 1})
		}
	}
}

// Field 21 of other logs is something else.
func TestNotFrontier(t *testing.T) {
	const head = "1 0 12 3600 64 -1 -1 64 7200 -1 1 11 21 -1 1 -1 -1 -1 "
	for _, extra := range []string{
		"8 -1 1:ppn=64:x86_64", "8 -1 frontier:excl:9216", "8 -1 frontier:excl:x112", "8 -1 frontier:9216x112", "8 -1 1:excl:1x2", "{1,2} q_1d frontier:excl:1x112",
		"8 -1 frontier:excl:1x112 9", "8 -1 -1", "8 -1", "8 -1 frontier:excl:1x112y", "8 -1 frontier:excl:1x",
	} {
		l, jobs, err := readString(t, head+extra+"\n"+head+extra+"\n")
		if err != nil || len(jobs) != 2 || !l.Lacks(workload.ColAllocatedNodes) {
			t.Errorf("%s: %d jobs, %v", extra, len(jobs), err)
		}
	}
	l, err := logfile.Open(filepath.Join(logtest.Traces(t), "swf", "METACENTRUM-wagap-2013.21-fields.swf.gz"), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	processors, jobs := int64(0), 0
	for j, err := range l.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		processors += max(j.Allocated, 0)
		jobs++
	}
	if !l.Lacks(workload.ColAllocatedNodes) || jobs != 17900 || processors == 0 {
		t.Errorf("%d jobs with %d processors, nodes %t", jobs, processors, !l.Lacks(workload.ColAllocatedNodes))
	}
}

// A log may begin with many jobs that did not start.
func TestFrontierLate(t *testing.T) {
	const head = "1 0 12 3600 64 -1 -1 64 7200 -1 1 11 21 -1 1 -1 -1 -1 "
	text := strings.Repeat(head+"-1 -1 -1\n", 60) + head + "8 -1 frontier:excl:1x112\n"
	l, err := swf.OpenChunks("frontier.swf", strings.NewReader(text), workload.Options{}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := logtest.ReadAll(l)
	if err != nil || len(jobs) != 61 || l.Lacks(workload.ColAllocatedNodes) {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	logtest.WantCounts(t, l, map[string]int64{"frontier-processors": 122})
}

// What is odd in such a log is counted, and stops nothing.
func TestFrontierOdd(t *testing.T) {
	const head = "1 0 12 3600 64 -1 -1 64 7200 -1 1 11 21 -1 1 -1 -1 -1 "
	good := strings.Repeat(head+"8 -1 frontier:excl:1x112\n", 60)
	l, _, err := readString(t, good+head+"8.5 -1 frontier:excl:2x112\n"+head+"8 -1 somewhere\n"+head+"\n"+head+"8 -1 a:b:1x1 4\n")
	if err != nil {
		t.Fatal(err)
	}
	logtest.WantCounts(t, l, map[string]int64{"frontier-processors": 128, "frontier-gpus": 1, "frontier-place": 1, "frontier-fields": 2})
	for _, w := range l.Warnings() {
		if want := map[string]int64{"frontier-gpus": 61, "frontier-place": 62, "frontier-fields": 63}[w.Rule]; w.Line != want {
			t.Errorf("%s in line %d, want %d", w.Rule, w.Line, want)
		}
	}
}

// A line of another form does not make a log one of another form.
func TestFrontierOddFirst(t *testing.T) {
	const head = "1 0 12 3600 589824 -1 -1 589824 7200 -1 1 11 21 -1 1 -1 -1 -1 "
	good := head + "8 -1 frontier:excl:1x112\n"
	for name, odd := range map[string]string{"18 fields": head, "no place": head + "8 -1 somewhere", "text": head + "x -1 frontier:excl:1x112", "too many": head + "8 -1 a:b:1x1 4"} {
		l, err := swf.OpenChunks("frontier.swf", strings.NewReader(odd+"\n"+strings.Repeat(good, 3)), workload.Options{}, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := logtest.ReadAll(l)
		if err != nil || len(jobs) != 4 || l.Lacks(workload.ColAllocatedNodes) || logtest.Counts(l)["frontier-processors"] != 8 {
			t.Errorf("%s: %+v, %v", name, jobs, err)
		}
	}
}

// Where a place comes only after the processors of others have been read, none of them
// can be trusted.
func TestFrontierTooLate(t *testing.T) {
	const head = "1 0 12 3600 64 -1 -1 64 7200 -1 1 11 21 -1 1 -1 -1 -1 "
	text := strings.Repeat(head+"-1 -1 -1\n", 60) + head + "8 -1 frontier:excl:1x112\n"
	l, err := swf.OpenChunks("frontier.swf", strings.NewReader(text), workload.Options{}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	_, err = logtest.ReadAll(l)
	if want := `frontier.swf:61: field 21: saw "frontier:excl:1x112", want such a place in the first MiB of the log too: `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
