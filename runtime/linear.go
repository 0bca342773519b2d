package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// linear is a linear model of what is known at submission, fitted as jobs end
// by normalised adaptive gradient steps with an asymmetric loss: a prediction
// too long costs its square, one too short its length, both times the logarithm
// of the job's work. Gaussier, Glesser, Reis and Trystram (2015), "Improving
// backfilling by using machine learning to predict running times"; the steps
// are those of Ross, Mineiro and Langford (2013), "Normalized online learning".
// The first paper's text was not at hand: the loss and its weight are as others
// cite it.
//
// One set of weights serves all classes; a class gives the history in the
// features, so that the authors' predictor is that of the class user. Features
// are theirs, with all their products of two, without those of running jobs,
// which a Request does not tell. A prediction is at least 0 and at most the
// user's estimate.
//
// Times go in as hours, so that a square is not 10^10 times a length.
type linear struct {
	model *linearModel
	// open are the features of the jobs under way, by Request.Row: the weights
	// learn from what was known when a job was submitted.
	open map[int64]linearInput
}

var (
	_ rule  = linear{}
	_ early = linear{}
)

type linearInput []float64

// A class's numbers in the slab.
const (
	linearLast     = 0 // the last three run times, h, the latest first
	linearSum      = 3 // of run times, h
	linearSizes    = 4 // sum
	linearEnd      = 5 // of the last, s
	linearWidth    = 6
	linearFeatures = 14
	linearRate     = 0.1
)

// linearInputs is how many numbers the model weighs: 1, the features, and the
// products of two features or of one with itself.
const linearInputs = 1 + linearFeatures + linearFeatures*(linearFeatures+1)/2

func newLinear() linear {
	return linear{&linearModel{}, map[int64]linearInput{}}
}

func (linear) early() {}

func (linear) width() int { return linearWidth }

const (
	hour = 3600.0
	day  = 24 * hour
	week = 7 * day
)

// features of a request whose class has a history of n jobs.
func (linear) features(state []float64, n int, r *workload.Request) (f [linearFeatures]float64) {
	asked, known := limit(r)
	asked /= hour
	if !known {
		asked = 0
	}
	size := float64(max(r.Size, 0)) // Unknown is negative
	var lasts [3]float64
	for i := range lasts {
		lasts[i] = asked
		if i < n {
			lasts[i] = state[linearLast+i]
			if known {
				lasts[i] = min(lasts[i], asked)
			}
		}
	}
	f[0] = asked
	f[1], f[2], f[3] = lasts[0], lasts[1], lasts[2]
	f[4] = (lasts[0] + lasts[1]) / 2
	f[5] = (lasts[0] + lasts[1] + lasts[2]) / 3
	if n > 0 {
		f[6] = state[linearSum] / float64(n)
		f[7] = max(0, r.Submit-state[linearEnd]) / hour
		if mean := state[linearSizes] / float64(n); mean > 0 {
			f[8] = size / mean
		}
	}
	f[9] = size
	f[10], f[11] = math.Sincos(2 * math.Pi * math.Mod(r.Submit, day) / day)
	f[12], f[13] = math.Sincos(2 * math.Pi * math.Mod(r.Submit, week) / week)
	return f
}

func (l linear) observe(state []float64, n int, j *workload.Job) {
	run := j.Run / hour
	if x, ok := l.open[j.Row]; ok {
		l.model.learn(x, run, math.Log(math.E+float64(max(j.Size, 1))*j.Run))
		delete(l.open, j.Row)
		l.model.spare = append(l.model.spare, x)
	}
	state[linearLast+2], state[linearLast+1], state[linearLast] = state[linearLast+1], state[linearLast], run
	state[linearSum] += run
	state[linearSizes] += float64(max(j.Size, 0))
	if state[linearEnd] = j.End(); math.IsNaN(state[linearEnd]) {
		state[linearEnd] = j.Submit + j.Run
	}
}

func (l linear) predict(state []float64, n int, r *workload.Request) workload.Prediction {
	x, again := l.open[r.Row]
	if !again {
		x = l.model.spareInput()
		l.open[r.Row] = x
	}
	x.fill(l.features(state, n, r))
	if l.model.learned == 0 {
		return nothing()
	}
	seconds := hour * max(0, l.model.value(x))
	if most, known := limit(r); known {
		seconds = min(seconds, most)
	}
	if math.IsNaN(seconds) || math.IsInf(seconds, 0) {
		return nothing()
	}
	return workload.Prediction{Seconds: seconds, Observations: l.model.learned}
}

// linearModel is the weights, and what their steps need.
type linearModel struct {
	learned    int
	weights    [linearInputs]float64
	scales     [linearInputs]float64 // the largest input so far, absolute
	gradients  [linearInputs]float64 // sum of their squares
	normalised float64               // sum over jobs of squared inputs over squared scales
	spare      []linearInput
}

func (m *linearModel) spareInput() linearInput {
	if n := len(m.spare); n > 0 {
		x := m.spare[n-1]
		m.spare = m.spare[:n-1]
		return x
	}
	return make(linearInput, linearInputs)
}

func (x linearInput) fill(f [linearFeatures]float64) {
	x[0] = 1
	at := 1 + copy(x[1:], f[:])
	for i, a := range f {
		for _, b := range f[i:] {
			x[at] = a * b
			at++
		}
	}
}

func (m *linearModel) value(x linearInput) float64 {
	sum := 0.0
	for i, v := range x {
		sum += m.weights[i] * v
	}
	return sum
}

// learn takes one step. Ross, Mineiro and Langford (2013), algorithm 2.
func (m *linearModel) learn(x linearInput, run, weight float64) {
	m.learned++
	for i, v := range x {
		if a := math.Abs(v); a > m.scales[i] {
			m.weights[i] *= m.scales[i] / a
			m.scales[i] = a
		}
		if s := m.scales[i]; s > 0 {
			m.normalised += (v / s) * (v / s)
		}
	}
	slope := -weight // of the loss by the prediction, where that is too short
	if over := m.value(x) - run; over >= 0 {
		slope = 2 * weight * over
	}
	if slope == 0 {
		return
	}
	rate := linearRate * math.Sqrt(float64(m.learned)/m.normalised)
	for i, v := range x {
		g := slope * v
		if g == 0 {
			continue
		}
		m.gradients[i] += g * g
		m.weights[i] -= rate * g / (m.scales[i] * math.Sqrt(m.gradients[i]))
	}
}
