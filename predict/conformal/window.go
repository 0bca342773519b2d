package conformal

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict/forest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// windowJobs is how many of the jobs submitted last a forest learns from.
const windowJobs = 20_000

// window is the jobs submitted last, in places that are used in turn.
type window struct {
	Columns  [][]float64 // by column, then by place
	Weights  []float64
	Rows     []int64   // of the log
	Submits  []float64 // s
	Answers  []float64 // ln(1 + wait in s); NaN while it is not known
	Left     []float64 // after how long, s, a job was withdrawn; NaN of others
	Marginal marginal
	Seen     int // jobs, ever

	known int // answers
}

func newWindow(columns int) window {
	return window{Columns: make([][]float64, columns)}
}

// add enters a job and returns its place.
func (w *window) add(r *workload.Request, values []float64, weight float64) int {
	place := w.Seen % windowJobs
	w.Seen++
	if place == len(w.Rows) {
		for i := range w.Columns {
			w.Columns[i] = append(w.Columns[i], 0)
		}
		w.Weights, w.Rows = append(w.Weights, 0), append(w.Rows, 0)
		w.Submits, w.Answers, w.Left = append(w.Submits, 0), append(w.Answers, 0), append(w.Left, 0)
	}
	for i, x := range values {
		w.Columns[i][place] = x
	}
	if place < w.Seen-1 && !math.IsNaN(w.Answers[place]) { // of the job that had the place
		w.known--
	}
	w.Weights[place], w.Rows[place], w.Submits[place], w.Answers[place] = weight, r.Row, r.Submit, math.NaN()
	w.Left[place] = math.NaN()
	return place
}

// answer enters the wait of a job, unless its place has another by now.
func (w *window) answer(place int, row int64, wait float64) {
	if w.Rows[place] == row {
		w.Answers[place] = math.Log1p(wait)
		w.known++
	}
}

// withdraw enters that a job waits no longer, after some seconds, unless its place has
// another by now.
func (w *window) withdraw(place int, row int64, after float64) {
	if w.Rows[place] == row {
		w.Left[place] = max(0, after)
	}
}

// table is what a forest learns from. A wait that is under way is drawn from the known
// ones that are longer, and is what it has come to where none is.
func (w *window) table(now float64, seed uint64) forest.Table {
	var known []float64
	for _, y := range w.Answers {
		if y == y {
			known = append(known, y)
		}
	}
	slices.Sort(known)
	random := rand.New(rand.NewPCG(seed, math.MaxUint64)) // no tree's stream
	answers := slices.Clone(w.Answers)
	for i, y := range answers {
		if y == y {
			continue
		}
		elapsed := w.Left[i]
		if math.IsNaN(elapsed) {
			elapsed = max(0, now-w.Submits[i])
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
	w.Marginal = newMarginal(answers)
	return forest.Table{Columns: w.Columns, Answers: answers, Weights: w.Weights}
}
