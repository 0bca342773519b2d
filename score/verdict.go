package score

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Verdict compares a log, trait by trait, with a workload that should resemble
// it.
type Verdict struct {
	Processors int64  `json:"processors"`          // of the machine assumed for both
	Estimates  string `json:"estimates,omitempty"` // of the schedules
	Weeks      int    `json:"weeks"`               // whole weeks in the log
	BlockWeeks int    `json:"block_weeks"`
	Bootstraps int    `json:"replicates"` // number of draws of the log's weeks; 0 if it has too few weeks
	Seed       uint64 `json:"seed"`       // of the twin and of the bootstraps

	Rows []VerdictRow `json:"rows"`
}

// The ways in which two workloads are compared. A is the first workload, B the
// second.
const (
	AsRatio      = "ratio"      // B / A; for waits (B + 60 s) / (A + 60 s)
	AsDifference = "difference" // B - A
	AsDistance   = "distance"   // Kolmogorov-Smirnov D of the two distributions
)

// VerdictRow compares one trait.
type VerdictRow struct {
	Name   string `json:"name" show:"trait"`              // with its unit
	Policy string `json:"policy,omitempty" show:"policy"` // of a schedule
	Loop   string `json:"loop,omitempty" show:"loop"`     // of a schedule: OpenLoop or ClosedLoop
	As     string `json:"compared_as"`                    // AsRatio, AsDifference or AsDistance

	A        stats.Number `json:"a" show:"A"` // value for the log; NaN for a distance
	B        stats.Number `json:"b" show:"B"`
	Compared stats.Number `json:"compared"` // the ratio, difference or distance

	// NoiseQ05 and NoiseQ95 are the 5 and 95 % quantiles of Compared between
	// the log and bootstraps of its own weeks; for a distance NoiseQ05 is 0.
	// NoDifference reports whether Compared lies between them. It is nil if that
	// is unknown, for example for traits of users as a whole, whose variation
	// draws of weeks do not show.
	NoiseQ05     stats.Number `json:"noise_q05" show:"weeks 5 %"`
	NoiseQ95     stats.Number `json:"noise_q95" show:"95 %"`
	NoDifference *bool        `json:"no_difference"`

	Why string `json:"why,omitempty"` // the reason if it is not compared, else ""
}

// missing is the value of an unknown trait.
var missing = math.NaN()

// UnknownOfBoth is the Why of a row whose trait is unknown in both workloads.
const UnknownOfBoth = notKnown + "both"

const notKnown = "unknown in "

// CompareTraits compares a log, a, with another workload, b. Both must have the
// same schedules in the same order.
func CompareTraits(a, b *Traits) []VerdictRow {
	var rows []VerdictRow
	unknown, others := stats.Number(missing), b.measured()
	for i, x := range a.measured() {
		y := others[i]
		x.value, y.value = settled(x.value, y.value)
		r := VerdictRow{Name: x.name, Policy: x.policy, Loop: x.loop, As: x.as, A: stats.Number(x.value), B: stats.Number(y.value),
			Compared: unknown, NoiseQ05: unknown, NoiseQ95: unknown}
		if noX, noY := x.unknown(), y.unknown(); noX || noY {
			r.Why = notKnown + which(noX, noY)
		} else {
			r.Compared = stats.Number(x.compare(y))
		}
		rows = append(rows, r)
	}
	return rows
}

func (m *measured) unknown() bool {
	if m.as == AsDistance {
		return m.distribution.N() == 0
	}
	return math.IsNaN(m.value)
}

// compare returns the ratio, difference or distance between the trait and the same trait of
// another workload.
func (m *measured) compare(with measured) float64 {
	switch m.as {
	case AsDistance:
		return distance(m.distribution, with.distribution)
	case AsRatio:
		return (with.value + m.offset) / (m.value + m.offset)
	}
	return with.value - m.value
}

// settled returns x twice if y differs from it only by the rounding of sums in another order,
// else x and y.
func settled(x, y float64) (float64, float64) {
	if math.Abs(x-y) <= 1e-12*math.Abs(x) {
		return x, x
	}
	return x, y
}

// distance returns the Kolmogorov-Smirnov distance; NaN if either distribution has no values.
func distance(a, b *stats.Distribution) float64 {
	ks, err := stats.KolmogorovSmirnovTwoSample(stats.Aligned(a, b))
	if err != nil {
		return missing
	}
	return ks.D
}

// Noise fills in VerdictRow.NoiseQ05, NoiseQ95 and NoDifference, for rows that
// do not concern users as a whole. drawn contains, for each bootstrap, the rows
// that compare the log's whole weeks in order with the weeks drawn.
func (v *Verdict) Noise(drawn [][]VerdictRow) {
	v.Bootstraps = len(drawn)
	for i := range v.Rows {
		r := &v.Rows[i]
		var all []float64
		for _, rows := range drawn {
			if x := float64(rows[i].Compared); finite(x) {
				all = append(all, x)
			}
		}
		if len(all) < len(drawn) || len(all) == 0 || r.Why != "" || ofUsers(r.Name) {
			continue
		}
		slices.Sort(all)
		low, high := stats.Quantile(all, .05), stats.Quantile(all, .95)
		if r.As == AsDistance {
			low = 0
		}
		same := float64(r.Compared) >= low && float64(r.Compared) <= high
		r.NoiseQ05, r.NoiseQ95, r.NoDifference = stats.Number(low), stats.Number(high), &same
	}
}

// Row returns the row with the given name, policy and loop, or nil if there is none.
// policy and loop are empty for a trait of the workload; for a schedule, an empty loop
// means OpenLoop.
func (v *Verdict) Row(name, policy, loop string) *VerdictRow {
	if policy != "" && loop == "" {
		loop = OpenLoop
	}
	for i := range v.Rows {
		if r := &v.Rows[i]; r.Name == name && r.Policy == policy && r.Loop == loop {
			return r
		}
	}
	return nil
}
