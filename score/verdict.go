package score

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Verdict compares a log with a workload that is to resemble it, trait by
// trait.
type Verdict struct {
	Processors int64  `json:"processors"`          // of the machine of both
	Estimates  string `json:"estimates,omitempty"` // of the schedules
	Weeks      int    `json:"weeks"`               // whole weeks in the log
	BlockWeeks int    `json:"block_weeks"`
	Bootstraps int    `json:"replicates"` // bootstraps of the log's weeks; 0 if it has too few
	Replicas   int    `json:"replicas"`   // twins that the log is ranked among
	Seed       uint64 `json:"seed"`       // of the first twin, and of the bootstraps

	Rows []VerdictRow `json:"rows"`
	// Tested is the number of rows whose rank is judged, Inside the number of
	// those where the log lies within the range of the twins
	// (VerdictRow.Inside). InsidePct is Inside in % of Tested.
	Tested    int          `json:"rows_tested"`
	Inside    int          `json:"rows_inside"`
	InsidePct stats.Number `json:"inside_pct"`
	// FalseAlarm is the largest probability, in %, that a row lies outside
	// although the log was drawn in the same way as its twins; NaN if there
	// are too few twins to judge.
	FalseAlarm stats.Number `json:"false_alarm_pct"`
}

// The ways in which two workloads are compared. A is the first workload, B the
// second.
const (
	AsRatio      = "ratio"      // B over A; of waits (B + 60 s) over (A + 60 s)
	AsDifference = "difference" // B less A
	AsDistance   = "distance"   // Kolmogorov-Smirnov D of two distributions, total variation of categories
)

// waitOffset is added to both waits of a ratio, s: below a minute no user minds.
const waitOffset = 60

// VerdictRow compares one trait.
type VerdictRow struct {
	Name   string `json:"name" show:"trait"`              // with its unit
	Policy string `json:"policy,omitempty" show:"policy"` // of a schedule
	Loop   string `json:"loop,omitempty" show:"loop"`     // of a schedule: OpenLoop or ClosedLoop
	As     string `json:"compared_as"`                    // ratio, difference or distance

	A        stats.Number `json:"a" show:"A"` // of the log; NaN for a distance
	B        stats.Number `json:"b" show:"B"`
	Compared stats.Number `json:"compared"` // the ratio, difference or distance

	// NoiseQ05 and NoiseQ95 are the 5 and 95 % quantiles of Compared between
	// the log and bootstraps of its own weeks; for a distance NoiseQ05 is 0.
	// NoDifference tells whether Compared lies between them; it is nil if that
	// is unknown, as for rows about users as a whole, which weeks do not
	// describe.
	NoiseQ05     stats.Number `json:"noise_q05" show:"weeks 5 %"`
	NoiseQ95     stats.Number `json:"noise_q95" show:"95 %"`
	NoDifference *bool        `json:"no_difference"`

	// Rank is the rank of the log among itself and the replicas, from 1 to
	// RankOf; equal values share their mean rank. For a distance it is the
	// rank of the distance from all of them pooled. Inside tells whether the
	// log is not among the 5 % at either end (for a distance, the 10 %
	// farthest); nil if it is not judged.
	Rank   stats.Number `json:"rank"`
	RankOf int          `json:"rank_of"`
	Inside *bool        `json:"inside"`
	// Pinned tells that the rank has no meaning, because the twins have the
	// log's value by construction or all workloads have the same value.
	Pinned bool   `json:"pinned"`
	Why    string `json:"why,omitempty"` // the reason if it is not compared, else ""
}

// Factor returns the ratio or its inverse, whichever is above 1: the factor
// between the two workloads; NaN for rows that are not ratios.
func (r VerdictRow) Factor() float64 {
	if r.As != AsRatio {
		return missing
	}
	return max(float64(r.Compared), 1/float64(r.Compared))
}

// missing is the value of what is unknown.
var missing = math.NaN()

// trait is the name of a number and how it is compared.
type trait struct{ name, as string }

var traits = [measures]trait{
	loadOf:           {"offered_load", AsRatio},
	usersOf:          {"users", AsRatio},
	jobsGini:         {"jobs_by_user_gini", AsDifference},
	workGini:         {"work_by_user_gini", AsDifference},
	sameUser:         {"same_user_as_before", AsDifference},
	runLag:           {"run_time_ln_lag_1", AsDifference},
	sizeLag:          {"size_ln_lag_1", AsDifference},
	gapLag:           {"interarrival_ln_lag_1", AsDifference},
	burst5min:        {"dispersion_5_min", AsRatio},
	burstHour:        {"dispersion_1_h", AsRatio},
	burstDay:         {"dispersion_1_d", AsRatio},
	sizeRank:         {"size_run_time_spearman", AsDifference},
	estimateRank:     {"estimate_run_time_spearman", AsDifference},
	estimateAccuracy: {"estimate_accuracy_mean", AsDifference},
	estimateReached:  {"estimate_reached_share", AsDifference},
	gpuJobs:          {"gpu_jobs_share", AsDifference},
	gpusMean:         {"gpus_asked_mean", AsRatio},
}

var traitDistances = [distances]string{
	runTime: "run_time_s", size: "size_processors", work: "work_processor_s", interarrival: "interarrival_s",
	jobsByUser: "jobs_by_user", workByUser: "work_by_user_processor_s", accuracyOf: "estimate_accuracy",
	nodesOfJob: attributeColumns[nodes], gpusOfJob: attributeColumns[gpus], memoryOfJob: attributeColumns[memory],
	gpuWork: "work_gpu_s", gpusOfWork: "gpus_by_work", gpuTypes: "gpu_types",
}

