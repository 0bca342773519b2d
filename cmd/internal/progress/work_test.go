package progress

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// TestWork: of all that a command is at, the line shows the last
// begun that is not done, and says how much of it is.
func TestWork(t *testing.T) {
	var w bytes.Buffer
	line := New(&w)
	shown := func() string {
		w.Reset()
		line.Show()
		return w.String()
	}
	line.Begin(&Task{Label: "reading log.swf", Unit: Bytes, State: func() (int64, int64) { return 10, 10 }})
	one, end := line.Work("replicates of a distribution", "replicates", 4)
	one()
	endLater := line.Begin(&Task{Label: "later", Unit: "jobs", State: func() (int64, int64) { return 0, notYet }})
	if got := shown(); !strings.Contains(got, "replicates of a distribution  25%") || !strings.Contains(got, "1/4") {
		t.Errorf("a quarter of the replicates: %q", got)
	}
	endLater()
	for range 3 {
		one()
	}
	if got := shown(); !strings.Contains(got, "computing") {
		t.Errorf("all replicates: %q", got)
	}
	end()

	line.End()
	if one, end := line.Work("late", "jobs", 4); one != nil {
		t.Error("a line that has ended counts")
	} else {
		end()
	}
}

// TestJobs: a log that has been read shows the jobs that are passed
// on; one that is being read does not, and nothing is left when it is over.
func TestJobs(t *testing.T) {
	var w bytes.Buffer
	path := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(path, []byte(strings.Repeat("1 0 1 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n", 4)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, terminal := range []bool{true, false} {
		var line *Line
		if terminal {
			line = New(&w)
		}
		log, err := logfile.Open(path, workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		line.Begin(&Task{Label: "reading", Unit: Bytes, State: log.Position})
		defer log.Close()
		n := 0
		for _, err := range line.Watch(log)(workload.InOrder(log.Jobs(), nil)) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 3 && terminal {
				w.Reset()
				if line.Show(); !strings.Contains(w.String(), "2") {
					t.Errorf("at the third of four jobs: %q", w.String())
				}
			}
		}
		if n != 4 || terminal && len(line.tasks) != 1 {
			t.Errorf("terminal %t: %d jobs, tasks left: %v", terminal, n, line)
		}
		three := func(yield func(workload.Job, error) bool) {
			for range 3 {
				if !yield(workload.Job{}, nil) {
					return
				}
			}
		}
		passed := 0
		for range line.Counted("jobs", 3, three) {
			passed++
		}
		if passed != 3 {
			t.Errorf("%d of 3 held jobs", passed)
		}
	}
}
