package inspect

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Four processors. Jobs 1 and 2 fill them from 0 to 10; job 3 starts when job 1 ends, which is no
// overlap; job 4 exceeds the machine from 12 to 15, until job 2 ends; job 5 exceeds it again from
// 16, and job 6 further from 17.
func TestBusyByHand(t *testing.T) {
	const log = `; MaxProcs: 4
1 0 0 10 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1
2 0 0 15 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1
3 1 9 10 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1
4 2 10 6 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1
5 3 13 2 -1 -1 -1 3 -1 -1 1 1 1 1 1 1 -1 -1
6 17 0 0.5 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1
7 17 -1 10 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1
8 17 0 0 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1
`
	v := validate(t, log, ValidateOptions{First: 5, Rules: []string{"machine-over-full"}})
	// Exceeded after 12, and after 16, 17 and 17.5; at 18 job 5 ends.
	want := Busy{Placed: 6, Moments: 4, Seconds: 5, Peak: 10, PeakAt: 17, PeakPct: 250}
	if d := gocmp.Diff(&want, v.Busy); d != "" {
		t.Error(d)
	}
	places := []Place{
		{5, 4, 4, "allocated_processors", "5 busy, from 12 s for 3 s", "4 at most"},
		{6, 5, 5, "allocated_processors", "10 busy, from 16 s for 2 s", "4 at most"},
	}
	if d := gocmp.Diff(places, v.Findings[0].Places); d != "" || v.Findings[0].Count != 4 {
		t.Errorf("%d: %s", v.Findings[0].Count, d)
	}
}

// At 9e18 s adjacent float64 numbers are 1024 s apart, so whether the first job has ended when the
// second starts cannot be determined and is not judged.
func TestBusyBeyondTime(t *testing.T) {
	const log = `; MaxProcs: 4
1 9000000000000000000 0 100 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1
2 9000000000000000200 0 100 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1
3 9000000000000001000 0 1000 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1
4 9000000000000002000 0 1000 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1
`
	if v := validate(t, log, ValidateOptions{First: 1, Rules: []string{"machine-over-full"}}); len(v.Findings) != 0 || v.Busy != nil {
		t.Fatalf("got %+v", v)
	}
}

// If several jobs start when others end, the reported place is the first job, in the log's order,
// that exceeds the machine: here the second of three.
func TestBusyPlace(t *testing.T) {
	const log = `; MaxProcs: 4
1 0 0 10 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1
2 1 9 10 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1
3 3 7 10 3 -1 -1 3 -1 -1 1 1 1 1 1 1 -1 -1
4 2 8 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1
`
	v := validate(t, log, ValidateOptions{First: 5, Rules: []string{"machine-over-full"}})
	want := []Place{{4, 3, 3, "allocated_processors", "6 busy, from 10 s for 10 s", "4 at most"}}
	if d := gocmp.Diff(want, v.Findings[0].Places); d != "" {
		t.Error(d)
	}
}

// slowBusy examines every instant and every job.
func slowBusy(jobs []workload.Job, most int64) Busy {
	out := Busy{PeakAt: stats.Number(math.NaN())}
	var times []float64
	var placed []*workload.Job
	for i := range jobs {
		if j := &jobs[i]; j.Wait >= 0 && j.Run > 0 && j.Allocated > 0 {
			placed = append(placed, j)
			times = append(times, j.Start(), j.End())
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	since := math.NaN()
	for _, t := range times {
		busy := int64(0)
		for _, j := range placed {
			if j.Start() <= t && t < j.End() {
				busy += j.Allocated
			}
		}
		if busy > out.Peak {
			out.Peak, out.PeakAt = busy, stats.Number(t)
		}
		if busy <= most {
			if !math.IsNaN(since) {
				out.Seconds += stats.Number(t - since)
			}
			since = math.NaN()
			continue
		}
		out.Moments++
		if math.IsNaN(since) {
			since = t
		}
	}
	out.Placed = int64(len(placed))
	out.PeakPct = stats.Number(100 * float64(out.Peak) / float64(most))
	return out
}

// The sweep agrees with the slow version for any jobs, including those out of order by at most its
// window.
func TestBusyAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) workload.Job {
			wait, run := rapid.IntRange(-1, 6).Draw(t, "wait"), rapid.IntRange(-1, 9).Draw(t, "run")
			return job(float64(rapid.IntRange(0, 40).Draw(t, "submit")), float64(wait), float64(run), int64(rapid.IntRange(0, 5).Draw(t, "size")))
		}), 1, 60).Draw(t, "jobs")
		window := len(jobs)
		if order := rapid.SampledFrom([]string{"any", "sorted", "within the window"}).Draw(t, "order"); order != "any" {
			slices.SortStableFunc(jobs, func(a, b workload.Job) int { return cmp.Compare(a.Submit, b.Submit) })
			window = 1
			if order != "sorted" {
				window = rapid.IntRange(1, 6).Draw(t, "window")
				for i := range jobs { // until then the row holds the place that the job moves to
					jobs[i].Row = int64(i + rapid.IntRange(0, window).Draw(t, "shift"))
				}
				slices.SortStableFunc(jobs, func(a, b workload.Job) int { return cmp.Compare(a.Row, b.Row) })
			}
		}
		log := &workload.Log{}
		v := newValidator(log, ValidateOptions{Processors: 6, Rules: []string{"machine-over-full"}})
		v.busy.order.Window = window
		got, err := v.run(batches(jobs...))
		if err != nil {
			t.Fatal(err)
		}
		if got.Busy == nil {
			return
		}
		if d := gocmp.Diff(slowBusy(jobs, 6), *got.Busy); d != "" {
			t.Fatal(d)
		}
	})
}

// Jobs too far out of order are counted, in the note or in the reason for not checking.
func TestBusyOutOfOrder(t *testing.T) {
	for _, size := range []int64{1, 9} {
		v := newValidator(&workload.Log{}, ValidateOptions{Processors: 6, Rules: []string{"machine-over-full"}})
		v.busy.order.Window = 1
		got, err := v.run(batches(job(0, 0, 10, size), job(50, 0, 10, size), job(60, 0, 10, size), job(5, 0, 10, 1), job(70, 0, 5, 1)))
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, f := range got.Findings {
			said += f.Note
		}
		for _, n := range got.NotChecked {
			said += n.Why
		}
		if want := "1 jobs left out, more than 1 out of order"; !strings.Contains(said, want) {
			t.Errorf("got %q, want %q", said, want)
		}
	}
}

// A sum of absurd sizes does not overflow.
func TestBusyAbsurdSizes(t *testing.T) {
	v, err := Validate(t.Context(), logOf(job(0, 0, 10, math.MaxInt64), job(1, 0, 10, math.MaxInt64)), ValidateOptions{Processors: 6, Rules: []string{"machine-over-full"}})
	if err != nil || v.Busy.Peak != 2*maxBusySize {
		t.Errorf("%+v, %v", v.Busy, err)
	}
}
