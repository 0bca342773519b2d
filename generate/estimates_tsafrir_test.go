package generate

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// estimatesReference is testdata/estimates.json, by testdata/estimates.py.
type estimatesReference struct {
	Cases []struct {
		TsafrirModel
		K           int       `json:"distinct"` // shadows the model's, which is 0
		Head        []float64 `json:"head_s"`
		HeadPercent []float64 `json:"head_percent"`
		Ranks       []int
		Tail        []float64 `json:"tail_s"`
		TailPercent []float64 `json:"tail_percent"`
		Counts      []int64
	}
	RankLaws []struct {
		Times int
		Fixed []int
		Law   [][]float64
	} `json:"rank_laws"`
	Assignments []struct {
		Runs []float64
		Bins Bins
		Law  []struct {
			Estimates []float64
			P         float64
		}
	}
}

func readEstimatesReference(t *testing.T) (r estimatesReference) {
	t.Helper()
	b, err := os.ReadFile("testdata/estimates.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Cases) == 0 || len(r.RankLaws) == 0 || len(r.Assignments) == 0 {
		t.Fatal("an empty reference")
	}
	return r
}

// same compares numbers of which only rounding may differ.
func same(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(g, w float64) bool { return math.Abs(g-w) <= 1e-12*math.Abs(w) })
}

