package cli

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TestProgressOfWork: of all that a command is at, the line shows the last
// begun that is not done, and says how much of it is.
func TestProgressOfWork(t *testing.T) {
	var w bytes.Buffer
	a := &app{Streams: Streams{Err: &w}, progress: &progress{w: &w, quit: make(chan struct{})}}
	shown := func() string {
		w.Reset()
		a.progress.show()
		return w.String()
	}
	a.begin(&task{"reading log.swf", inBytes, func() (int64, int64) { return 10, 10 }})
	one, end := a.work("replicates of a law", "replicates", 4)
	one()
	endLater := a.begin(&task{"later", "jobs", func() (int64, int64) { return 0, notYet }})
	if got := shown(); !strings.Contains(got, "replicates of a law  25%") || !strings.Contains(got, "1/4") {
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

	a.quiet = true
	if one, end := a.work("quiet", "jobs", 4); one != nil {
		t.Error("a quiet command counts")
	} else {
		end()
	}
}

// TestProgressOfJobs: a log that has been read shows the jobs that are passed
// on; one that is being read does not, and nothing is left when it is over.
func TestProgressOfJobs(t *testing.T) {
	var w bytes.Buffer
	path := writeLog(t, strings.Repeat("1 0 1 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n", 4))
	for _, terminal := range []bool{true, false} {
		a := &app{Streams: Streams{Err: &w}, ctx: context.Background()}
		if terminal {
			a.progress = &progress{w: &w, quit: make(chan struct{})}
		}
		log, err := a.open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		n := 0
		for _, err := range a.watch(log)(workload.InOrder(log.Jobs(), nil)) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 3 && terminal {
				w.Reset()
				if a.progress.show(); !strings.Contains(w.String(), "2") {
					t.Errorf("at the third of four jobs: %q", w.String())
				}
			}
		}
		if n != 4 || terminal && len(a.progress.tasks) != 1 {
			t.Errorf("terminal %t: %d jobs, tasks left: %v", terminal, n, a.progress)
		}
		three := func(yield func(workload.Job, error) bool) {
			for range 3 {
				if !yield(workload.Job{}, nil) {
					return
				}
			}
		}
		passed := 0
		for range a.counted("jobs", 3, three) {
			passed++
		}
		if passed != 3 {
			t.Errorf("%d of 3 held jobs", passed)
		}
	}
}

// TestProgressOfPlot: 'plot' shows how far what it draws is; remarks are not shown.
func TestProgressOfPlot(t *testing.T) {
	var errs bytes.Buffer
	p := &progress{w: io.Discard, quit: make(chan struct{})}
	a := &app{Streams: Streams{Out: io.Discard, Err: &errs}, ctx: context.Background(), progress: p}
	shown, remarks := false, -1
	o := plotOptions{kind: kindOfPicture{name: "sizes", command: "fit", preset: options{"attribute": "size", "site": siteNone}}, logs: []string{"-"}, output: filepath.Join(t.TempDir(), "a.svg")}
	a.In = readThen{func() { shown, remarks = a.shows(), errs.Len() }}
	if err := runPlot(a.ctx, a, o); err == nil || !shown || remarks != 0 {
		t.Errorf("plot: %v, progress shown %v, %d bytes of remarks", err, shown, remarks)
	}
}

// readThen is an empty input that calls then when it is read.
type readThen struct{ then func() }

func (r readThen) Read([]byte) (int, error) {
	r.then()
	return 0, io.EOF
}
