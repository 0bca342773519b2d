package reshape

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
)

// line is a job with what flurries look at.
func line(id int, submit float64, user, app, size int64) string {
	return fmt.Sprintf("%d %v 0 10 %d -1 -1 %d 60 -1 1 %d 1 %d 1 1 -1 -1\n", id, submit, size, size, user, app)
}

// Four alike jobs in 10 s, which are half of all, by hand.
func TestFlurries(t *testing.T) {
	const filter = "flurries window=10s jobs=4 share=0.5"
	var (
		burst = line(1, 0, 1, 1, 4) + line(2, 3, 1, 1, 4) + line(3, 3, 1, 1, 4) + line(4, 9, 1, 1, 4)
		other = func(id int, at float64) string { return line(id, at, int64(id), 1, 1) }
	)
	for _, c := range []struct{ name, log, filter, removed string }{
		{"a burst by itself", burst, filter, "1 2 3 4"},
		{"the window ends before its last second", strings.Replace(burst, "4 9 ", "4 10 ", 1), filter, ""},
		{"three are none", burst[:strings.LastIndex(burst[:len(burst)-1], "\n")+1], filter, ""},
		{"half of eight", burst + other(5, 9) + other(6, 9) + other(7, 9) + other(8, 9.5), filter, "1 2 3 4"},
		{"less than half of nine", burst + other(5, 9) + other(6, 9) + other(7, 9) + other(8, 9.5) + other(9, 9.6), filter, ""},
		{"the ninth is behind the window", burst + other(5, 9) + other(6, 9) + other(7, 9) + other(8, 9.5) + other(9, 10), filter, "1 2 3 4"},
		{"another size", burst + line(5, 9, 1, 1, 8), filter, "1 2 3 4"},
		{"another application", burst + line(5, 9, 1, 2, 4), filter, "1 2 3 4"},
		{"alike by user", burst + line(5, 9, 1, 2, 8), "flurries window=10 jobs=5 share=1 alike=user", "1 2 3 4 5"},
		{"alike by queue too", burst, "flurries window=10 jobs=4 alike=queue,partition,group", "1 2 3 4"},
		{"alike by other words of the columns", burst, "flurries window=10 jobs=4 alike=application_id,site,processors", "1 2 3 4"},
		{"another size in the range", strings.Replace(burst, "4 9 0 10 4 -1 -1 4", "4 9 0 10 3 -1 -1 3", 1), "flurries window=10 jobs=4 share=0.1 alike=app,size:2:4", "1 2 3 4"},
		{"another size", strings.Replace(burst, "4 9 0 10 4 -1 -1 4", "4 9 0 10 3 -1 -1 3", 1), "flurries window=10 jobs=4 share=0.1", ""},
		{"another requested time", strings.Replace(burst, " 60 -1 1 1", " 90 -1 1 1", 1), "flurries window=10 jobs=4 share=0.1 alike=time", ""},
		{"an unknown application is one, too", strings.ReplaceAll(burst, " 1 1 1 1 1 -1 -1\n", " 1 1 -1 1 1 -1 -1\n"), filter, "1 2 3 4"},
		{"an unknown user is nobody", line(1, 0, -1, 1, 4) + line(2, 1, -1, 1, 4) + line(3, 2, -1, 1, 4) + line(4, 3, -1, 1, 4), filter, ""},
		// From 0 and from 3 there are four in ten seconds; 15 is in none of them.
		{"a burst goes on", burst + line(5, 12, 1, 1, 4) + line(6, 20, 1, 1, 4), filter, "1 2 3 4 5"},
		{"of unknown submission", "9 -1 0 10 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n" + burst, filter, "1 2 3 4"},
		// 4 stands behind 5 and counts as submitted with it, at 11.
		{"out of order", line(1, 0, 1, 1, 4) + line(2, 3, 1, 1, 4) + line(3, 3, 1, 1, 4) + other(5, 11) + line(4, 9, 1, 1, 4), filter, ""},
	} {
		got := clean(t, c.log, c.filter)
		var removed []string
		for _, r := range got.removed {
			removed = append(removed, fmt.Sprint(r.Job))
		}
		if s := strings.Join(removed, " "); s != c.removed {
			t.Errorf("%s: removed %q, want %q", c.name, s, c.removed)
		}
	}
}

