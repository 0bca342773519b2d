package resample

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// If no user is moved, the twin is the log: it has all jobs, with the dependencies that package
// sessions finds.
func TestConservation(t *testing.T) {
	jobs := madeUp(30, 40, 20)
	want := jobtest.Collect(t, sessions.Dependencies(workload.JobsOf(jobs), nil))
	made, _ := twin(t, jobs, zurich(), Options{still: true})
	if len(made) != len(want) {
		t.Fatalf("%d jobs, want %d", len(made), len(want))
	}
	for i := range want {
		want[i].Wait = math.NaN()
		if got, want := fmt.Sprint(made[i]), fmt.Sprint(want[i]); got != want {
			t.Fatalf("job %d: %s, want %s", i+1, got, want)
		}
	}
}

// who identifies a job, wherever it was moved to.
type who struct {
	user, size int64
	run        float64
}

// A twin has the jobs of the log at the same time of the local week to within five minutes, none in
// its original week, in order of submission.
func TestMoved(t *testing.T) {
	jobs, h := madeUp(60, 40, 12), zurich()
	clock, _ := h.Clock()
	second := func(j *workload.Job) float64 { // of the week
		at := clock.At(j.Submit)
		return float64(int(at.Weekday())*86400 + at.Hour()*3600 + at.Minute()*60 + at.Second())
	}
	places := map[who][]*workload.Job{}
	for i := range jobs {
		j := &jobs[i]
		places[who{j.User, j.Size, j.Run}] = append(places[who{j.User, j.Size, j.Run}], j)
	}
	made, w := twin(t, jobs, h, Options{Seed: 5})
	count := map[who]int{}
	last := math.Inf(-1)
	for i := range made {
		j := &made[i]
		x := who{j.User, j.Size, j.Run}
		count[x]++
		if !slices.ContainsFunc(places[x], func(k *workload.Job) bool { return math.Abs(second(j)-second(k)) <= 300 }) {
			t.Fatalf("job %d is at second %g of the week, in the log it is not", j.ID, second(j))
		}
		if len(places[x]) == 1 && math.Abs(places[x][0].Submit-j.Submit) < 2*day {
			t.Fatalf("job %d is at its original time", j.ID)
		}
		if j.Submit < last {
			t.Fatalf("job %d is submitted before the one before it", j.ID)
		}
		last = j.Submit
	}
	for x, k := range places {
		if count[x] != len(k) {
			t.Fatalf("%+v: %d jobs, want %d", x, count[x], len(k))
		}
	}
	if len(made) != len(jobs) || len(w.Warnings()) != 0 {
		t.Errorf("%d jobs, want %d; warnings %v, want none", len(made), len(jobs), w.Warnings())
	}
}

// Preceding jobs are before the jobs that wait for them, at the same distance as in the log, also
// if the log has no waits but gives the preceding jobs.
func TestDependenciesMove(t *testing.T) {
	jobs := madeUp(30, 40, 20)
	inLog := jobtest.Collect(t, sessions.Dependencies(workload.JobsOf(jobs), nil))
	linked := 0
	for i := range inLog {
		if inLog[i].Preceding != workload.Unknown {
			linked++
		}
	}
	for i := range inLog {
		inLog[i].Wait = math.NaN()
	}
	checkDependencies(t, jobs, linked)
	checkDependencies(t, inLog, linked)
}

// checkDependencies fails if twins have fewer jobs that wait for another job than a log with the
// given number of them.
func checkDependencies(t *testing.T, jobs []workload.Job, linked int) {
	t.Helper()
	made, _ := twin(t, jobs, workload.Header{}, Options{Seed: 3, UsersFactor: 2.5, Days: 800})
	n := 0
	for i := range made {
		j := &made[i]
		if (j.Preceding == workload.Unknown) != math.IsNaN(j.Think) || j.Think > 1200 {
			t.Fatalf("job %d: preceding job %d, think time %g", j.ID, j.Preceding, j.Think)
		}
		if j.Preceding == workload.Unknown {
			continue
		}
		n++
		p := &made[j.Preceding-1]
		if p.ID != j.Preceding || p.User != j.User || p.Submit+p.Run > j.Submit {
			t.Fatalf("job %d of user %d at %g waits for job %d of user %d, from %g to %g", j.ID, j.User, j.Submit, p.ID, p.User, p.Submit, p.Submit+p.Run)
		}
	}
	if share, want := float64(n)/float64(len(made)), float64(linked)/float64(len(jobs)); share < .9*want {
		t.Errorf("%.3f of the jobs wait for another one, want nearly the log's %.3f", share, want)
	}
}

