package mapping_test

import (
	"bufio"
	"fmt"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// A log that begins with more records than are held back of jobs that it says little of has the
// date of its first whole job.
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
