package fit

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestCollectorCounts checks that every job is in the sample of an attribute or counted as left
// out of it, and that the weeks together have the jobs with a submission time.
func TestCollectorCounts(t *testing.T) {
	clock := workload.Clock{Start: time.Unix(0, 0).UTC(), Known: true}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "n")
		all, timed := NewCollector(clock), NewCollector(clock)
		timed.weeks = map[int64]*counts{}
		at := 0.0
		for range n {
			j := workload.UnknownJob()
			at += rapid.SampledFrom([]float64{0, 1, 5, 600, 40000, 300000, 2e6, -3}).Draw(t, "gap")
			if rapid.IntRange(0, 9).Draw(t, "known") > 0 {
				j.Submit = at
				j.Size = rapid.Int64Range(-1, 4).Draw(t, "size")
				j.Run = rapid.SampledFrom([]float64{-1, 0, 1, 60, 3600}).Draw(t, "run")
				j.Time = rapid.SampledFrom([]float64{math.NaN(), 0, 30, 61, 7200}).Draw(t, "requested time")
			}
			all.Add(&j)
			if !math.IsNaN(j.Submit) {
				timed.Add(&j)
			}
		}
		pooled := newCounts()
		for _, w := range timed.weeks {
			pooled.pool(w, 1)
		}
		if d := cmp.Diff(timed.counts, pooled, cmp.AllowUnexported(counts{}, shape{}, tally{})); d != "" {
			t.Fatalf("the log and its weeks differ:\n%s", d)
		}
		for _, a := range Attributes() {
			s := all.Sample(a)
			if err := s.Validate(); err != nil {
				t.Fatal(err)
			}
			jobs := s.Jobs()
			for _, l := range s.LeftOut {
				jobs += l.Jobs
			}
			if jobs != int64(n) {
				t.Fatalf("%s: %d jobs in the sample and left out, want %d", a, jobs, n)
			}
		}
	})
}

func TestPeakGapsAndSlots(t *testing.T) {
	// Stockholm, Friday 4 October 1996: summer time, two hours from UTC.
	zone := jobtest.Must(time.LoadLocation("Europe/Stockholm"))
	start := time.Date(1996, 10, 4, 0, 0, 0, 0, zone)
	c := NewCollector(workload.Clock{Start: start, Known: true})
	for _, at := range []time.Time{
		time.Date(1996, 10, 4, 7, 59, 59, 0, zone),
		time.Date(1996, 10, 4, 8, 0, 0, 0, zone), // start of the peak
		time.Date(1996, 10, 4, 8, 0, 7, 0, zone), // 7 s
		time.Date(1996, 10, 4, 18, 59, 59, 0, zone),
		time.Date(1996, 10, 4, 19, 0, 0, 0, zone), // after the peak
		time.Date(1996, 10, 5, 12, 0, 0, 0, zone), // Saturday
		time.Date(1996, 10, 5, 12, 0, 9, 0, zone),
		time.Date(1996, 10, 7, 18, 0, 0, 0, zone),
		time.Date(1996, 10, 8, 9, 0, 0, 0, zone), // in the peak of another day
		time.Date(1996, 10, 8, 9, 0, 4, 0, zone), // 4 s
	} {
		j := workload.UnknownJob()
		j.Submit = at.Sub(start).Seconds()
		c.Add(&j)
	}
	want := map[float64]float64{7: 1, 39592: 1, 4: 1}
	if d := cmp.Diff(want, c.peak); d != "" {
		t.Errorf("gaps at peak differ:\n%s", d)
	}
	var slots [model.Slots]float64
	slots[15], slots[16], slots[37], slots[38], slots[24], slots[36], slots[18] = 1, 2, 1, 1, 2, 1, 2
	if d := cmp.Diff(slots, c.slots); d != "" {
		t.Errorf("half hours differ:\n%s", d)
	}
	if s := c.Sample(Interarrival); s.Jobs() != 9 || len(s.LeftOut) != 1 || s.LeftOut[0].Jobs != 1 {
		t.Errorf("%d gaps, left out %v; want 9 and the first job", s.Jobs(), s.LeftOut)
	}
}

func TestCollectKeepsJobsWithoutSubmission(t *testing.T) {
	var odd workload.Warnings
	classes, err := Collect(jobsOf(10, func(i int, j *workload.Job) {
		plain(i, j)
		switch i {
		case 3:
			j.Submit = math.NaN()
		case 5:
			j.Submit = 1 // out of order
		}
	}), workload.Clock{}, CollectOptions{}, &odd)
	if err != nil {
		t.Fatal(err)
	}
	c := classes[0]
	if c.Jobs() != 10 || c.Sample(Size).Jobs() != 10 || c.Sample(Interarrival).Jobs() != 8 {
		t.Errorf("%d jobs, %d sizes, %d gaps; want 10, 10, 8", c.Jobs(), c.Sample(Size).Jobs(), c.Sample(Interarrival).Jobs())
	}
	if len(odd.List()) == 0 {
		t.Error("no warning about the job out of order")
	}
}

func TestCollectByColumn(t *testing.T) {
	for _, by := range append(model.Columns(), "") {
		var o CollectOptions
		if by != "" {
			var err error
			if o.Classes, err = workload.NewClassifier([]workload.ClassColumn{{Column: by}}); err != nil {
				t.Fatal(err)
			}
		}
		classes, err := Collect(jobsOf(12, func(i int, j *workload.Job) {
			plain(i, j)
			for _, name := range model.Columns() {
				workload.FindColumn(name).SetInt(j, int64(9-i%3))
			}
			if i == 0 {
				*j = workload.UnknownJob()
			}
		}), workload.Clock{}, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		var labels []string
		for _, c := range classes {
			labels = append(labels, c.Label()+c.Name) // a class of one identifier has no name
		}
		want := []string{by + "=7", by + "=8", by + "=9", by + " unknown"}
		if by == "" {
			want = []string{"all"}
		}
		if d := cmp.Diff(want, labels); d != "" {
			t.Errorf("%s: classes differ:\n%s", by, d)
		}
	}
}

// A log without jobs, or without any of the requested status, has no class to fit.
func TestCollectNothing(t *testing.T) {
	for _, n := range []int{0, 3} {
		classes, err := Collect(jobsOf(n, func(_ int, j *workload.Job) { j.Status = workload.StatusCompleted }), workload.Clock{}, CollectOptions{Status: []int64{workload.StatusFailed}}, nil)
		if !errors.Is(err, workload.ErrNoJobs) {
			t.Errorf("%d jobs: %d classes, error %v, want workload.ErrNoJobs", n, len(classes), err)
		}
	}
}
