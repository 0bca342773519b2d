package predict

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/predict/internal/series"
)

func published(quantile float64, minimum int) changes {
	rules := newChangeRules(TrimPublished, quantile, minimum)
	return rules.changes()
}

func TestRunLimits(t *testing.T) {
	for _, c := range []struct {
		rho          float64
		misses, hits int
	}{
		{-1, 3, 174}, {-0.01, 3, 174}, {math.NaN(), 3, 174},
		{0, 3, 179}, {0.05, 3, 179}, {0.15, 3, 186}, {0.25, 4, 194}, {0.34, 4, 210}, {0.5, 6, 254},
		{0.85, 14, 629}, {0.93, 28, 3648}, {1, 28, 3648},
	} {
		if m, h := runLimits(c.rho); m != c.misses || h != c.hits {
			t.Errorf("rho %g: %d misses, %d hits; want %d, %d", c.rho, m, h, c.misses, c.hits)
		}
	}
}

// waitSeries returns 100 waits whose autocorrelation is in a row of the tables:
// below 0, from 0.1 to 0.2, or above 0.9.
func waitSeries(t *testing.T, row string) []float64 {
	t.Helper()
	between := map[string][2]float64{"below 0": {-1, 0}, "0.1": {0.1, 0.2}, "0.9": {0.9, 1}}[row]
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		waits := make([]float64, 100)
		for i := range waits {
			switch row {
			case "below 0":
				waits[i] = float64(1000 * (i % 2)) // up and down
			case "0.1":
				waits[i] = rng.ExpFloat64()
			default:
				waits[i] = float64(i) // rising
			}
		}
		if rho := new(series.Autocorrelation).Of(waits); rho >= between[0] && rho < between[1] {
			return waits
		}
	}
	t.Fatalf("no series found for row %s", row)
	return nil
}

func TestChangesByHand(t *testing.T) {
	run := func(what string, n int) string { return strings.Repeat(what, n) }
	for _, c := range []struct {
		name string
		row  string // of the tables
		// What came of one bound after another: u there was none, h hit, m miss.
		verdicts string
		trims    []int // after which of them, from 1, the history is trimmed
	}{
		{"two misses", "below 0", run("u", 100) + "mm" + run("h", 10), nil},
		{"three misses", "below 0", run("u", 100) + "mmm" + run("h", 10), []int{103}},
		{"three misses, not in a row", "below 0", run("u", 100) + "mmhmm" + "ummu", nil},
		// The run goes on, but the next trim has to wait for more than 59 - 3
		// waits: for the 57th.
		{"misses go on", "below 0", run("u", 100) + run("m", 120), []int{103, 160, 217}},
		{"too soon", "below 0", run("u", 53) + "mmmm" + run("h", 10), []int{57}},
		// Autocorrelated waits miss in runs: 28 of them are needed.
		{"27 misses", "0.9", run("u", 100) + run("m", 27) + "h", nil},
		{"28 misses", "0.9", run("u", 100) + run("m", 28) + "h", []int{128}},
		{"hits", "below 0", run("h", 400), []int{174, 348}},
		// 186 hits, and then as many again.
		{"hits, a little autocorrelated", "0.1", run("h", 400), []int{186, 372}},
		{"hits, autocorrelated", "0.9", run("h", 3647), nil},
		{"many hits, autocorrelated", "0.9", run("h", 3648), []int{3648}},
		{"hits with a miss", "below 0", run("h", 173) + "m" + run("h", 173), nil},
		// After a trim for misses, 174 waits have to come before one for hits.
		{"hits after misses", "below 0", run("h", 100) + "mmm" + run("h", 200), []int{103, 277}},
		// A trim for hits does not keep one for misses from following.
		{"misses after hits", "below 0", run("h", 174) + "mmm", []int{174, 177}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ch := published(tableQuantile, 59)
			waits := waitSeries(t, c.row)
			var trims []int
			since := 0
			for i, v := range c.verdicts {
				hold := ch.observe(waits, map[rune]verdict{'u': unbounded, 'h': hit, 'm': miss}[v])
				since++
				if ch.sinceTrim == 0 {
					trims = append(trims, i+1)
					since = 0
				}
				// Held at the minimum until 59 waits have come, also the first.
				if want := since < 59; hold != want {
					t.Fatalf("after %d waits, %d since the last trim: hold is %v", i+1, since, hold)
				}
			}
			if !slices.Equal(trims, c.trims) {
				t.Errorf("trims after %v, want %v", trims, c.trims)
			}
		})
	}
}

// A history grows; at a change it is cut to the last 59 waits and keeps that
// length until 59 more have come.
func TestHistory(t *testing.T) {
	h := history{changes: published(tableQuantile, 59)}
	n := 0
	add := func(bound float64) bool {
		n++
		return h.add(float64(n%2*1000+n), bound) // up and down
	}
	for range 150 {
		if add(math.NaN()) {
			t.Fatalf("cut after %d waits", n)
		}
	}
	add(0)
	add(0)
	if len(h.waits) != 152 {
		t.Fatalf("length %d after 152 waits", len(h.waits))
	}
	for i := range 59 { // the third miss, and 58 waits on
		if !add(0) || len(h.waits) != 59 {
			t.Fatalf("length %d, %d waits after the change", len(h.waits), i)
		}
		for k, w := range h.waits {
			if at := n - 58 + k; w != float64(at%2*1000+at) {
				t.Fatalf("wait %d of the history is %g", k, w)
			}
		}
		h.changes.misses = 0 // the run ends with the third
	}
	if add(math.NaN()) || len(h.waits) != 60 {
		t.Fatalf("length %d, 59 waits after the change; want 60", len(h.waits))
	}
}

// The tables hold for one quantile; at others nothing is dropped.
func TestNoTable(t *testing.T) {
	ch := published(0.9, 29)
	waits := waitSeries(t, "below 0")
	for range 500 {
		if ch.observe(waits, miss) {
			t.Fatal("history held without a table")
		}
	}
}
