package allocate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
)

// biasLine is the least-squares line of ln actual on ln predicted over the
// predictions whose outcome is known by now: as predict.Unbiased, which learns
// what heads of a queue have waited. Here the outcome is known when the jobs
// that ran at the decision have freed the processors, whether the one that
// decided waited for them or not: what runs ends in the open.
type biasLine struct {
	line    stats.Correlation
	waiting heap.Times[outcome] // by when they are known
}

// outcome is a prediction that will be known to be right or wrong.
type outcome struct{ predicted, actual float64 } // logarithms

// linesFrom is how many outcomes there are before a prediction is corrected.
const linesFrom = 30

func (b *biasLine) correct(predicted float64) float64 {
	n, slope, intercept := b.line.N(), b.line.Slope(), b.line.Intercept()
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
	b.waiting.Push(heap.Time[outcome]{At: at, Value: outcome{math.Log(predicted), math.Log(actual)}})
}

// learn enters what is known by now.
func (b *biasLine) learn(now float64) {
	for len(b.waiting) > 0 && b.waiting[0].At <= now {
		x := b.waiting.Pop().Value
		b.line.Add(x.predicted, x.actual)
	}
}
