package inspect

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// madeUp returns n synthetic jobs of several users and sizes, submitted about every 100 s.
func madeUp(n int) []workload.Job {
	rng := rand.New(rand.NewPCG(3, 4))
	jobs := make([]workload.Job, n)
	at := 0.0
	for i := range jobs {
		at += math.Floor(200 * rng.Float64())
		j := job(at, float64(i%97), math.Floor(math.Exp(3+2*rng.NormFloat64())), int64(math.Exp(7*rng.Float64())))
		j.User, j.Application, j.Queue = int64(rng.IntN(5)*rng.IntN(5)), int64(rng.IntN(3)), int64(rng.IntN(9))
		j.ID, j.Time = int64(i), float64(rng.IntN(4))/2
		jobs[i] = j
	}
	return jobs
}

// describeWith describes a log of these jobs that begins at the clock's start, if known.
func describeWith(t *testing.T, o DescribeOptions, clock workload.Clock, most limits, jobs ...workload.Job) *Description {
	t.Helper()
	log := logOf(jobs...)
	if clock.Known {
		log.Header.AddStart(clock.Start)
	}
	d, err := describe(t.Context(), log, o, most)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var everything = DescribeOptions{Processors: 100, By: "queue_id", Also: []string{"hour", "size:4:16"}}

var anyClock = workload.Clock{Start: time.Unix(0, 0).UTC()}

func TestWorkersDoNotMatter(t *testing.T) {
	jobs := madeUp(70_000)
	want, err := Describe(t.Context(), logOf(jobs...), everything)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 7} {
		o := everything
		o.Workers = workers
		got, err := Describe(t.Context(), logOf(jobs...), o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Errorf("%d workers: %s", workers, diff)
		}
	}
}

// Beyond the limits, figures come from sketches: they are close to the exact ones and are marked.
func TestSketchedParts(t *testing.T) {
	jobs := madeUp(20_000)
	exact := describeWith(t, everything, anyClock, usualLimits, jobs...)
	few := usualLimits
	few.exact = 300
	rough := describeWith(t, everything, anyClock, few, jobs...)
	const sketched = "sketch, relative error 0.001"
	near := func(what string, got, want stats.Number, tol float64) {
		t.Helper()
		if math.Abs(float64(got-want)) > tol*math.Abs(float64(want)) {
			t.Errorf("%s: %v, exactly %v", what, got, want)
		}
	}
	for i, v := range rough.By.Values {
		w := exact.By.Values[i]
		if v.Run.Method != sketched || w.Run.Method != "exact" || v.Jobs != w.Jobs || v.Users != w.Users || v.Value != w.Value {
			t.Errorf("by queue: %+v, exactly %+v", v, w)
		}
		near("mean by queue", v.Run.Mean, w.Run.Mean, 0)
		near("q95 of waits by queue", v.Wait.Q95, w.Wait.Q95, 0.001)
		near("q75 by queue", v.Run.Q75, w.Run.Q75, 0.001)
		near("median size by queue", v.Size.Median, w.Size.Median, 0.001)
	}
}

func TestByEveryColumn(t *testing.T) {
	jobs := madeUp(500)
	for at, c := range workload.Columns() {
		if at == workload.ColJobID {
			continue
		}
		if c.Float() {
			c.SetNumber(&jobs[0], 1) // at least one has a value
		} else {
			c.SetInt(&jobs[0], 1)
		}
		d := describeWith(t, DescribeOptions{By: c.Name}, anyClock, usualLimits, jobs...)
		var n int64
		for _, v := range d.By.Values {
			n += v.Jobs
		}
		if n != 500 || d.By.Others != nil || d.By.Column != c.Name {
			t.Errorf("by %s: %d jobs in %d values", c.Name, n, len(d.By.Values))
		}
	}
	d := describeWith(t, DescribeOptions{By: "requested_time_s"}, anyClock, usualLimits, jobs...)
	for _, v := range d.By.Values {
		if !slices.Contains([]string{"0", "0.5", "1", "1.5"}, string(v.Value)) {
			t.Errorf("a requested time of %q", v.Value)
		}
	}
	// Three queues have a row each, and the others share one.
	few := usualLimits
	few.values = 3
	d = describeWith(t, DescribeOptions{By: "queue_id"}, anyClock, few, jobs...)
	if len(d.By.Values) != 3 || d.By.Others == nil || d.By.Others.Value != "" {
		t.Fatalf("bounded: %+v", d.By)
	}
	n := d.By.Others.Jobs
	for _, v := range d.By.Values {
		n += v.Jobs
	}
	if n != 500 {
		t.Errorf("bounded: %d jobs", n)
	}
}

// A further breakdown has a row for every value, with its jobs and work. In a log with few jobs
// each value has statistics; in a large one only the first values have them, whether or not the
// later ones occurred before the log was known to be large.
func TestAlsoOfManyValues(t *testing.T) {
	var jobs []workload.Job
	for i := range int64(24) { // queues 0 to 5 four times, with 1 to 6 processors and 10 s
		j := job(float64(i), float64(i%6), 10, 1+i%6)
		j.Queue = i % 6
		jobs = append(jobs, j)
	}
	for _, exact := range []int{24, 23, 4} {
		d := describeWith(t, DescribeOptions{By: "queue_id", Also: []string{"queue_id"}}, anyClock, limits{values: 3, exact: exact}, jobs...)
		if also := d.Also[0]; len(d.By.Values) != 3 || d.By.Others == nil || len(also.Values) != 6 || also.Others != nil {
			t.Fatalf("%d exact: by %+v, also %+v", exact, d.By, also)
		}
		for i, v := range d.Also[0].Values { // most work first
			queue, known := int64(5-i), int64(4)
			wait := float64(queue)
			if exact < len(jobs) && queue >= 3 {
				known, wait = 0, math.NaN()
			}
			if v.Value != Value(strconv.FormatInt(queue, 10)) || v.Jobs != 4 || v.Work != stats.Number(4*10*(queue+1)) ||
				v.Wait.Known != known || v.Size.Known != known || !(float64(v.Wait.Mean) == wait || math.IsNaN(wait) && math.IsNaN(float64(v.Wait.Mean))) {
				t.Errorf("%d exact: %+v; want queue %d, %d waits of %v", exact, v, queue, known, wait)
			}
		}
	}
}