var scheduleTraits = [scheduleMeasures]string{
	waitMean: "wait_mean_s", waitMedian: "wait_median_s", waitQ90: "wait_q90_s", slowdownMean: "bounded_slowdown_mean", utilisationOf: "utilisation",
}

// VerdictNames returns the names of the rows of a verdict: those of workloads and,
// last, those of schedules.
func VerdictNames() (workloads, schedules []string) {
	workloads = slices.Clone(traitDistances[:])
	for _, t := range traits {
		workloads = append(workloads, t.name)
	}
	return workloads, slices.Clone(scheduleTraits[:])
}

// ComparedAs returns how the verdict row of that name is compared: AsRatio,
// AsDifference or AsDistance; "" if there is no such row.
func ComparedAs(name string) string {
	switch {
	case slices.Contains(traitDistances[:], name):
		return AsDistance
	case slices.Contains(scheduleTraits[:], name):
		return AsRatio
	}
	for _, t := range traits {
		if t.name == name {
			return t.as
		}
	}
	return ""
}

// CompareTraits compares a log, a, with another workload, b. Both must have the
// same schedules in the same order.
func CompareTraits(a, b *Traits) []VerdictRow {
	var rows []VerdictRow
	unknown := stats.Number(missing)
	add := func(r VerdictRow, unknownA, unknownB bool) {
		r.NoiseQ05, r.NoiseQ95, r.Rank = unknown, unknown, unknown
		if unknownA || unknownB {
			r.Compared, r.Why = unknown, notKnown+which(unknownA, unknownB)
		}
		rows = append(rows, r)
	}
	for i, name := range traitDistances {
		d := distance(i, &a.distributions[i], &b.distributions[i])
		add(VerdictRow{Name: name, As: AsDistance, A: unknown, B: unknown, Compared: stats.Number(d)}, a.distributions[i].N() == 0, b.distributions[i].N() == 0)
	}
	for i, t := range traits {
		x, y := settled(a.values[i], b.values[i])
		r := VerdictRow{Name: t.name, As: t.as, A: stats.Number(x), B: stats.Number(y), Compared: stats.Number(y - x)}
		if t.as == AsRatio {
			r.Compared = stats.Number(y / x)
		}
		add(r, math.IsNaN(x), math.IsNaN(y))
	}
	for k, s := range a.schedules {
		for i, name := range scheduleTraits {
			x, y := s.values[i], b.schedules[k].values[i]
			r := VerdictRow{Name: name, Policy: s.Policy, Loop: s.Loop, As: AsRatio, A: stats.Number(x), B: stats.Number(y), Compared: stats.Number(y / x)}
			if i == waitMean || i == waitMedian || i == waitQ90 {
				r.Compared = stats.Number((y + waitOffset) / (x + waitOffset))
			}
			add(r, math.IsNaN(x), math.IsNaN(y))
		}
	}
	return rows
}

// UnknownOfBoth is Why of a row whose trait is unknown in both workloads.
const UnknownOfBoth = notKnown + "both"

const notKnown = "not known of "

// settled makes two numbers one that differ by the rounding of sums in another order.
func settled(x, y float64) (float64, float64) {
	if math.Abs(x-y) <= 1e-12*math.Abs(x) {
		return x, x
	}
	return x, y
}

// distance is Kolmogorov and Smirnov's D of a distribution, of kinds of GPU the total
// variation; NaN where one has no values.
func distance(of int, a, b *stats.DistinctCounts) float64 {
	switch {
	case a.N() == 0 || b.N() == 0:
		return missing
	case of == gpuTypes:
		return totalVariation(a, b)
	}
	va, ca, vb, cb := stats.Aligned(a, b)
	ks, err := stats.KolmogorovSmirnovTwoSample(va, ca, vb, cb)
	if err != nil { // cannot be: values ascend, are finite and have counts
		return missing
	}
	return ks.D
}

// ofUsers are the rows about users as a whole. Bootstraps of weeks tell nothing of
// them: they hold some of a user's weeks twice and others not at all, and those who
// came for one week are often missing.
var ofUsers = []string{traitDistances[jobsByUser], traitDistances[workByUser], traits[usersOf].name, traits[jobsGini].name, traits[workGini].name}

// Noise fills in VerdictRow.NoiseQ05, NoiseQ95 and NoDifference, for rows that
// do not concern users as a whole. drawn contains, for each bootstrap, the rows
// that compare the log's whole weeks in order with the weeks drawn.
func (v *Verdict) Noise(drawn [][]VerdictRow) {
	of := make([][]float64, len(v.Rows))
	for _, rows := range drawn {
		for i, r := range rows {
			if x := float64(r.Compared); finite(x) {
				of[i] = append(of[i], x)
			}
		}
	}
	for i := range v.Rows {
		r := &v.Rows[i]
		if len(of[i]) < len(drawn) || len(drawn) == 0 || r.Why != "" || slices.Contains(ofUsers, r.Name) {
			continue
		}
		slices.Sort(of[i])
		low, high := stats.Quantile(of[i], .05), stats.Quantile(of[i], .95)
		if r.As == AsDistance {
			low = 0
		}
		same := float64(r.Compared) >= low && float64(r.Compared) <= high
		r.NoiseQ05, r.NoiseQ95, r.NoDifference = stats.Number(low), stats.Number(high), &same
	}
	v.Bootstraps = len(drawn)
}

// Row returns the row of a name, a policy and a loop, or nil. policy and loop
// are empty for a trait of the workload; an empty loop of a schedule means
// OpenLoop.
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
