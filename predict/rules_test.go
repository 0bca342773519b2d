package predict

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text := jobtest.Must(os.ReadFile(path))
	jobtest.NoError(t, json.Unmarshal(text, into))
}

// testdata/changes.json is made by changes.py with SciPy.
func TestRareRuns(t *testing.T) {
	var want struct{ Rows map[string][]int }
	readJSON(t, "testdata/changes.json", &want)
	if len(want.Rows) != 5 {
		t.Fatal("testdata/changes.json is empty")
	}
	for text, rows := range want.Rows {
		q := jobtest.Must(strconv.ParseFloat(text, 64))
		c := changeRule{quantile: q}
		for i, want := range rows {
			if got := c.run(i); got != want {
				t.Errorf("quantile %g, row %d: %d misses, want %d", q, i, got, want)
			}
		}
	}
}

// Three consecutive misses of independent waits trim the history, whatever came before, and it
// grows again at once. A series with an autocorrelation close to 1 has longer runs of misses
// (testdata/changes.json).
func TestChanges(t *testing.T) {
	alternating := func(n int) float64 { return float64(n%2*1000 + n) } // autocorrelation below 0
	rising := func(n int) float64 { return float64(n) }
	repeat := strings.Repeat
	for _, c := range []struct {
		name    string
		wait    func(n int) float64
		bounds  string // by wait: u no bound, h hit, m missed
		lengths []int  // lengths of the history after each trim
		last    int    // length of the history at the end
	}{
		{"no hold", alternating, repeat("h", 300) + "mmmmm", []int{59}, 61},
		{"misses go on", alternating, repeat("u", 100) + repeat("m", 9), []int{59, 59, 59}, 59},
		{"not in a row", alternating, repeat("u", 100) + "mmhmmummh", nil, 109},
		{"too few waits", alternating, repeat("u", 50) + repeat("m", 9), nil, 59},
		{"autocorrelated", rising, repeat("u", 100) + repeat("m", 22), nil, 122},
		{"autocorrelated, and many", rising, repeat("u", 100) + repeat("m", 100), []int{59, 59, 59, 59}, 67},
	} {
		h := history{rule: &changeRule{minimum: 59, quantile: 0.95}}
		var lengths []int
		for n, bound := range c.bounds {
			if h.add(c.wait(n), map[rune]float64{'u': math.NaN(), 'h': math.Inf(1), 'm': -1}[bound]) {
				lengths = append(lengths, len(h.waits))
			}
			for k, w := range h.waits {
				if w != c.wait(n+1-len(h.waits)+k) {
					t.Fatalf("%s: wait %d of the history after %d is %g", c.name, k, n+1, w)
				}
			}
		}
		if !slices.Equal(lengths, c.lengths) || len(h.waits) != c.last {
			t.Errorf("%s: histories of %v waits after trims, %d at the end; want %v and %d", c.name, lengths, len(h.waits), c.lengths, c.last)
		}
	}
}

// Jobs with three requested times wait about 10, 1000 and 100,000 s: QBETS finds the three
// groups, and bounds each by its own waits.
func TestQBETSFindsGroups(t *testing.T) {
	q := jobtest.Must(NewQBETS(0.95, 0.95, BoundOptions{}))
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
	any := waited(0, 0)
	if g := q.outer.at(&any.Request).of; !slices.Equal(g.tops, []float64{120, 7200}) {
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
	if got, ok := q.Predict(waited(0, 0).Request); ok {
		t.Errorf("a job without a requested time: %+v", got)
	}
}

// The values and the waits, 1 to 12, are the same in all cases; the division depends on which job
// waits how long. By hand, with the scores -ln(k/12) and the likelihood -n (ln(S/n) + 1) of a bin
// of n with the sum S: waits 1-4 have S = 6.7616, 5-8 2.5131 and 9-12 0.5570, likelihoods
// -6.0998, -2.1409 and 3.8858. Three bins: -4.3549 - (5/2) ln 12 = -10.567. Merging 1-8 (S =
// 9.2747) costs 0.9420, 5-12 (S = 3.0701) 2.0831, so the two bins 1-8 and 9-12 are next: -5.2969
// - (3/2) ln 12 = -9.0243. One bin (S = 9.8317): -9.6084 - (1/2) ln 12 = -10.851. Two bins win.
func TestDivideByWaitFollowsWaits(t *testing.T) {
	for _, c := range []struct {
		name  string
		value func(k int) int // value of the job that waits k, from 0
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
}

// Two bins of ten waits with a mean of 2 have a log-likelihood of -10 (ln 2 + 1) each, and three parameters.
func TestBICByHand(t *testing.T) {
	b := bin{n: 10, sum: 20}
	if got, want := bic([]bin{b, b}, 20), -20*(math.Ln2+1)-1.5*math.Log(20); math.Abs(got-want) > 1e-12 {
		t.Errorf("%g, want %g", got, want)
	}
}
