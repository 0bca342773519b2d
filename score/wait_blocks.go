package score

import (
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// WaitBlocks accumulates what one predictor of waits is worth in blocks of
// time, weeks say. Jobs that are submitted close to each other meet one queue
// and are missed alike, so that blocks, not jobs, are what a bootstrap draws:
// intervals by job would be far too narrow. The zero value is empty.
type WaitBlocks struct {
	blocks map[int64]*blockSums
}

// blockSums are of the predicted jobs of one block.
type blockSums struct {
	predicted, held, accuracy float64
	logs                      stats.Correlation // of ln predicted, ln actual
}

// WaitIntervals is how surely the scores of a predictor of waits are known.
type WaitIntervals struct {
	Blocks   int // that had a prediction
	Accuracy Interval
	// Held is of the share of the predicted jobs whose wait is not above what
	// was predicted: a bound's coverage.
	Held           Interval
	CorrelationLog Interval // WaitTally's
}

// WaitBlock is one block of time.
type WaitBlock struct {
	Block     int64
	Predicted int
	Held      float64 // share of these whose wait is not above what was predicted
}

// Add enters one job of a block: its predicted wait or bound, NaN where there
// was none, and its actual wait, both in seconds.
func (b *WaitBlocks) Add(block int64, predicted, actual float64) {
	if !finite(predicted) || !finite(actual) {
		return
	}
	s := b.blocks[block]
	if s == nil {
		if b.blocks == nil {
			b.blocks = map[int64]*blockSums{}
		}
		s = new(blockSums)
		b.blocks[block] = s
	}
	s.predicted++
	s.accuracy += stats.Accuracy(predicted, actual)
	if actual <= predicted {
		s.held++
	}
	if predicted > 0 && actual > 0 {
		s.logs.Add(math.Log(predicted), math.Log(actual))
	}
}

// Merge adds all jobs of o.
func (b *WaitBlocks) Merge(o *WaitBlocks) {
	for block, s := range o.blocks {
		if b.blocks == nil {
			b.blocks = map[int64]*blockSums{}
		}
		if b.blocks[block] == nil {
			b.blocks[block] = new(blockSums)
		}
		b.blocks[block].add(s, 1)
	}
}

func (s *blockSums) add(o *blockSums, times int) {
	s.predicted += float64(times) * o.predicted
	s.held += float64(times) * o.held
	s.accuracy += float64(times) * o.accuracy
	for range times {
		s.logs.Merge(o.logs)
	}
}

// Blocks returns the blocks that had a prediction, in their order.
func (b *WaitBlocks) Blocks() []WaitBlock {
	var all []WaitBlock
	for _, block := range slices.Sorted(maps.Keys(b.blocks)) {
		s := b.blocks[block]
		all = append(all, WaitBlock{block, int(s.predicted), s.held / s.predicted})
	}
	return all
}

// Intervals draws blocks with replacement, as many as there are, replicates
// times, and returns the percentile intervals of that level (0.95 for 95 %).
// Their bounds are NaN of fewer than two blocks. The same seed gives the same
// intervals.
func (b *WaitBlocks) Intervals(replicates int, level float64, seed uint64) WaitIntervals {
	keys := slices.Sorted(maps.Keys(b.blocks))
	var whole blockSums
	for _, k := range keys {
		whole.add(b.blocks[k], 1)
	}
	var accuracies, held, correlations []float64
	if len(keys) < 2 {
		replicates = 0
	}
	resample(len(keys), replicates, seed, func(times []int) {
		var drawn blockSums
		for i, t := range times {
			drawn.add(b.blocks[keys[i]], t)
		}
		accuracies = append(accuracies, drawn.accuracy/drawn.predicted)
		held = append(held, drawn.held/drawn.predicted)
		// A draw may lack all that varies.
		if r := drawn.logs.R(); r == r {
			correlations = append(correlations, r)
		}
	})
	return WaitIntervals{
		Blocks:         len(keys),
		Accuracy:       interval(whole.accuracy/whole.predicted, accuracies, level),
		Held:           interval(whole.held/whole.predicted, held, level),
		CorrelationLog: interval(whole.logs.R(), correlations, level),
	}
}