// What is not left to chance is as the reference has it: times and ranks
// exactly, shares to rounding, and the counts of all bins exactly.
func TestTsafrirReference(t *testing.T) {
	for _, c := range readEstimatesReference(t).Cases {
		m := c.TsafrirModel
		name := fmt.Sprintf("%d jobs, %g s, %d given", m.Jobs, m.Max, len(m.Given))
		h := m.head()
		if k := m.distinct(); k != c.K {
			t.Errorf("%s: %d bins, want %d", name, k, c.K)
		}
		if !slices.Equal(h.times, c.Head) {
			t.Errorf("%s: head %v, want %v", name, h.times, c.Head)
		}
		if !same(h.percents, c.HeadPercent) || !slices.Equal(h.ranks, c.Ranks) {
			t.Errorf("%s: shares %v, ranks %v, want %v, %v", name, h.percents, h.ranks, c.HeadPercent, c.Ranks)
		}
		tail := m.tailTimes(h.times)
		if !slices.Equal(tail, c.Tail) {
			t.Errorf("%s: tail %v, want %v", name, tail, c.Tail)
		}
		if got := tailPercents(len(tail)); !same(got, c.TailPercent) {
			t.Errorf("%s: tail's shares %v, want %v", name, got, c.TailPercent)
		}
		for seed := range uint64(5) {
			bins, err := m.Draw(seed, "")
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := bins.Validate(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var counts []int64
			given := 0
			for _, b := range bins {
				if !slices.Contains(c.Head, b.Time) && !slices.Contains(c.Tail, b.Time) {
					t.Errorf("%s: %g s is neither of the head nor of the tail", name, b.Time)
				}
				if slices.Contains(m.Given, b) {
					given++
				} else {
					counts = append(counts, b.Jobs)
				}
			}
			slices.SortFunc(counts, func(a, b int64) int { return int(b - a) })
			if given != len(m.Given) || !slices.Equal(counts, c.Counts) {
				t.Errorf("%s: %d given, others %v, want %d, %v", name, given, counts, len(m.Given), c.Counts)
			}
			if bins.Jobs() != m.Jobs || bins.Max() > m.Max {
				t.Errorf("%s: %d jobs, at most %g s", name, bins.Jobs(), bins.Max())
			}
		}
	}
}

// The ranks' law is the one that the reference enumerates. By hand: the second
// time draws twice from 3, 3, 4 and 6, and takes the smaller.
func TestTsafrirRanks(t *testing.T) {
	const n = 20_000
	laws := readEstimatesReference(t).RankLaws
	if got := laws[0].Law[1][:6]; !slices.Equal(got, []float64{0, 0, 3. / 4, 3. / 16, 0, 1. / 16}) {
		t.Fatalf("the reference has %v", got)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, law := range laws {
		counts := make([]map[int64]int, law.Times)
		for i := range counts {
			counts[i] = map[int64]int{}
		}
		h := head{times: make([]float64, law.Times), ranks: law.Fixed}
		for range n {
			ranks := h.drawRanks(rng)
			for row, rank := range ranks {
				counts[row][int64(rank)]++
			}
			slices.Sort(ranks)
			for i, rank := range ranks {
				if rank != i+1 {
					t.Fatalf("ranks %v", ranks)
				}
			}
		}
		for row, p := range law.Law {
			checkRankCounts(t, fmt.Sprintf("%d times, given %v: rank of time %d", law.Times, law.Fixed, row), counts[row], append([]float64{0}, p...), n)
		}
	}
}

// checkRankCounts is checkCounts, which has no test for a single cell.
func checkRankCounts(t *testing.T, what string, counts map[int64]int, p []float64, n int) {
	t.Helper()
	if at := slices.IndexFunc(p, func(p float64) bool { return p > 1-1e-12 }); at >= 0 {
		if counts[int64(at)] != n {
			t.Errorf("%s: %v, want always %d", what, counts, at)
		}
		return
	}
	checkCounts(t, what, counts, p, n)
}

func TestTsafrirErrors(t *testing.T) {
	ok := TsafrirModel{Jobs: 1000, Max: hour}
	with := func(f func(*TsafrirModel)) TsafrirModel { m := ok; f(&m); return m }
	given := func(b ...Bin) TsafrirModel { m := ok; m.Given = b; return m }
	many := make([]Bin, 20)
	for i := range many {
		many[i] = Bin{float64(i + 1), 1}
	}
	for name, m := range map[string]TsafrirModel{
		"no jobs":              with(func(m *TsafrirModel) { m.Jobs = 0 }),
		"too many jobs":        with(func(m *TsafrirModel) { m.Jobs = math.MaxInt64 }),
		"maximum NaN":          with(func(m *TsafrirModel) { m.Max = math.NaN() }),
		"maximum below 1 h":    with(func(m *TsafrirModel) { m.Max = 3599 }),
		"maximum of parts":     with(func(m *TsafrirModel) { m.Max = 3600.5 }),
		"maximum infinite":     with(func(m *TsafrirModel) { m.Max = math.Inf(1) }),
		"negative distinct":    with(func(m *TsafrirModel) { m.Distinct = -1 }),
		"distinct and law":     with(func(m *TsafrirModel) { m.Distinct, m.PowerLaw = 30, true }),
		"given above maximum":  given(Bin{3601, 1}),
		"given NaN":            given(Bin{math.NaN(), 1}),
		"given without jobs":   given(Bin{60, 0}),
		"given negative":       given(Bin{60, -5}),
		"given twice":          given(Bin{60, 1}, Bin{60, 2}),
		"given parts":          given(Bin{60.5, 1}),
		"given more than jobs": given(Bin{60, 600}, Bin{120, 401}),
		"20 without maximum":   given(many...),
	} {
		var e *workload.OptionError
		if bins, err := m.Draw(1, ""); !errors.As(err, &e) || e.Want == "" || bins != nil {
			t.Errorf("%s: %v, %v", name, bins, err)
		}
	}
	// Given bins that leave no other estimate, and do not sum to the jobs.
	m := TsafrirModel{Jobs: 100, Max: 20, Given: nil}
	for i := range 20 {
		m.Given = append(m.Given, Bin{float64(i+1) * 300, 2})
	}
	m.Max = 6000
	if _, err := m.Draw(1, ""); err == nil {
		t.Error("40 of 100 jobs given, no other bin: no error")
	}
	if _, err := ok.Draw(1, ""); err != nil {
		t.Error(err)
	}
}