// Reasons tell one burst from the next; the filter says when flurries are not
// rare.
func TestFlurriesReasons(t *testing.T) {
	log := line(1, 0, 7, 3, 4) + line(2, 1, 7, 3, 4) + line(3, 2, 8, -1, 1) + line(4, 100, 7, 3, 4) + line(5, 101.5, 7, 3, 4)
	got := clean(t, log, "flurries window=1m jobs=2 share=0.5")
	want := []string{
		"1/1: flurry 1: user=7 app=3 size=4: 2 of the 3 jobs in 1m from 0 s on",
		"2/2: flurry 1: user=7 app=3 size=4: 2 of the 3 jobs in 1m from 0 s on",
		"4/4: flurry 2: user=7 app=3 size=4: 2 of the 2 jobs in 1m from 100 s on",
		"5/5: flurry 2: user=7 app=3 size=4: 2 of the 2 jobs in 1m from 100 s on",
	}
	if d := cmp.Diff(want, reasons(got.removed)); d != "" {
		t.Error(d)
	}
	ws := got.Outcomes[0].Warnings.List()
	if len(ws) != 1 || ws[0].Rule != "flurries-not-rare" || !strings.Contains(ws[0].Text, "80%") {
		t.Errorf("warnings %v", ws)
	}
}

// With too many jobs for the hold the window is cut short, said so, and no
// more than the hold is held.
func TestFlurriesHold(t *testing.T) {
	var log strings.Builder
	for i := range 20 {
		log.WriteString(line(i+1, float64(i)/100, 1, 1, 1))
	}
	got := clean(t, log.String(), "flurries window=1h jobs=3 hold=5")
	if len(got.removed) != 20 {
		t.Errorf("removed %d of 20", len(got.removed))
	}
	ws := got.Outcomes[0].Warnings.List()
	if len(ws) == 0 || ws[0].Rule != "flurry-hold" || ws[0].Count != 15 {
		t.Errorf("warnings %v, want 15 windows cut short", ws)
	}
	// 20 jobs come before the first can go on, but never more than 5 wait.
	f := NewFlurries()
	f.Hold, f.Jobs, f.Share = 100, 100, 1
	in, out := 0, 0
	for range f.Apply(workload.Header{}, func(yield func(workload.Job, error) bool) {
		for i := range int64(1000) {
			in++
			if in-out > f.Hold+1 {
				t.Fatalf("%d jobs are held", in-out)
			}
			j := workload.UnknownJob()
			j.User, j.Submit = i, 0
			if !yield(j, nil) {
				return
			}
		}
	}, &Outcome{}) {
		out++
	}
	if out != 1000 {
		t.Errorf("%d of 1000 stay", out)
	}
}

// The filter against its definition: every window looked at by itself.
func TestFlurriesDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(20061, 2))
	for range 300 {
		f := &Flurries{Window: float64(1 + r.IntN(30)), Jobs: 2 + r.IntN(5), Share: r.Float64(), Alike: []string{"app"}, Hold: 1 << 10}
		var jobs []workload.Job
		at := 0.0
		for i := range int64(60) {
			at += float64(r.IntN(4))
			j := workload.UnknownJob()
			j.ID, j.Row, j.Submit, j.User, j.Application, j.Size = i, i, at, r.Int64N(3), r.Int64N(2), r.Int64N(9)
			if j.User == 2 {
				j.User = workload.Unknown
			}
			jobs = append(jobs, j)
		}
		want := map[int64]bool{}
		for i := range jobs {
			var alike []int64
			all := 0
			for k := i; k < len(jobs) && jobs[k].Submit < jobs[i].Submit+f.Window; k++ {
				all++
				if jobs[k].User != workload.Unknown && jobs[k].User == jobs[i].User && jobs[k].Application == jobs[i].Application {
					alike = append(alike, jobs[k].ID)
				}
			}
			if len(alike) >= f.Jobs && float64(len(alike)) >= f.Share*float64(all) {
				for _, id := range alike {
					want[id] = true
				}
			}
		}
		got := map[int64]bool{}
		o := &Outcome{tell: func(r Removal) error { got[r.Job] = true; return nil }}
		last := math.Inf(-1)
		for j, err := range f.Apply(workload.Header{}, workload.JobsOf(jobs), o) {
			if err != nil || j.Submit < last || got[j.ID] {
				t.Fatalf("job %d at %v: %v", j.ID, j.Submit, err)
			}
			last = j.Submit
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%v (-want +got):\n%s", f, d)
		}
	}
}
