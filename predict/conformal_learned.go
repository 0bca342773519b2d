package predict

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict/internal/forest"
	"github.com/loadstone-hpc/loadstone/predict/internal/queuestate"
	"github.com/loadstone-hpc/loadstone/workload"
)

// windowJobs is the capacity of a jobWindow.
const windowJobs = 20_000

// jobWindow is a ring buffer of the most recently submitted jobs, from which the forest
// learns. A place is an index in the buffer.
type jobWindow struct {
	columns  [][]float64 // by column, then by place
	weights  []float64
	drains   []float64 // timeToDrain
	answers  []float64 // ln(1 + wait in s); NaN while the wait is unknown
	jobs     []windowJob
	marginal marginal
	seen     int // number of jobs added so far
	known    int // number of answers that are not NaN
}

// windowJob is one job of a jobWindow.
type windowJob struct {
	row            int64   // in the log
	submit         float64 // s
	withdrawnAfter float64 // s, from submission; NaN if the job was not withdrawn
}

func newJobWindow(columns int) jobWindow { return jobWindow{columns: make([][]float64, columns)} }

// add adds a job, which replaces the oldest one if the window is full, and returns its
// place.
func (w *jobWindow) add(r *workload.Request, values []float64, weight float64) int {
	place := w.seen % windowJobs
	w.seen++
	if place == len(w.jobs) {
		for i := range w.columns {
			w.columns[i] = append(w.columns[i], 0)
		}
		w.weights, w.drains = append(w.weights, 0), append(w.drains, 0)
		w.answers, w.jobs = append(w.answers, 0), append(w.jobs, windowJob{})
	}
	for i, x := range values {
		w.columns[i][place] = x
	}
	if place < w.seen-1 && !math.IsNaN(w.answers[place]) { // the replaced job's
		w.known--
	}
	w.weights[place], w.drains[place] = weight, timeToDrain(values)
	w.answers[place], w.jobs[place] = math.NaN(), windowJob{r.Row, r.Submit, math.NaN()}
	return place
}

// answer records the wait of a job, unless it has been replaced.
func (w *jobWindow) answer(place int, row int64, wait float64) {
	if w.jobs[place].row == row {
		w.answers[place] = math.Log1p(wait)
		w.known++
	}
}

// withdraw records that a job was withdrawn after waiting for some seconds, unless it has
// been replaced.
func (w *jobWindow) withdraw(place int, row int64, after float64) {
	if w.jobs[place].row == row {
		w.jobs[place].withdrawnAfter = max(0, after)
	}
}

// table returns the table from which a forest learns, and computes w.marginal. The wait of a
// job that has not started is drawn from the longer known waits; if there are none, it
// is the time waited so far.
func (w *jobWindow) table(now float64, seed uint64) forest.Table {
	var known []float64
	for _, y := range w.answers {
		if y == y {
			known = append(known, y)
		}
	}
	slices.Sort(known)
	random := rand.New(rand.NewPCG(seed, math.MaxUint64)) // a stream that no tree uses
	answers := slices.Clone(w.answers)
	for i, y := range answers {
		if y == y {
			continue
		}
		elapsed := w.jobs[i].withdrawnAfter
		if math.IsNaN(elapsed) {
			elapsed = max(0, now-w.jobs[i].submit)
		}
		answers[i] = math.Log1p(elapsed)
		longer, _ := slices.BinarySearchFunc(known, answers[i], func(y, elapsed float64) int {
			if y > elapsed {
				return 1
			}
			return -1
		})
		if longer < len(known) {
			answers[i] = known[longer+random.IntN(len(known)-longer)]
		}
	}
	w.marginal = newMarginal(answers)
	return forest.Table{Columns: w.columns, Answers: answers, Weights: w.weights, Offsets: w.drains}
}

// drainColumns are the indices, in a job's row, of two features: the time that the machine
// needs for the waiting work, and the time for the user's own waiting work on the largest
// number of processors that the user has had.
var drainColumns = [...]int{slices.Index(queuestate.Names(), "time_to_drain"), slices.Index(queuestate.Names(), "time_to_drain_user")}

// timeToDrain returns the larger of the two drainColumns, as ln(1+s). Half of the trees learn
// the difference between the wait and this time, so that they can predict waits longer than
// any before when the queue is longer than any before.
func timeToDrain(values []float64) float64 {
	return max(values[drainColumns[0]], values[drainColumns[1]])
}

// marginal is the distribution of the answers of all jobs: element i is their quantile
// i/marginalSteps.
type marginal []float64

const marginalSteps = 1000

func newMarginal(answers []float64) marginal {
	sorted := slices.Sorted(slices.Values(answers))
	m := make(marginal, marginalSteps+1)
	for i := range m {
		m[i] = sorted[max(0, (i*len(sorted)+marginalSteps-1)/marginalSteps-1)]
	}
	return m
}

