package predict

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// testdata/changes.json is made by changes.py with SciPy.
func TestMissLimits(t *testing.T) {
	var want struct{ Rows map[string][]int }
	readJSON(t, "testdata/changes.json", &want)
	if len(want.Rows) != 5 {
		t.Fatal("testdata/changes.json is empty")
	}
	for text, rows := range want.Rows {
		q, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		m := missLimits{quantile: q}
		for i, want := range rows {
			if got := m.row(i); got != want {
				t.Errorf("quantile %g, row %d: %d misses, want %d", q, i, got, want)
			}
		}
	}
}

// The confidence that the authors' rank has, as their group's text gives it.
func TestAuthorsRank(t *testing.T) {
	for n, want := range map[int]float64{59: 0.801, 100: 0.882, 200: 0.938, 500: 0.944} {
		ranks, err := stats.NewUpperRanks(0.95, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		theorem, _ := ranks.At(n)
		o, ok := authorsRank(ranks, 0.95, 0.95)(n)
		if !ok || o.Rank != theorem.Rank-1 || math.Abs(o.Achieved-want) > 0.0006 {
			t.Errorf("%d waits: rank %d achieving %.4f, want %d and %.3f", n, o.Rank, o.Achieved, theorem.Rank-1, want)
		}
	}
	// Above 500: floor(1000 0.95 + 1.6449 sqrt(47.5) + 0.5) = floor(961.84).
	ranks, _ := stats.NewUpperRanks(0.95, 0.95)
	if o, _ := authorsRank(ranks, 0.95, 0.95)(1000); o.Rank != 961 {
		t.Errorf("1000 waits: rank %d, want 961", o.Rank)
	}
}

// By the default rule three misses of independent waits trim, whatever came
// before, and the history grows again at once.
func TestTrimOnMisses(t *testing.T) {
	rules := newChangeRules(TrimOnMisses, 0.95, 59)
	h := history{changes: rules.changes()}
	n := 0
	add := func(bound float64) bool { // waits up and down: autocorrelation below 0
		n++
		return h.add(float64(n%2*1000+n), bound)
	}
	for range 300 {
		if add(math.Inf(1)) {
			t.Fatal("a run of hits trims")
		}
	}
	var trims [5]bool
	for i := range trims[:3] {
		trims[i] = add(0)
	}
	if trims != [5]bool{2: true} {
		t.Error("not trimmed by the third miss alone")
	}
	if len(h.waits) != 59 {
		t.Errorf("history of %d waits, want 59", len(h.waits))
	}
	trims[3], trims[4] = add(0), add(0)
	if trims != [5]bool{2: true} || len(h.waits) != 61 {
		t.Errorf("history of %d waits after two more, want 61: no hold", len(h.waits))
	}
	never := newChangeRules(TrimNever, 0.95, 59)
	h = history{changes: never.changes()}
	for range 300 {
		if add(0) {
			t.Fatal("trimmed by a rule that never does")
		}
	}
	if got := fmt.Sprint(TrimOnMisses, TrimPublished, TrimNever, ChangeRule(9)); got != "misses published never invalid" {
		t.Errorf("names: %s", got)
	}
}

// Groups by any column: the waits of one queue are not the other's.
func TestGroupsByColumn(t *testing.T) {
	classes, err := workload.NewClassifier([]workload.ClassColumn{{Column: "queue_id"}})
	if err != nil {
		t.Fatal(err)
	}
	o := BoundOptions{Groups: classes}
	b, _ := NewBMBP(0.95, 0.95, o)
	c, _ := NewChebyshev(0.95, 0.95, o)
	for _, p := range []BoundPredictor{b, c} {
		one, two := waited(0, 5), waited(0, 7)
		one.Queue, two.Queue = 1, 2
		for range 59 {
			p.Observe(one, NoBound())
		}
		if got, ok := p.Predict(one.Request); !ok || got.Seconds != 5 || got.Group != "queue_id=1" {
			t.Errorf("%s: %+v", p.Name(), got)
		}
		if got, ok := p.Predict(two.Request); ok || got.Observations != 0 || got.Group != "queue_id=2" {
			t.Errorf("%s: %+v, want nothing known", p.Name(), got)
		}
	}
}

// Jobs of three requested times wait about 10, 1000 and 100,000 s: QBETS finds
// the three, and bounds each by its own.
func TestQBETSFindsGroups(t *testing.T) {
	q, err := NewQBETS(0.95, 0.95, BoundOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 5))
	times := []float64{60, 120, 3600, 7200, 50000, 90000}
	levels := []float64{10, 10, 1000, 1000, 1e5, 1e5}
	for range 1500 {
		i := rng.IntN(len(times))
		j := waited(0, levels[i]*(1+0.2*rng.Float64()))
		j.Time = times[i]
		given, _ := q.Predict(j.Request)
		q.Observe(j, given)
	}
	g := q.outer.at(&waitedPointer().Request).of
	if !slices.Equal(g.tops, []float64{120, 7200}) {
		t.Errorf("ranges end at %v, want 120 and 7200", g.tops)
	}
	for i, at := range times {
		j := waited(0, 0)
		j.Time = at
		got, ok := q.Predict(j.Request)
		if !ok || got.Seconds < levels[i] || got.Seconds > 1.2*levels[i] {
			t.Errorf("requested %g s: bound %g (%v), want %g to %g", at, got.Seconds, ok, levels[i], 1.2*levels[i])
		}
	}
	unknown := waited(0, 0)
	if got, ok := q.Predict(unknown.Request); ok {
		t.Errorf("a job without a requested time: %+v", got)
	}
	if _, err := NewQBETS(0.95, 1, BoundOptions{}); err == nil {
		t.Error("a confidence of 1: no error")
	}
}

