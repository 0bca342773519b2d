package allocate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
)

// biasLine is the least-squares line of ln actual on ln predicted over the
// predictions whose outcome is known by now: as predict.Unbiased, which learns
// what heads of a queue have waited. Here the outcome is known when the jobs
// that ran at the decision have freed the processors, whether the one that
// decided waited for them or not: what runs ends in the open.
type biasLine struct {
	line stats.Correlation
	// given is the line of a run before, in place of what is learnt; nil is none.
	given *Bias
	// waiting is a heap, the first to be known on top.
	waiting []outcome
}

// outcome is a prediction that will be known to be right or wrong.
type outcome struct {
	at, predicted, actual float64 // s, and logarithms
}

// linesFrom is how many outcomes there are before a prediction is corrected.
const linesFrom = 30

func (b *biasLine) correct(predicted float64) float64 {
	n, slope, intercept := b.line.N(), b.line.Slope(), b.line.Intercept()
	if b.given != nil {
		n, slope, intercept = b.given.Predictions, b.given.Slope, b.given.Intercept
	}
	if n < linesFrom || !(slope > 0) || math.IsInf(predicted, 1) {
		return predicted
	}
	return min(max(math.Exp(intercept+float64(slope*math.Log(predicted))), predict.Shortest), predict.Longest)
}

// expect notes a prediction and when its outcome will be known.
func (b *biasLine) expect(at, predicted, actual float64) {
	if !(actual > 0) || math.IsInf(predicted, 1) { // no prediction
		return
	}
	h := append(b.waiting, outcome{at, math.Log(predicted), math.Log(actual)})
	b.waiting = h
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[up].at <= h[i].at {
			break
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

// learn enters what is known by now.
func (b *biasLine) learn(now float64) {
	for len(b.waiting) > 0 && b.waiting[0].at <= now {
		h := b.waiting
		b.line.Add(h[0].predicted, h[0].actual)
		last := len(h) - 1
		h[0] = h[last]
		h = h[:last]
		for i := 0; ; {
			c := 2*i + 1
			if c >= last {
				break
			}
			if c+1 < last && h[c+1].at < h[c].at {
				c++
			}
			if h[i].at <= h[c].at {
				break
			}
			h[i], h[c] = h[c], h[i]
			i = c
		}
		b.waiting = h
	}
}
