package judge

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Table has a row for each measure, with a value for each seed.
type Table struct{ rows []*row }

type row struct {
	name     string
	from, to float64 // bounds of the median
	judged   bool
	values   []float64
}

// Add adds a seed's value to the named row. The row's median must be between
// the bounds.
func (t *Table) Add(name string, from, to, x float64) { t.add(name, from, to, true, x) }

// Show adds a seed's value to a row that is reported without being judged.
func (t *Table) Show(name string, x float64) { t.add(name, math.NaN(), math.NaN(), false, x) }

func (t *Table) add(name string, from, to float64, judged bool, x float64) {
	i := slices.IndexFunc(t.rows, func(r *row) bool { return r.name == name })
	if i < 0 {
		i = len(t.rows)
		t.rows = append(t.rows, &row{name: name, from: from, to: to, judged: judged})
	}
	t.rows[i].values = append(t.rows[i].values, x)
}

// Compare adds the comparison of a seed's workload with its log. The ratio of waits or
// slowdowns must be within the factor that within returns; 0 means that it is not judged.
func (t *Table) Compare(log, made *Workload, within func(r score.VerdictRow) float64) {
	for _, r := range score.CompareTraits(log.traits, made.traits) {
		b, bounded := bounds[r.Name]
		x := float64(r.Compared)
		switch {
		case r.Why == score.UnknownOfBoth:
		case bounded:
			t.Add(r.Name, b[0], b[1], x)
		case slices.Contains(scheduled, r.Name):
			name := fmt.Sprintf("%s, %s, %s", r.Name, r.Policy, r.Loop)
			if f := within(r); f > 0 {
				t.Add(name, 1/f, f, x)
			} else {
				t.Show(name, x)
			}
		}
	}
	c := score.Compare(log.profile, made.profile)
	t.Add("serial jobs", -.01, .01, float64(c.B.Serial-c.A.Serial))
	t.Add("powers of two", -.01, .01, float64(c.B.PowerOfTwo-c.A.PowerOfTwo))
}

// bounds holds the bounds of traits, by their names in a verdict.
var bounds = map[string][2]float64{
	"offered_load":               {.98, 1.02},
	"run_time_ln_lag_1":          {-.1, .1},
	"same_user_as_before":        {-.1, .1},
	"dispersion_5_min":           {1 / 1.5, 1.5},
	"dispersion_1_h":             {1 / 1.5, 1.5},
	"dispersion_1_d":             {1 / 1.5, 1.5},
	"run_time_s":                 {0, .05},
	"size_processors":            {0, .05},
	"interarrival_s":             {0, .05},
	"estimate_accuracy":          {0, .1},
	"estimate_accuracy_mean":     {-.1, .1},
	"estimate_reached_share":     {-.02, .02},
	"estimate_run_time_spearman": {-.1, .1},
}

// scheduled lists the names of the rows that are compared for each schedule.
var scheduled = []string{"wait_mean_s", "wait_q90_s", Slowdown}

// Slowdown is the name of the rows of the mean bounded slowdown.
const Slowdown = "bounded_slowdown_mean"

// Report logs the rows. It reports an error for a median outside its bounds that is not a
// known miss, and for a known miss whose median is within its bounds.
func (t *Table) Report(tb testing.TB, knownMisses []string) {
	tb.Helper()
	for _, r := range t.rows {
		tb.Logf("%-52s %7.3f (%.3f to %.3f)", r.name, r.median(), slices.Min(r.values), slices.Max(r.values))
	}
	for _, fault := range t.faults(knownMisses) {
		tb.Error(fault)
	}
}

func (t *Table) faults(knownMisses []string) (faults []string) {
	missed := map[string]bool{}
	for _, r := range t.rows {
		m := r.median()
		if !r.judged || m >= r.from && m <= r.to {
			continue
		}
		missed[r.name] = true
		if !slices.Contains(knownMisses, r.name) {
			faults = append(faults, fmt.Sprintf("%s: median %.3f, want %.2f to %.2f", r.name, m, r.from, r.to))
		}
	}
	for _, name := range knownMisses {
		if !missed[name] {
			faults = append(faults, fmt.Sprintf("%s: within its bounds or not judged, want it out of the known misses", name))
		}
	}
	return faults
}

func (r *row) median() float64 { return stats.Quantile(slices.Sorted(slices.Values(r.values)), .5) }