// The same seed gives the same jobs on any number of cores; another seed gives others, less than 5
// % of them equal.
func TestSeeds(t *testing.T) {
	for _, weeks := range []int{40, 8} {
		jobs := madeUp(80, weeks, 12)
		o := Options{Seed: 9, Jobs: int64(3*len(jobs) + 7), UsersFactor: 1.3, Workers: 1}
		one, _ := twin(t, jobs, zurich(), o)
		want := fmt.Sprint(one)
		for _, n := range []int{2, 7} {
			o.Workers = n
			other, _ := twin(t, jobs, zurich(), o)
			if fmt.Sprint(other) != want {
				t.Errorf("%d weeks: %d goroutines make other jobs than one", weeks, n)
			}
		}
		type key struct {
			submit, run float64
			size        int64
		}
		seen := map[key]bool{}
		for i := range one {
			seen[key{one[i].Submit, one[i].Run, one[i].Size}] = true
		}
		o.Seed = 10
		other, _ := twin(t, jobs, zurich(), o)
		shared := 0
		for i := range other {
			if seen[key{other[i].Submit, other[i].Run, other[i].Size}] {
				shared++
			}
		}
		if share := float64(shared) / float64(len(other)); share > .05 {
			t.Errorf("%d weeks: %.3f of the jobs of two seeds are the same, want at most .05", weeks, share)
		}
	}
}

// Longer twins continue at the log's rate and load, with new users.
func TestLonger(t *testing.T) {
	jobs := madeUp(60, 40, 12)
	span := jobs[len(jobs)-1].Submit - jobs[0].Submit
	made, _ := twin(t, jobs, zurich(), Options{Seed: 2, Days: 3 * span / day})
	if n := float64(len(made)) / float64(len(jobs)); math.Abs(n-3) > .03 {
		t.Errorf("%.3f times the log's jobs in three times its days", n)
	}
	if w := workOf(made) / workOf(jobs); math.Abs(w-3) > .03 {
		t.Errorf("%.3f times the log's work in three times its days", w)
	}
	laps := map[int64][2]float64{}
	for _, j := range made {
		x, ok := laps[j.User]
		if !ok {
			x[0] = j.Submit
		}
		x[1] = j.Submit
		laps[j.User] = x
	}
	if len(laps) != 180 {
		t.Errorf("%d users, want 180", len(laps))
	}
	for u, x := range laps {
		if x[1]-x[0] > span+week {
			t.Errorf("user %d is there for %g days, want at most the log's %g", u, (x[1]-x[0])/day, span/day)
		}
	}
}

// A higher load comes from more users. The load from the first submission to the last is within 1 %
// of that requested, for twins shorter and longer than the log, too.
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("long under the race detector")
	}
	jobs := madeUp(60, 40, 12)
	span := jobs[len(jobs)-1].Submit - jobs[0].Submit
	now := workOf(jobs) / span / 64
	for _, f := range []float64{.3, .5, 1, 1.37, 2, 4.9} {
		for _, o := range []Options{
			{UsersFactor: f}, {Load: f * now}, {Load: f * now / 2, Processors: 128},
			{UsersFactor: f, Days: 50}, {UsersFactor: f, Days: 333}, {UsersFactor: f, Jobs: 500}, {UsersFactor: f, Jobs: 9000},
		} {
			o.Seed = 4
			made, _ := twin(t, jobs, zurich(), o)
			got := workOf(made) / (made[len(made)-1].Submit - made[0].Submit) / 64 / now
			if math.Abs(got/f-1) > .01 {
				t.Errorf("%+v: %.4f times the log's load, want %g", o, got, f)
			}
			if o.Jobs > 0 && int64(len(made)) != o.Jobs {
				t.Errorf("%+v: %d jobs", o, len(made))
			}
		}
	}
}

