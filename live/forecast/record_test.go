package forecast_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/live/forecast"
)

// steady is one whose jobs wait 1 to 100 s, whatever runs, and run for 1000 s on
// one processor of ten, of which nine are never taken.
func steady(jobs int) string {
	var b strings.Builder
	b.WriteString("; MaxProcs: 10\n")
	for k := range jobs {
		fmt.Fprintf(&b, "%d %d %d 1000 1 -1 -1 1 2000 -1 1 1 1 1 1 1 -1 -1\n", k+1, 2000*k, 1+37*k%100)
	}
	return b.String()
}

// recommended are the predictors that are recommended, by size.
func recommended(a *forecast.Answer) map[int64]string {
	out := map[int64]string{}
	for i, p := range a.Predictions {
		if !p.Recommended {
			continue
		}
		out[p.Processors] += p.Predictor
		if i > 0 && a.Predictions[i-1].Processors == p.Processors {
			out[p.Processors] += " (not first)"
		}
	}
	return out
}

// Of the growing history the schedule by estimates covers all, and bounds from past
// waits nothing; of the steady one it is the other way round, as nobody waits for
// processors.
func TestRecommends(t *testing.T) {
	for _, c := range []struct {
		name, history, want string
		kept                bool
		coverage            map[string]float64
	}{
		{"growing", jobtest.OneAtATime(300, ""), "estimates", true, map[string]float64{"estimates": 1, "bmbp": 0}},
		{"steady", steady(300), "bmbp", true, map[string]float64{"estimates": 0, "bmbp": 1}},
		{"few", steady(50), "", true, map[string]float64{"estimates": 0}},
	} {
		q := query(t, running, c.history, forecast.StateOptions{At: "1e7"}, 2, 4)
		q.State, _ = forecast.ReadState(t.Context(), open(t, "state", strings.Replace(running, "11 0 100", "9999 9999900 0", 1)), forecast.StateOptions{At: "1e7"})
		q.Policy, q.Predictors, q.Time = "fcfs", []string{"estimates", "bmbp"}, 500
		a := ask(t, q)
		want := map[int64]string{2: c.want, 4: c.want}
		if c.want == "" {
			want = map[int64]string{}
		}
		if got := recommended(a); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: recommended %v, want %v in %+v", c.name, got, want, a.Predictions)
		}
		if r := a.Record; r == nil || r.Quantile != 0.95 || r.Kept != c.kept {
			t.Errorf("%s: %+v", c.name, r)
		}
		for predictor, share := range c.coverage {
			b := row(t, a, 2, predictor).Bounds[2]
			// A bound of bmbp covers 95 % or more; it is of 100 waits in turn.
			if got := float64(b.Coverage); b.Jobs == 0 || math.Abs(got-share) > 0.05 {
				t.Errorf("%s: %s covered %g of %d, want about %g", c.name, predictor, got, b.Jobs, share)
			}
		}
	}
}

// On an empty machine a request starts now, and no bound from past waits is recommended:
// the history is the one by which TestRecommends has bmbp recommended.
func TestNothingRecommendedOnAnEmptyMachine(t *testing.T) {
	q := query(t, running, steady(300), forecast.StateOptions{At: "1e7"}, 2, 4)
	q.State, _ = forecast.ReadState(t.Context(), open(t, "state", strings.Replace(running, "11 0 100 -1", "9999 0 0 100", 1)), forecast.StateOptions{At: "1e7"})
	q.Policy, q.Predictors, q.Time = "fcfs", []string{"estimates", "bmbp"}, 500
	a := ask(t, q)
	if !a.State.Empty() || a.Record == nil || len(recommended(a)) > 0 || row(t, a, 4, "estimates").Expected != 0 {
		t.Errorf("recommended %v in %+v", recommended(a), a)
	}
}

// Without past waits nobody is judged.
func TestNoRecord(t *testing.T) {
	queued := strings.Replace(running, "11 0 100", "11 150 -1", 1)
	q := query(t, queued, "; MaxProcs: 10\n", forecast.StateOptions{At: "200"}, 4)
	q.Policy = "fcfs"
	if a := ask(t, q); a.Record != nil || len(recommended(a)) > 0 || !math.IsNaN(float64(row(t, a, 4, "estimates").Bounds[0].Coverage)) {
		t.Errorf("%+v", a)
	}
}

