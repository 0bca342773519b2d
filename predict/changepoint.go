package predict

import "github.com/loadstone-hpc/loadstone/predict/internal/series"

// The change-point rules of BMBP, as the authors' programs have them. Brevik,
// Nurmi and Wolski (2006), "Predicting bounds on queuing delay for
// batch-scheduled parallel machines"; Nurmi, Brevik and Wolski (2007), "QBETS:
// queue bounds estimation from time series". The tables hold for the quantile
// tableQuantile alone. They are by the lag-1 autocorrelation of the waits, in
// steps of 0.1 from 0 to 1, and were made by simulating AR(1) series:
//
//   - missRun is how many waits in a row above their bounds are a rare event
//     (probability 0.00012);
//   - hitRun is how many in a row not above are as rare: the bound is too high.
var (
	missRun = [...]int{3, 3, 4, 4, 5, 6, 8, 10, 14, 28, 28}
	hitRun  = [...]int{174, 179, 186, 194, 210, 233, 254, 305, 400, 629, 3648}
)

const tableQuantile = 0.95

// ChangeRule determines when older waits no longer count.
type ChangeRule uint8

// The rules.
const (
	// TrimOnMisses drops all but the most recent waits after a run of waits
	// above their bounds, at any quantile. It is the default because it
	// reached the requested coverage on every log with real waits on which it
	// was tried, which the published rule did not.
	TrimOnMisses ChangeRule = iota
	// TrimPublished is the rule of the authors' programs: it also trims after
	// runs of hits, and then holds the history at its minimum until as many
	// new waits have come. Its tables are for the quantile 0.95; at other
	// quantiles the whole history is kept.
	TrimPublished
	// TrimNever keeps every wait.
	TrimNever
)

// ChangeRules returns the names of the rules, in the order of their constants.
func ChangeRules() []string { return []string{"misses", "published", "never"} }

// String returns the rule's name.
func (r ChangeRule) String() string {
	if int(r) < len(ChangeRules()) {
		return ChangeRules()[r]
	}
	return "invalid"
}

// runLimits returns the lengths of the two runs for an autocorrelation: of the
// two rows around it the lower for misses and the higher for hits, which for
// hits is the cautious side. Below 0 it is the first row for both.
func runLimits(rho float64) (misses, hits int) {
	if !(rho >= 0) {
		return missRun[0], hitRun[0]
	}
	last := len(missRun) - 1
	row := min(int(rho*10), last)
	return missRun[row], hitRun[min(row+1, last)]
}

// verdict is what came of a bound.
type verdict uint8

const (
	unbounded verdict = iota // there was none
	hit                      // the wait was not above it
	miss                     // the wait was above it
)

// changes finds the points where the waits of a group become unlike the older
// ones. After each, only the last minimum waits count, and no more than that
// are kept until as many new ones have come.
type changes struct {
	minimum  int // the shortest history that gives a bound
	rule     ChangeRule
	disabled bool // there is no table for the quantile, or none is wanted
	limits   *missLimits
	lag      *series.Autocorrelation

	misses, hits int // the runs that go on
	sinceRare    int // waits since the last trim for misses
	sinceTrim    int // waits since the last trim of either kind
}

// observe notes what came of one more wait, the last of the history, and
// returns whether the history is to be held at the minimum.
//
// A run of misses counts where more than minimum less the run's length waits
// have come since the last trim for one; else the waits predicted from the
// dropped history would trim again. A run of hits counts where as many waits
// have come since any trim. A wait that had no bound ends both runs.
func (c *changes) observe(waits []float64, v verdict) (hold bool) {
	if c.disabled {
		return false
	}
	c.sinceRare++
	c.sinceTrim++
	switch v {
	case miss:
		c.misses, c.hits = c.misses+1, 0
	case hit:
		c.misses, c.hits = 0, c.hits+1
	default:
		c.misses, c.hits = 0, 0
	}
	if c.rule == TrimOnMisses {
		return c.missesOnly(waits)
	}
	if c.misses >= missRun[0] || min(c.hits, c.sinceTrim) >= hitRun[0] {
		misses, hits := runLimits(c.lag.Of(waits))
		switch {
		case c.misses >= misses && c.sinceRare > c.minimum-misses:
			c.sinceRare, c.sinceTrim = 0, 0
		case min(c.hits, c.sinceTrim) >= hits:
			c.sinceTrim = 0
		}
	}
	return c.sinceTrim < c.minimum
}

// missesOnly is TrimOnMisses: a run that is long enough trims once, and the
// next is counted afresh.
func (c *changes) missesOnly(waits []float64) (trim bool) {
	if c.misses < c.limits.row(0) || len(waits) <= c.minimum {
		return false
	}
	row := 0
	if rho := c.lag.Of(waits); rho >= 0 {
		row = min(int(rho*10), len(missRun)-1)
	}
	if c.misses < c.limits.row(row) {
		return false
	}
	c.misses = 0
	return true
}

// changeRules makes the changes of the groups of one predictor, which share
// what does not depend on the group.
type changeRules struct {
	minimum  int
	rule     ChangeRule
	quantile float64
	limits   *missLimits
	lag      *series.Autocorrelation
}

func newChangeRules(rule ChangeRule, quantile float64, minimum int) changeRules {
	return changeRules{minimum, rule, quantile, &missLimits{quantile: quantile}, new(series.Autocorrelation)}
}

func (c *changeRules) changes() changes {
	disabled := c.rule == TrimNever || c.rule == TrimPublished && c.quantile != tableQuantile
	return changes{minimum: c.minimum, rule: c.rule, disabled: disabled, limits: c.limits, lag: c.lag}
}

// missLimits are the lengths of runs of misses by the row of the
// autocorrelation, computed where they are asked for: the least k with
//
//	Pr{X_1 > z, ..., X_k > z} <= series.RareEvent
//
// for an AR(1) series of normal scores with the row's autocorrelation (0.95
// for the last row, 1) and z the quantile of the normal law. The published
// table is of 0.95, by Monte Carlo, and off this design in some rows.
type missLimits struct {
	quantile float64
	rows     [len(missRun)]int
}

func (m *missLimits) row(i int) int {
	if m.rows[i] == 0 {
		rho := min(float64(i)/10, 0.95)
		m.rows[i] = series.RunLength(m.quantile, rho)
	}
	return m.rows[i]
}