// The first line of a twin's header except the Version states that it is a twin, because the log's
// lines that follow describe another log. A log without a Version gets no note after its first
// line.
func TestHeaderSaysTwinFirst(t *testing.T) {
	for _, c := range []struct {
		version string
		at      int
		users   float64
		flags   string
	}{{"", 0, 1.2, "--load 1.2x "}, {"2.2", 1, 0, ""}} {
		var h workload.Header
		if c.version != "" {
			h.Add("Version", c.version)
		}
		h.Add("Computer", "a machine")
		h.Add("MaxProcs", "64")
		h.Add("Note", "THIS IS A CLEANED VERSION OF THE LOG!")
		h.Lines = append(h.Lines, "       The filter used to produce it was", "         user=3 (24 jobs removed)")
		h.Add("Note", "group 2 is system personnel")
		_, w := twin(t, madeUp(5, 10, 4), h, Options{UsersFactor: c.users, Days: 28, Seed: 3, By: "a test"})
		var made Made
		jobtest.Collect(t, w.Counted(context.Background(), &made))
		fields := func() []workload.Field { h := w.Header(h, "a.swf", &made); return h.Fields() }()
		if text := fmt.Sprint(fields); strings.Contains(text, "CLEANED") || strings.Contains(text, "jobs removed") || !strings.Contains(text, "group 2 is system personnel") {
			t.Errorf("a twin is no cleaned log, and has the log's other notes: %s", text)
		}
		for i, want := range []string{
			`a twin of "a.swf", not a log`, "made by a test: generate --like LOG --days 28 " + c.flags + "--seed 3",
			"offered load " + strconv.FormatFloat(made.Load(64), 'g', 4, 64) + " on 64 processors; the log's is " + strconv.FormatFloat(w.Load(), 'g', 4, 64),
		} {
			if f := fields[c.at+i]; f.Key != "Note" || !strings.HasPrefix(f.Value, want) {
				t.Errorf("version %q: field %d is %q: %q, want a note %q", c.version, c.at+i, f.Key, f.Value, want)
			}
		}
	}
}

// A few jobs of many users do not take the time and memory of a whole lap, here of a million jobs.
func TestManyUsersFewJobs(t *testing.T) {
	jobs := madeUp(20, 40, 12)
	for _, n := range []int64{1, 3000} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		made, _ := twin(t, jobs, zurich(), Options{Seed: 6, UsersFactor: 1000, Jobs: n})
		runtime.ReadMemStats(&after)
		if mb := float64(after.TotalAlloc-before.TotalAlloc) / 1e6; int64(len(made)) != n || mb > 100 {
			t.Errorf("%d jobs with %.0f MB, want %d with at most 100 MB", len(made), mb, n)
		}
	}
}

func TestOptionFaults(t *testing.T) {
	jobs := madeUp(10, 30, 5)
	for _, o := range []Options{
		{Days: math.NaN()}, {Days: 1, Jobs: 1}, {UsersFactor: -2}, {UsersFactor: 1e9}, {Load: .5, UsersFactor: 2},
		{Load: .5},                    // the header has no processors
		{Load: 100, Processors: 1e12}, // too many users
	} {
		_, err := New(context.Background(), workload.JobsOf(jobs), workload.Header{}, o)
		var option *workload.OptionError
		if !errors.As(err, &option) {
			t.Errorf("%+v: %v, want an error of the option", o, err)
		}
	}
}

func TestFaults(t *testing.T) {
	if _, err := New(context.Background(), workload.JobsOf(nil), workload.Header{}, Options{}); !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("no jobs: %v", err)
	}
	fault := errors.New("broken")
	if _, err := New(context.Background(), func(yield func(workload.Job, error) bool) { yield(workload.Job{}, fault) }, workload.Header{}, Options{}); !errors.Is(err, fault) {
		t.Errorf("a log that cannot be read: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	w, err := New(ctx, workload.JobsOf(madeUp(5, 30, 4)), workload.Header{}, Options{Jobs: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err = range w.Jobs(ctx) {
		if n++; n == 1000 {
			stop()
		}
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	for range w.Jobs(context.Background()) {
		break
	}
}