func (m marginal) at(q float64) float64 { return m[int(math.Ceil(q*marginalSteps-1e-9))] }

// control keeps the share of waits above the bounds of one quantile at its target. Its offset,
// from -2 to 5, is the position of the bound on a boundPath.
//
// The offset is the sum of a part for all jobs, which rises with each wait above its bound and
// falls with each other wait, and a part for the user, which is never negative. The steps are
// in units of the standard deviation sqrt(a (1-a)) of a miss, where a = 1-q is the target share
// of misses, so that the same constants serve all quantiles. Both parts aim at slightly less
// than a, because a part at the end of its range learns from one side only. The outcome of the
// n-th job of a burst has the weight n^-1/4: the jobs of a burst have similar waits, and with
// full weight the offset would follow them far and return slowly.
type control struct {
	all   float64
	users map[int64]float64
}

// The step sizes of a control's two parts, and the difference between 1-q and the share of
// misses aimed at, in standard deviations.
const (
	stepAll  = 0.00218
	stepUser = 0.00872
	margin   = 0.023
)

const (
	slack     = 0.5 // a miss is stale if the bound at this much below the present offset holds
	leastRise = 0.3 // least difference of ln(1 + wait) between levels above the quantile

	oddsBelow = 1 / 2.1 // odds of level -1, divided by the quantile's (0.90 for 0.95); squared at -2
	oddsAbove = 5.2     // odds of level 1, divided by the quantile's (0.99 for 0.95)

	lowestLevel, highestLevel = -2, 3
	smoothed                  = 2 // number of levels on either side of an offset that are averaged

	highestOffset = highestLevel + smoothed // where the bound is the highest level
	mostOfUser    = 2                       // limit of a user's part of the offset
)

// boundPath holds the bounds of ln(1 + wait) at the offsets -2 to 5. Each is the mean of the
// five levels around it, because a single level depends on few waits and is noisy. Level 0 is
// the forest's quantile, level 2 is at least the same quantile of all jobs' waits, and level 3,
// which continues to offset 7, is above the longest wait. So the bound at offset 5 is above
// the longest wait for every user, and covers waits that keep growing.
type boundPath [highestOffset - lowestLevel + 1]float64

// newBoundPath returns the path of a job at the quantile q. all is the distribution of all
// jobs' answers.
func newBoundPath(q float64, s *forest.Sample, all marginal) (p boundPath) {
	var levels [highestLevel - lowestLevel + 1]float64
	levels[2] = s.Quantile(q)
	levels[1] = min(levels[2], s.Quantile(byOdds(q, oddsBelow)))
	levels[0] = min(levels[1], s.Quantile(byOdds(q, oddsBelow*oddsBelow)))
	levels[3] = max(levels[2]+leastRise, s.Quantile(byOdds(q, oddsAbove)))
	levels[4] = max(levels[3]+leastRise, all.at(q))
	levels[5] = max(levels[4]+leastRise, all.at(1)+1)
	for i := range p {
		for near := i - smoothed; near <= i+smoothed; near++ {
			p[i] += levels[max(0, min(near, len(levels)-1))] / (2*smoothed + 1)
		}
	}
	return p
}

// seconds returns the bound at an offset.
func (p *boundPath) seconds(offset float64) float64 {
	last := len(p) - 1
	offset = between(0, offset-lowestLevel, float64(last))
	i := min(last-1, int(offset))
	y := max(0, p[i]+(offset-float64(i))*(p[i+1]-p[i]))
	// The factor offsets the rounding of the logarithm, so that a bound equal to a known wait
	// covers it.
	return math.Expm1(y) * (1 + 1e-9)
}

// byOdds returns the quantile whose odds are the given multiple of those of q.
func byOdds(q, times float64) float64 {
	odds := times * q / (1 - q)
	return odds / (1 + odds)
}

// newControl returns a control with the offset -1, where the mean of the levels is close to
// the quantile; at 0 the mean is higher.
func newControl() control {
	return control{all: -1, users: map[int64]float64{}}
}

func (c *control) offset(user int64) float64 { return min(c.all+c.users[user], highestOffset) }

// learn moves the offset after a hit or a miss, a wait above its bound.
func (c *control) learn(q float64, g *givenBounds, missed bool) {
	excess := margin
	if deviation := math.Sqrt(q * (1 - q)); missed {
		excess += q / deviation
	} else {
		excess -= (1 - q) / deviation
	}
	c.all = between(lowestLevel, c.all+stepAll*g.weight*excess, highestOffset)
	if user := between(0, c.users[g.user]+stepUser*g.weight*excess, mostOfUser); user > 0 {
		c.users[g.user] = user
	} else {
		delete(c.users, g.user)
	}
}

func between(low, x, high float64) float64 { return max(low, min(x, high)) }
