package score

import (
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// WaitBlocks accumulates the scores of one predictor of waits in blocks of
// time, such as weeks. Jobs submitted close to each other meet the same queue,
// and their prediction errors are alike, so the bootstrap draws blocks, not
// jobs: drawing jobs would give far too narrow intervals. The zero value is
// empty.
type WaitBlocks struct {
	// Quantile of the waits that bounds predict, in (0, 1), for Sums.Loss; 0 if
	// the predictions are no bounds.
	Quantile float64

	blocks map[int64]*Sums // of all that have a scored job
	jobs   uint64          // as in Clusters
}

// WaitIntervals contains confidence intervals of the scores of a predictor of
// waits.
type WaitIntervals struct {
	Blocks   int // that had a prediction
	Accuracy Interval
	// Held is the share of the predicted jobs whose wait does not exceed the
	// prediction: the coverage of a bound.
	Held           Interval
	CorrelationLog Interval // WaitTally's
}

// WaitBlock contains the scores of one block of time of WaitBlocks.
type WaitBlock struct {
	Block     int64
	Predicted int
	Held      float64 // share of these whose wait does not exceed the prediction
}

// Add enters one job of a block: its predicted wait or bound (NaN if there was
// none) and its actual wait, both in seconds.
func (b *WaitBlocks) Add(block int64, predicted, actual float64) {
	if !finite(actual) {
		return
	}
	b.jobs += identify(block, actual)
	s := b.of(block)
	if !finite(predicted) {
		return
	}
	s.Predicted++
	s.Accuracy += stats.Accuracy(predicted, actual)
	if actual <= predicted {
		s.Held++
	}
	if b.Quantile > 0 {
		s.Loss += stats.QuantileLoss(b.Quantile, predicted, actual) / secondsPerMinute
	}
	if predicted > 0 && actual > 0 {
		s.Logs.Add(math.Log(predicted), math.Log(actual))
	}
}

// of finds the sums of a block.
func (b *WaitBlocks) of(block int64) *Sums {
	s := b.blocks[block]
	if s == nil {
		if b.blocks == nil {
			b.blocks = map[int64]*Sums{}
		}
		s = new(Sums)
		if b.Quantile == 0 {
			s.Loss = math.NaN()
		}
		b.blocks[block] = s
	}
	return s
}

// Clusters returns the sums of all blocks that have a scored job, in ascending
// order.
func (b *WaitBlocks) Clusters() Clusters {
	c := Clusters{Jobs: b.jobs}
	for _, block := range slices.Sorted(maps.Keys(b.blocks)) {
		c.Sums = append(c.Sums, *b.blocks[block])
	}
	return c
}

// predicted are the blocks that had a prediction, in their order.
func (b *WaitBlocks) predicted() []int64 {
	var all []int64
	for _, block := range slices.Sorted(maps.Keys(b.blocks)) {
		if b.blocks[block].Predicted > 0 {
			all = append(all, block)
		}
	}
	return all
}

// Blocks returns the blocks with at least one prediction, in ascending order.
func (b *WaitBlocks) Blocks() []WaitBlock {
	var all []WaitBlock
	for _, block := range b.predicted() {
		s := b.blocks[block]
		all = append(all, WaitBlock{block, int(s.Predicted), s.HeldShare()})
	}
	return all
}

// Intervals draws blocks with replacement, as many as there are, replicates
// times, and returns the percentile intervals of that level (0.95 for 95 %).
// Low and High are NaN if there are fewer than two blocks. The same seed gives
// the same intervals.
func (b *WaitBlocks) Intervals(replicates int, level float64, seed uint64) WaitIntervals {
	keys := b.predicted()
	var whole Sums
	for _, k := range keys {
		whole.add(b.blocks[k], 1)
	}
	var accuracies, held, correlations []float64
	if len(keys) < 2 {
		replicates = 0
	}
	resample(len(keys), replicates, seed, func(times []int) {
		var drawn Sums
		for i, t := range times {
			drawn.add(b.blocks[keys[i]], t)
		}
		accuracies = append(accuracies, drawn.AccuracyMean())
		held = append(held, drawn.HeldShare())
		// A draw may lack all that varies.
		if r := drawn.CorrelationLog(); r == r {
			correlations = append(correlations, r)
		}
	})
	return WaitIntervals{
		Blocks:         len(keys),
		Accuracy:       interval(whole.AccuracyMean(), accuracies, level),
		Held:           interval(whole.HeldShare(), held, level),
		CorrelationLog: interval(whole.CorrelationLog(), correlations, level),
	}
}