// Hours and weekdays are in the site's local time, on both sides of the end of summer time: 27
// October 1996 at 1:00 UTC.
func TestByTheClock(t *testing.T) {
	zone := jobtest.Must(time.LoadLocation("Europe/Stockholm"))
	clock := workload.Clock{Start: time.Date(1996, time.October, 27, 0, 0, 0, 0, time.UTC).In(zone), Known: true}
	var jobs []workload.Job
	for _, at := range []float64{
		0, 3599.9, // 2:00, 2:59:59.9 in summer
		3600,        // 2:00 again, in winter
		7200,        // 3:00
		-2*3600 - 1, // 23:59:59 on Saturday
		22 * 3600,   // 23:00
		23 * 3600,   // Monday
		math.NaN(), math.Inf(1), 1e300,
	} {
		jobs = append(jobs, job(at, 1, 1, 1))
	}
	for by, want := range map[string]string{
		"hour":         "[00:00 1 02:00 3 03:00 1 23:00 2 unknown 3]",
		"weekday":      "[Monday 1 Saturday 1 Sunday 5 unknown 3]",
		"day":          "[1996-10-26 1 1996-10-27 5 1996-10-28 1 unknown 3]",
		"week":         "[1996-10-21 6 1996-10-28 1 unknown 3]",
		"weekday,hour": "[Monday, 00:00 1 Saturday, 23:00 1 Sunday, 02:00 3 Sunday, 03:00 1 Sunday, 23:00 1 submit_time_s unknown, submit_time_s unknown 3]",
	} {
		d := describeWith(t, DescribeOptions{By: by, Processors: 1}, clock, usualLimits, jobs...)
		var got []any
		for _, v := range d.By.Values {
			got = append(got, v.Name, v.Jobs)
			// Six jobs of one second were submitted in the last 26 h and one second of the first
			// week.
			if v.Name == "1996-10-21" && math.Abs(float64(v.Load)-6./(25*3600+1)) > 1e-15 {
				t.Errorf("load of the first week: %v", v.Load)
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("by %s: %v, want %s", by, got, want)
		}
	}
}

// Absurd values neither abort a description nor cost excessive time or memory.
func TestDescribeAbsurd(t *testing.T) {
	inf := math.Inf(1)
	jobs := []workload.Job{
		job(-1e14, -5, 10, 3), job(0, 0, inf, 1), job(1e15, inf, 1e300, math.MaxInt64), job(1e15, 0, -1, 2),
		job(1e300, 0, 5, 2), job(-inf, 0, 5, 2), job(7, math.NaN(), 1e-300, 64),
	}
	jobs[0].Queue = 1
	d := describeWith(t, everything, anyClock, usualLimits, jobs...)
	if d.Jobs != 7 || d.Log.FirstSubmit != -1e14 || d.Log.LastSubmit != 1e15 {
		t.Errorf("got %+v", d)
	}
	if len(d.Submissions.Jobs) > mostIntervals {
		t.Errorf("%d intervals", len(d.Submissions.Jobs))
	}
	none := describeWith(t, everything, anyClock, usualLimits)
	if none.Jobs != 0 || len(none.Submissions.Jobs) != 0 || len(none.By.Values) != 0 ||
		isNumber(none.Months) || isNumber(none.Parallel) {
		t.Errorf("of nothing: %+v", none)
	}
}

// The memory for users is limited, however many there are.
func TestManyDifferentValues(t *testing.T) {
	var jobs []workload.Job
	for i := range int64(300) {
		j := job(float64(i), 0, 100, 1)
		j.User = i
		jobs = append(jobs, j)
	}
	few := usualLimits
	few.distinct = 64
	d := describeWith(t, DescribeOptions{}, anyClock, few, jobs...)
	if g := d.Groups["user_id"]; g.Method == "exact" || math.Abs(float64(g.Distinct)-300) > 4*300/math.Sqrt(32) {
		t.Errorf("%+v", g)
	}
}

// Counting in intervals that grow along the way gives the same result as counting in intervals of
// the final width.
func TestSubmissions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Submissions{Width: fiveMinutes}
		times := rapid.SliceOfN(rapid.IntRange(-1_000_000, 4_000_000), 1, 30).Draw(t, "times")
		for _, at := range times {
			s.add(float64(at))
		}
		if len(s.Jobs) > mostIntervals {
			t.Fatalf("%d intervals, want %d at most", len(s.Jobs), mostIntervals)
		}
		want := make([]float64, len(s.Jobs))
		for _, at := range times {
			want[int(math.Floor(float64(at)/s.Width)-s.First)]++
		}
		if !slices.Equal(s.Jobs, want) {
			t.Fatalf("times %v, width %v: %v, want %v", times, s.Width, s.Jobs, want)
		}
	})
}
