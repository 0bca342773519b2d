package mapping_test

import (
	"bufio"
	"fmt"
	"io"
	goruntime "runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// A log that begins with more incomplete job records than are buffered has the date of its first
// complete job.
func TestManyPartsFirst(t *testing.T) {
	var b strings.Builder
	for n := range 9000 {
		fmt.Fprintf(&b, "11/14/2023 22:13:20;Q;%d.srv;queue=q1\n", n)
	}
	for n := range 60_000 {
		fmt.Fprintf(&b, "11/14/2023 23:13:20;E;%d.srv;user=ada ctime=%d start=%[2]d end=%d Resource_List.ncpus=1 Exit_status=0\n", 9000+n, 1_700_000_000+n, 1_700_000_100+n)
	}
	l, err := mapping.Text.Open("pbs.log", bufio.NewReader(strings.NewReader(b.String())), workload.Options{As: "pbs"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := l.Header.Get("UnixStartTime"); got != "1700000000" {
		t.Errorf("UnixStartTime %q, want that of the first job", got)
	}
	jobs := 0
	for j, err := range l.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		if j.Submit != float64(jobs) {
			t.Fatalf("job %d is submitted at %g s", jobs, j.Submit)
		}
		jobs++
	}
	if jobs != 60_000 {
		t.Errorf("%d jobs", jobs)
	}
}

// The records buffered from a log in which few records are of jobs do not keep all of its text in
// memory.
func TestFewRecordsOfJobs(t *testing.T) {
	longtest.Only(t)
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	other := strings.Repeat("11/14/2023 22:13:20;L;lic;floating license hour:3 day:10\n", 17_000) // 1 MB
	var texts []io.Reader
	const megabytes = 400
	for n := range megabytes {
		texts = append(texts, strings.NewReader(other), strings.NewReader(fmt.Sprintf("11/14/2023 23:13:20;E;%d.srv;user=ada ctime=%d start=%[2]d end=1700100000 Resource_List.ncpus=1 Exit_status=0\n", n, 1_700_000_000+n)))
	}
	goruntime.GC()
	before, most, jobs := logtest.HeapInUse(), int64(0), 0
	l, err := mapping.Text.Open("pbs.log", bufio.NewReader(io.MultiReader(texts...)), workload.Options{As: "pbs", Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for b, err := range l.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		jobs += b.Rows
		most = max(most, logtest.HeapInUse()-before)
	}
	if jobs != megabytes || most > 250<<20 {
		t.Errorf("%d jobs, %d MB in use", jobs, most>>20)
	}
}