func waitedPointer() *workload.Job { j := waited(0, 0); return &j }

// The values are the same and so are the waits, 1 to 12; who waits how long
// decides the division. By hand, with the scores -ln(k/12) and the likelihood
// -n (ln(S/n) + 1) of a bin of n with the sum S: waits 1-4 have S = 6.7616, 5-8
// 2.5131 and 9-12 0.5570, likelihoods -6.0998, -2.1409 and 3.8858. Three bins:
// -4.3549 - (5/2) ln 12 = -10.567. Merging 1-8 (S = 9.2747) costs 0.9420, 5-12
// (S = 3.0701) 2.0831, so the two of 1-8 and 9-12 are next: -5.2969 - (3/2)
// ln 12 = -9.0243. One (S = 9.8317): -9.6084 - (1/2) ln 12 = -10.851. Two win.
func TestDivideByWaitFollowsWaits(t *testing.T) {
	for _, c := range []struct {
		name  string
		value func(k int) int // of the job that waits k, from 0
		want  []float64
	}{
		{"long waits for large values", func(k int) int { return 1 + k/4 }, []float64{2}},
		{"long waits for small values", func(k int) int { return 3 - k/4 }, []float64{1}},
		{"any waits for all values", func(k int) int { return 1 + k%3 }, nil},
	} {
		var waits []qbetsWait
		for k := range 12 {
			waits = append(waits, qbetsWait{value: float64(c.value(k)), wait: float64(1 + k)})
		}
		if got := divideByWait(mergeByWait(nil, waits, 0)); !slices.Equal(got, c.want) {
			t.Errorf("%s: ranges end at %v, want %v", c.name, got, c.want)
		}
	}
	// One job alone with the longest wait of all is no range of its own.
	waits := []qbetsWait{{value: 9, wait: 100}}
	for k := range 12 {
		waits = append(waits, qbetsWait{value: 1, wait: float64(1 + k)})
	}
	if got := divideByWait(mergeByWait(nil, waits, 0)); len(got) != 0 {
		t.Errorf("one job with the longest wait: ranges end at %v, want none", got)
	}
}

// 100 jobs of an hour wait 1 to 100 s, 100 of ten hours 1001 to 1100 s. The bound
// of 100 waits is the 99th: 0.95^100 + 100 0.05 0.95^99 = 0.037. BMBP of all 200
// gives short jobs the bound of the long ones, QBETS their own.
func TestQBETSBoundsByWait(t *testing.T) {
	q, _ := NewQBETS(0.95, 0.95, BoundOptions{})
	b, _ := NewBMBP(0.95, 0.95, BoundOptions{})
	jobs := [2]workload.Job{}
	for k := range 100 {
		for i := range jobs { // longest first, so that no bound is missed
			j := waited(0, float64(100-k+1000*i))
			j.Time = []float64{3600, 36000}[i]
			jobs[i] = j
			for _, p := range []BoundPredictor{q, b} {
				given, _ := p.Predict(j.Request)
				p.Observe(j, given)
			}
		}
	}
	for i, want := range []float64{99, 1099} {
		if got, ok := q.Predict(jobs[i].Request); !ok || got.Seconds != want || got.Observations != 100 || got.Rank != 99 {
			t.Errorf("qbets: %+v, want rank 99 of 100: %g s", got, want)
		}
		if got, ok := b.Predict(jobs[i].Request); !ok || got.Seconds < 1050 || got.Observations != 200 {
			t.Errorf("bmbp: %+v, want the bound of the long waits", got)
		}
	}
}

// 0 and -0 are one value.
func TestBinsByValue(t *testing.T) {
	bins := binsByValue([]qbetsWait{{value: 5, wait: 1}, {value: 0, wait: 2}, {value: math.Copysign(0, -1), wait: 3}})
	if len(bins) != 2 || bins[0].top != 0 || bins[0].n != 2 || bins[1].top != 5 || bins[1].n != 1 {
		t.Errorf("bins %+v, want two jobs of 0 and one of 5", bins)
	}
}