// A request of a size of which there are few past waits has the bound of all
// sizes; with groups it is that without the last column.
func TestBacksOff(t *testing.T) {
	q := query(t, running, ended(), forecast.StateOptions{At: "200"}, 4, 5)
	q.Predictors = []string{"bmbp"}
	a := ask(t, q)
	if g := row(t, a, 5, "bmbp").Group; g != "all" {
		t.Errorf("5 processors: group %q, want all", g)
	}
	if g := row(t, a, 4, "bmbp").Group; g == "all" {
		t.Error("4 processors have no group of their own")
	}
	q.Groups = []string{"user_id", "size"}
	if g := row(t, ask(t, q), 4, "bmbp").Group; g != "all" {
		t.Errorf("no user: group %q, want all", g)
	}
}

// Twelve waits of a queue bound 75 % of it; 95 % takes all jobs' waits, which are
// shorter, and is not below that.
func TestBoundsAscend(t *testing.T) {
	var b strings.Builder
	b.WriteString("; MaxProcs: 10\n")
	for k := range 600 {
		queue, wait := 1, 5
		if k%50 == 0 {
			queue, wait = 2, 500
		}
		fmt.Fprintf(&b, "%d %d %d 10 1 -1 -1 1 20 -1 1 1 1 1 %d 1 -1 -1\n", k+1, 1000*k, wait, queue)
	}
	q := query(t, strings.Replace(running, "11 0 100", "9999 9999900 0", 1), b.String(), forecast.StateOptions{At: "1e7"}, 1)
	q.Groups, q.Queue, q.Predictors, q.Quantiles = []string{"queue_id"}, "2", []string{"bmbp"}, []float64{0.5, 0.75, 0.95}
	bounds := row(t, ask(t, q), 1, "bmbp").Bounds
	for i, group := range []string{"queue_id=2", "queue_id=2", "all"} {
		if bounds[i].Group != group || bounds[i].Seconds != 500 {
			t.Errorf("%+v, want 500 s of group %s", bounds[i], group)
		}
	}
}

// A conformal bound knows who runs and waits at the moment of the state: behind a
// long queue it is another one than on an empty machine.
func TestConformalSeesTheState(t *testing.T) {
	var past, queue strings.Builder
	past.WriteString("; MaxProcs: 10\n")
	// Every other day a queue of 50 builds up, whose jobs wait 1000 s for each ahead.
	id := 0
	for day := range 40 {
		for k := range 50 {
			id++
			wait := 0
			if day%2 == 1 {
				wait = 1000 * k
			}
			fmt.Fprintf(&past, "%d %d %d 900 10 -1 -1 10 1000 -1 1 1 1 1 1 1 -1 -1\n", id, 86400*day+10*k+1000*k*((day+1)%2), wait)
		}
	}
	queue.WriteString("; MaxProcs: 10\n99991 3456000 0 -1 10 -1 -1 10 1000 -1 -1 1 1 1 1 1 -1 -1\n")
	empty := queue.String()
	for k := range 40 {
		fmt.Fprintf(&queue, "%d %d -1 -1 10 -1 -1 10 1000 -1 -1 1 1 1 1 1 -1 -1\n", 100000+k, 3456010+10*k)
	}
	bound := func(state string) float64 {
		q := query(t, state, past.String(), forecast.StateOptions{At: "3456410"}, 10)
		q.Predictors, q.Quantiles, q.Time = []string{"conformal"}, []float64{0.95}, 1000
		return float64(row(t, ask(t, q), 10, "conformal").Bounds[0].Seconds)
	}
	if few, many := bound(empty), bound(queue.String()); !(many > 2*few) {
		t.Errorf("behind nobody %g s, behind 40 jobs %g s", few, many)
	}
}

