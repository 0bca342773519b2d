package predict

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict/internal/forest"
	"github.com/loadstone-hpc/loadstone/predict/internal/queuestate"
	"github.com/loadstone-hpc/loadstone/workload"
)

// windowJobs is how many of the jobs submitted last a forest learns from.
const windowJobs = 20_000

// jobWindow is the jobs submitted last, in places that are used in turn.
type jobWindow struct {
	columns  [][]float64 // by column, then by place
	weights  []float64
	drains   []float64 // timeToDrain
	answers  []float64 // ln(1 + wait in s); NaN while it is not known
	jobs     []windowJob
	marginal marginal
	seen     int // jobs, ever
	known    int // answers
}

// windowJob is one of them.
type windowJob struct {
	row    int64   // of the log
	submit float64 // s
	left   float64 // after how long, s, it was withdrawn; NaN of others
}

func newJobWindow(columns int) jobWindow { return jobWindow{columns: make([][]float64, columns)} }

// add enters a job and returns its place.
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
	if place < w.seen-1 && !math.IsNaN(w.answers[place]) { // of the job that had the place
		w.known--
	}
	w.weights[place], w.drains[place] = weight, timeToDrain(values)
	w.answers[place], w.jobs[place] = math.NaN(), windowJob{r.Row, r.Submit, math.NaN()}
	return place
}

// answer enters the wait of a job, unless its place has another by now.
func (w *jobWindow) answer(place int, row int64, wait float64) {
	if w.jobs[place].row == row {
		w.answers[place] = math.Log1p(wait)
		w.known++
	}
}

// withdraw enters that a job waits no longer, after some seconds, unless its place has
// another by now.
func (w *jobWindow) withdraw(place int, row int64, after float64) {
	if w.jobs[place].row == row {
		w.jobs[place].left = max(0, after)
	}
}

// table is what a forest learns from. A wait that is under way is drawn from the known
// ones that are longer, and is what it has come to where none is.
func (w *jobWindow) table(now float64, seed uint64) forest.Table {
	var known []float64
	for _, y := range w.answers {
		if y == y {
			known = append(known, y)
		}
	}
	slices.Sort(known)
	random := rand.New(rand.NewPCG(seed, math.MaxUint64)) // no tree's stream
	answers := slices.Clone(w.answers)
	for i, y := range answers {
		if y == y {
			continue
		}
		elapsed := w.jobs[i].left
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

// drainColumns are the places, in a job's row, of two features: how long the machine needs for the
// work that waits, and how long for the user's on the most processors that the user has had.
var drainColumns = [...]int{slices.Index(queuestate.Names(), "time_to_drain"), slices.Index(queuestate.Names(), "time_to_drain_user")}

// timeToDrain returns the longer of these, ln(1+s). Half of the trees learn by how much waits
// are above it: behind a longer queue than any before, the wait may be the longest too.
func timeToDrain(values []float64) float64 {
	return max(values[drainColumns[0]], values[drainColumns[1]])
}

// marginal is the distribution of the answers of all jobs: of so many shares of them,
// the answer that they are not above.
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

// control holds the share of waits above the bounds of one quantile where it
// is to be: its offset, from -2 to 5, moves the bound along a boundPath.
//
// The offset has a part of all jobs, which rises with each wait above its bound and
// falls with each other, and one of the user, which only raises the bound. For
// misses that are a share a of all jobs, the steps are in units of their standard
// deviation sqrt(a (1-a)), so that one set of constants does for all quantiles. The
// parts aim at a little less than a, since a part that is at its end learns from one
// side only. What comes of the n-th job of a burst weighs n^-1/4: its jobs wait alike,
// and the offset would follow them far and slowly come back.
type control struct {
	all   float64
	users map[int64]float64
}

// The steps of a control's parts, and by how much the share of misses aimed at is below 1-q, in
// standard deviations.
const (
	stepAll  = 0.00218
	stepUser = 0.00872
	margin   = 0.023
)

const (
	slack     = 0.5 // by which the offset must have risen past a miss for it to be stale
	leastRise = 0.3 // of the logarithm of the wait, between the levels above the quantile

	oddsBelow = 1 / 2.1 // of the level at -1, to the quantile's: 0.90 for 0.95; twice at -2
	oddsAbove = 5.2     // of that at 1: 0.99 for 0.95

	lowestLevel, highestLevel = -2, 3
	smoothed                  = 2 // levels on either side of an offset that its bound is the mean of

	highestOffset = highestLevel + smoothed // whose bound is the highest level
	mostOfUser    = 2                       // the highest offset of a user's own
)

// boundPath is the bounds of ln(1 + wait) at the offsets -2 to 5: each is the mean of the five
// levels around it, because that of a single level is as rough as the few waits that it is of. A
// level is the forest's quantile at 0, at least the quantile of all jobs' waits at 2, and above
// the longest wait at 3 and from there on: at 5, so is the bound, whoever the user is, so that
// waits that grow and grow are covered too.
type boundPath [highestOffset - lowestLevel + 1]float64

// newBoundPath returns the path of a job; all are the answers of all jobs.
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
	// A bound at a wait that was seen covers it, however its logarithm is rounded.
	return math.Expm1(y) * (1 + 1e-9)
}

// byOdds returns the quantile whose odds are so many times those of q.
func byOdds(q, times float64) float64 {
	odds := times * q / (1 - q)
	return odds / (1 + odds)
}

// newControl returns a control that starts at -1, where the mean of the levels is about the
// quantile; at 0 it is above.
func newControl() control {
	return control{all: -1, users: map[int64]float64{}}
}

func (c *control) offset(user int64) float64 { return min(c.all+c.users[user], highestOffset) }

// learn enters whether a wait was above its bound.
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
