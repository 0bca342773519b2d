package watch

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// run runs a Slurm command and returns its output.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// submitJob submits a job that sleeps and returns its number.
func submitJob(t *testing.T, seconds int, args ...string) string {
	t.Helper()
	return run(t, "sbatch", append(append([]string{"--parsable", "-D", "/", "-o", "/dev/null", "-t", "2"}, args...), "--wrap", fmt.Sprintf("sleep %d", seconds))...)
}

// realTimes holds a job's times in the accounting database, in seconds since 1970; NaN if missing.
type realTimes struct{ submit, start, end float64 }

// realJobs returns the times, from sacct in text form, of the jobs submitted since a given time.
// The key is a job's number and submission time. Without job numbers, sacct omits jobs that were
// held until they were cancelled.
func realJobs(t *testing.T, since time.Time, ids []string) map[string]realTimes {
	t.Helper()
	at := func(text string) float64 {
		if text == "None" || text == "Unknown" {
			return math.NaN()
		}
		x := jobtest.Must(time.Parse("2006-01-02T15:04:05", text))
		return float64(x.Unix())
	}
	jobs := map[string]realTimes{}
	text := run(t, "sacct", "-a", "-X", "-D", "-n", "-P", "-j", strings.Join(ids, ","), "-o", "JobIDRaw,Submit,Start,End,State,NodeList")
	for _, line := range strings.Split(text, "\n") {
		f := strings.Split(line, "|")
		if len(f) < 6 || at(f[1]) < float64(since.Unix()) || f[4] == "PENDING" {
			continue
		}
		x := realTimes{at(f[1]), at(f[2]), at(f[3])}
		if f[5] == "None assigned" {
			x.start = math.NaN() // Slurm may put the end there
		}
		jobs[fmt.Sprintf("%s %.0f", f[0], at(f[1]))] = x
	}
	return jobs
}

// watcher is a source with a tracker and the events it has reported.
type watcher struct {
	source  Source
	tracker *Tracker
	rows    map[int64]realTimes
	keys    map[int64]string // by row; a task of an array gets its number when it starts
	last    float64
	polls   int
}

// poll polls once and records the events.
func (w *watcher) poll(t *testing.T, since time.Time) *Poll {
	t.Helper()
	p := jobtest.Must(w.source.Poll(context.Background()))
	for _, e := range w.tracker.Events(p) {
		if e.Time < w.last || e.Guessed {
			t.Errorf("after %v s: %+v", w.last, e)
		}
		w.last = e.Time
		if e.Job.Submit < float64(since.Unix()) {
			continue // of an earlier run
		}
		key := fmt.Sprintf("%d %.0f", e.Job.ID, e.Job.Submit)
		x, known := w.rows[e.Job.Row]
		switch {
		case (e.Kind == workload.Submit) == known:
			t.Errorf("job %s: %v out of order", key, e.Kind)
		case e.Kind == workload.Submit:
			x = realTimes{e.Job.Submit, math.NaN(), math.NaN()}
		case e.Kind == workload.Start:
			x.start = e.Job.Start()
		case e.Withdrawal():
			x.end = e.Time
		default:
			x.end = e.Job.End()
		}
		w.rows[e.Job.Row], w.keys[e.Job.Row] = x, key
	}
	w.polls++
	return p
}

// The source, polled every second, reports the same submission, start and end of every job as the
// accounting database does afterwards, to the second.
func TestRealSlurmEvents(t *testing.T) {
	if os.Getenv("LOADSTONE_SLURM") == "" {
		t.Skip("needs a running Slurm that has nothing to do: .ci/slurm starts one")
	}
	// Start in a new second, so that jobs of earlier tests have earlier times. Slurm reads the
	// kernel's coarse clock, which may lag by some milliseconds and still give the previous second.
	time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(1100 * time.Millisecond)))
	began := time.Now()
	w := &watcher{source: Commands(Options{Origin: time.Unix(0, 0), Names: &Names{}, Since: began}), tracker: NewTracker(), rows: map[int64]realTimes{}, keys: map[int64]string{}}

	rng := rand.New(rand.NewPCG(7, 0))
	var ids []string
	submit := func(seconds int, args ...string) string {
		id := submitJob(t, seconds, args...)
		ids = append(ids, id)
		return id
	}
	batch := func(n int) {
		for range n {
			submit(1+rng.IntN(3), "-n", strconv.Itoa(1+rng.IntN(40)), "-p", []string{"batch", "batch", "short"}[rng.IntN(3)])
		}
	}
	batch(20)
	submit(1, "-n", "8", "--array=1-6%2")
	held := submit(1, "-n", "4", "-H")
	cancel := submit(1, "-n", "64", "-H")
	submit(1, "-n", "4", "-d", "afterany:"+held)
	var killed, requeued, again string
	runs := map[string]bool{}
	for second := 0; ; second++ {
		next := time.Now().Add(time.Second)
		switch second {
		case 2:
			batch(15)
		case 4:
			run(t, "scancel", cancel)
		case 5:
			run(t, "scontrol", "release", held)
			batch(15)
			killed, requeued = submit(60, "-n", "1", "-p", "short"), submit(20, "-n", "1", "-p", "short")
			run(t, "scancel", submit(9, "-n", "1", "-p", "short")) // before or after it starts
		case 9:
			batch(5)
		}
		switch { // as soon as they run
		case killed != "" && runs[killed]:
			run(t, "scancel", killed)
			killed = ""
		case requeued != "" && runs[requeued]:
			run(t, "scontrol", "requeue", requeued)
			again, requeued = requeued, ""
		case again != "" && !runs[again]: // otherwise it starts after two minutes
			run(t, "scontrol", "update", "jobid="+again, "starttime=now")
			again = ""
		}
		clear(runs)
		p := w.poll(t, began)
		for _, s := range p.Jobs {
			runs[strconv.FormatInt(s.ID, 10)] = !s.Pending()
		}
		if c := p.Capacity; p.Partial || c.Total != 64 || c.Processors != 64 {
			t.Errorf("partial: %v, capacity %+v: %v", p.Partial, c, p.Warnings)
		}
		if len(p.Jobs) == 0 && second > 10 && killed == "" && again == "" {
			break
		}
		if second > 100 {
			t.Fatalf("jobs still wait or run: %s", run(t, "squeue"))
		}
		time.Sleep(time.Until(next))
	}
	n := len(ids) + 5 + 1 // the array's and the requeued one
	for second := 0; second < 30 && (second < 2 || len(realJobs(t, began, ids)) < n); second++ {
		time.Sleep(time.Second) // the database may lag behind
	}
	w.poll(t, began)
	w.poll(t, began)
	want, got := realJobs(t, began, ids), map[string]realTimes{}
	t.Logf("%d jobs, %d polls", len(want), w.polls)
	if len(want) != n {
		t.Errorf("%d jobs in the database, want %d of %v", len(want), n, ids)
	}
	for row, x := range w.rows {
		got[w.keys[row]] = x
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("jobs %v, want %v", got, want)
	}
}