// largeWait is a history on ten processors. In each cycle 48 jobs of one processor wait 1
// to 100 s though all processors are free. Then come two jobs of ten processors: the first
// starts at once, and the second waits 49999 s for its end, as the estimates say.
func largeWait(cycles int) string {
	var b strings.Builder
	b.WriteString("; MaxProcs: 10\n")
	id := 0
	job := func(submit, wait, run, size int) {
		id++
		fmt.Fprintf(&b, "%d %d %d %d %d -1 -1 %[5]d 50000 -1 1 1 1 1 1 1 -1 -1\n", id, submit, wait, run, size)
	}
	for c := range cycles {
		start := 160000 * c
		for k := range 48 {
			job(start+2000*k, 1+37*id%100, 10, 1)
		}
		job(start+100000, 0, 50000, 10)
		job(start+100001, 49999, 10, 10)
	}
	return b.String()
}

// aboutLarge asks about small and large jobs on the machine of largeWait, after all of it.
func aboutLarge(t *testing.T, cycles int, predictors ...string) *forecast.Answer {
	t.Helper()
	state := strings.Replace(running, "11 0 100", "99999 19999900 0", 1)
	q := query(t, state, largeWait(cycles), forecast.StateOptions{At: "2e7"}, 1, 10)
	q.Policy, q.Predictors, q.Time, q.Judged = "fcfs", predictors, 500, 9000
	return ask(t, q)
}

// Every twenty-fifth job is large, and QBETS, which does not look at sizes, covers
// 95 % of all jobs but half of the large ones; the estimates cover all large jobs, and no
// small one.
func TestRecommendsBySimilarSize(t *testing.T) {
	a := aboutLarge(t, 100, "estimates", "qbets")
	if got, want := recommended(a), (map[int64]string{1: "qbets", 10: "estimates"}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("recommended %v, want %v", got, want)
	}
	// The first tenth of the jobs of each group is for training: of 4800 small ones, and of
	// 200 large ones and the one that runs, which did not wait.
	want := []forecast.SizeRecord{{1, "size<=4", 4320, 4320, true}, {10, "size=5-16", 181, 181, true}}
	if r := a.Record; fmt.Sprint(r.Sizes) != fmt.Sprint(want) || !r.Kept {
		t.Errorf("%+v, want sizes %+v", r, want)
	}
	b := row(t, a, 10, "qbets").Bounds[2]
	if b.Coverage < 0.95 || b.SimilarCoverage != 91./181 || b.SimilarJobs != 181 {
		t.Errorf("qbets: %+v, want 0.95 or more of all jobs and 91 of 181 large ones covered", b)
	}
	if b := row(t, a, 10, "estimates").Bounds[2]; b.SimilarCoverage != 1 || b.SimilarLoss != 0 || b.Coverage > 0.05 {
		t.Errorf("estimates: %+v, want all large jobs covered and hardly any other", b)
	}
	if slices.Contains(rules(a), "similar-not-covered") {
		t.Errorf("warned: %+v", a.Warnings)
	}
}

// If no predictor keeps its promise for large jobs, a warning says so, of that size alone.
func TestWarnsOfSimilarSize(t *testing.T) {
	a := aboutLarge(t, 100, "qbets")
	if r := a.Record; !r.Sizes[0].Kept || r.Sizes[1].Kept || r.Kept {
		t.Errorf("%+v: want it kept for 1 processor only", r)
	}
	var warned []string
	for _, w := range a.Warnings {
		if w.Rule == "similar-not-covered" {
			warned = append(warned, w.Text)
		}
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "10 processors: ") || !strings.Contains(warned[0], "50.3% of 181 waits") {
		t.Errorf("warned %q", warned)
	}
}

// Of eleven cycles 21 large jobs are judged: 22 and the one that runs, without the first
// tenth. Ten cycles have 19, and the record is that of all sizes.
func TestFewSimilarJobs(t *testing.T) {
	for cycles, want := range map[int]forecast.SizeRecord{11: {10, "size=5-16", 21, 21, false}, 10: {10, "", 451, 451, true}} {
		a := aboutLarge(t, cycles, "qbets")
		got, b := a.Record.Sizes[1], row(t, a, 10, "qbets").Bounds[2]
		if got != want {
			t.Errorf("%d cycles: %+v, want %+v", cycles, got, want)
		}
		if want.Group == "" && (b.SimilarJobs != 0 || !math.IsNaN(float64(b.SimilarCoverage))) {
			t.Errorf("%d cycles: %+v", cycles, b)
		}
	}
}
