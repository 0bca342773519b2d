package generate

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/model"
)

// TsafrirModel is the model of user run time estimates of Tsafrir, Etsion and
// Feitelson (2005), "Modeling user runtime estimates", with the constants and
// the order of the authors' program. Users choose among few, round estimates:
//
//   - the number of distinct estimates (bins) grows with the number of jobs;
//   - 20 of them, the head, have 89 % of the jobs. Their times are the maximum
//     and round ones, their popularity ranks are drawn from those of four logs;
//   - the others, the tail, have times on a curve and a power law of sizes,
//     paired at random.
//
// The program leaves some cases undefined, for which these are the rules:
//
//   - With a maximum below about 100 minutes there are fewer than 20 round
//     times (12 for an hour). The head has those; their ranks are drawn as for
//     20 and closed up, and the head still has 89 % of the jobs: what the ranks
//     that are missing would have had is the maximum's.
//   - With as many bins as the head has or fewer (up to 200 jobs) there is no
//     tail, and the head's shares grow in proportion to all the jobs.
//   - With fewer jobs than bins (the last step of equalising), bins are emptied
//     from the least popular up; the program empties the most popular first,
//     and would leave one job without the maximum.
//   - A rank that no row offers (possible with given bins only) is the smallest
//     that is free.
type TsafrirModel struct {
	// Jobs is the number of jobs with estimates, from 1 to
	// model.MaxEstimateJobs.
	Jobs int64 `json:"jobs"`
	// Max is the largest estimate the machine allows: whole seconds, from an
	// hour to model.MaxEstimateTime.
	Max float64 `json:"max_s"`
	// Given are estimates whose number of jobs is known: up to 20 (19 where
	// Max is not among them) distinct times of whole seconds, at most Max.
	// They replace the nearest estimates of the model and keep their numbers
	// of jobs.
	Given []Bin `json:"given,omitempty"`
	// Distinct is the number of bins, head and tail; 0 means a number that
	// follows from Jobs.
	Distinct int64 `json:"distinct,omitempty"`
	// PowerLaw takes 0.653566 Jobs^0.547761 for Distinct, at most
	// model.MaxEstimateBins, instead of the piecewise linear curve that ends
	// at 565.
	PowerLaw bool `json:"power_law,omitempty"`
}

const (
	headBins    = 20
	headPercent = 89.0
)

// Validate returns a *workload.OptionError for the first field that is out of
// range.
func (m TsafrirModel) Validate() error {
	whole := func(x float64) bool { return x == math.Trunc(x) }
	switch {
	case m.Jobs < 1 || m.Jobs > model.MaxEstimateJobs:
		return estimateError("jobs", fmt.Sprintf("a whole number from 1 to %g", float64(model.MaxEstimateJobs)), "%d", m.Jobs)
	case !(m.Max >= hour && m.Max <= model.MaxEstimateTime) || !whole(m.Max):
		return estimateError("max", fmt.Sprintf("whole seconds from %d to %g", hour, float64(model.MaxEstimateTime)), "%g", m.Max)
	case m.Distinct < 0 || m.Distinct > model.MaxEstimateBins || m.Distinct > 0 && m.Distinct < int64(len(m.Given)):
		return estimateError("distinct", fmt.Sprintf("0, or a number from that of the given bins to %d", model.MaxEstimateBins), "%d", m.Distinct)
	case m.Distinct > 0 && m.PowerLaw:
		return estimateError("distinct", "0 with the power law", "%d", m.Distinct)
	}
	jobs, hasMax, seen := int64(0), false, map[float64]bool{}
	for i, g := range m.Given {
		if err := g.validate(i, m.Max); err != nil {
			return err
		}
		if !whole(g.Time) || seen[g.Time] {
			return estimateError(fmt.Sprintf("bins[%d].time", i), "distinct times of whole seconds", "%g", g.Time)
		}
		seen[g.Time] = true
		jobs += g.Jobs
		hasMax = hasMax || g.Time == m.Max
	}
	if most := headBins - 1; len(m.Given) > headBins || len(m.Given) > most && !hasMax {
		return estimateError("bins", fmt.Sprintf("at most %d, and one more for the maximum", most), "%d given", len(m.Given))
	}
	if jobs > m.Jobs {
		return estimateError("bins", fmt.Sprintf("at most %d, those of the model", m.Jobs), "%d jobs given", jobs)
	}
	return nil
}

// distinct is the number of bins. The curve's points are of the program.
func (m TsafrirModel) distinct() int {
	if m.Distinct > 0 {
		return int(m.Distinct)
	}
	j := float64(m.Jobs)
	if m.PowerLaw {
		return max(len(m.Given), int(min(model.MaxEstimateBins, math.Round(0.653566*math.Exp(0.547761*math.Log(j))))))
	}
	curve := [][2]float64{{0, 0}, {20, 10}, {200, 20}, {1000, 35}, {10_000, 90}, {70_000, 340}, {250_000, 565}}
	for i, p := range curve {
		if j <= p[0] {
			low := curve[i-1] // j is above the first point
			slope := (p[1] - low[1]) / (p[0] - low[0])
			return int(low[1] + math.Round((j-low[0])*slope))
		}
	}
	return int(curve[len(curve)-1][1])
}

// Draw returns the bins, ascending, of a seed and the name of the jobs' class.
// Their jobs sum to Jobs. Random are only the pairing of times and counts and,
// of equal counts, which is larger by one.
func (m TsafrirModel) Draw(seed uint64, class string) (Bins, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	pcg := newStream(seed, partEstimateBins, class).whole()
	rng := rand.New(&pcg)
	h := m.head()
	bins := make([]sharedBin, 0, m.distinct())
	for row, rank := range h.drawRanks(rng) {
		bins = append(bins, sharedBin{time: h.times[row], percent: h.percents[rank-1]})
	}
	times := m.tailTimes(h.times)
	percents := tailPercents(len(times))
	rng.Shuffle(len(times), func(i, j int) { times[i], times[j] = times[j], times[i] })
	for i, t := range times {
		bins = append(bins, sharedBin{time: t, percent: percents[i]})
	}
	for i := range bins {
		b := &bins[i]
		b.jobs = int64(max(1, math.Round(b.percent*(float64(m.Jobs)/100))))
		if at := slices.IndexFunc(m.Given, func(g Bin) bool { return g.Time == b.time }); at >= 0 {
			b.jobs, b.given = m.Given[at].Jobs, true
		}
	}
	if err := equalize(bins, m.Jobs); err != nil {
		return nil, err
	}
	var result Bins
	for _, b := range bins {
		if b.jobs > 0 {
			result = append(result, Bin{b.time, b.jobs})
		}
	}
	slices.SortFunc(result, func(a, b Bin) int { return cmp.Compare(a.Time, b.Time) })
	return result, nil
}
