package predict

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict/internal/forest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// windowJobs is how many of the jobs submitted last a forest learns from.
const windowJobs = 20_000

// jobWindow is the jobs submitted last, in places that are used in turn.
type jobWindow struct {
	columns  [][]float64 // by column, then by place
	weights  []float64
	rows     []int64   // of the log
	submits  []float64 // s
	answers  []float64 // ln(1 + wait in s); NaN while it is not known
	left     []float64 // after how long, s, a job was withdrawn; NaN of others
	marginal marginal
	seen     int // jobs, ever
	known    int // answers
}

func newJobWindow(columns int) jobWindow { return jobWindow{columns: make([][]float64, columns)} }

// add enters a job and returns its place.
func (w *jobWindow) add(r *workload.Request, values []float64, weight float64) int {
	place := w.seen % windowJobs
	w.seen++
	if place == len(w.rows) {
		for i := range w.columns {
			w.columns[i] = append(w.columns[i], 0)
		}
		w.weights, w.rows = append(w.weights, 0), append(w.rows, 0)
		w.submits, w.answers, w.left = append(w.submits, 0), append(w.answers, 0), append(w.left, 0)
	}
	for i, x := range values {
		w.columns[i][place] = x
	}
	if place < w.seen-1 && !math.IsNaN(w.answers[place]) { // of the job that had the place
		w.known--
	}
	w.weights[place], w.rows[place], w.submits[place], w.answers[place] = weight, r.Row, r.Submit, math.NaN()
	w.left[place] = math.NaN()
	return place
}

// answer enters the wait of a job, unless its place has another by now.
func (w *jobWindow) answer(place int, row int64, wait float64) {
	if w.rows[place] == row {
		w.answers[place] = math.Log1p(wait)
		w.known++
	}
}

// withdraw enters that a job waits no longer, after some seconds, unless its place has
// another by now.
func (w *jobWindow) withdraw(place int, row int64, after float64) {
	if w.rows[place] == row {
		w.left[place] = max(0, after)
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
		elapsed := w.left[i]
		if math.IsNaN(elapsed) {
			elapsed = max(0, now-w.submits[i])
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
	return forest.Table{Columns: w.columns, Answers: answers, Weights: w.weights}
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
