package evaluate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// submissions are the first and the last of a log, s, and the blocks of time
// that a bootstrap draws.
type submissions struct {
	first, last float64
	some        bool

	length float64 // of a block, s; 0 where the log is too short
	name   string  // week or day
}

func (s *submissions) add(at float64) {
	if math.IsNaN(at) || math.IsInf(at, 0) {
		return
	}
	if !s.some {
		s.first, s.last, s.some = at, at, true
	}
	s.first, s.last = min(s.first, at), max(s.last, at)
}

// leastBlocks is how many blocks of time a log has to have: fewer tell too
// little of how much they differ.
const leastBlocks = 10

// settle chooses the blocks: weeks, or days where there are too few of them.
func (s *submissions) settle() {
	for _, b := range []struct {
		seconds float64
		name    string
	}{{7 * 86400, "week"}, {86400, "day"}} {
		if s.last-s.first >= leastBlocks*b.seconds {
			s.length, s.name = b.seconds, b.name
			return
		}
	}
}

// of is the number of the block of a submission.
func (s *submissions) of(at float64) int64 {
	return int64(math.Floor(max(-1e15, min(1e15, (at-s.first)/s.length))))
}

// WaitsCoverage is the coverage of bounds over time.
type WaitsCoverage struct {
	Block       string  // week or day; "" where the log is too short for either
	Merged      int64   // number of blocks in a stretch
	First, Last float64 // s, submissions
	Clock       workload.Clock
	Bounds      []BoundCoverage
}

// BoundCoverage is the share of waits, in [0, 1], that the bounds of one
// predictor covered in stretches of time from From to To, in seconds of the
// log.
type BoundCoverage struct {
	Predictor, Waits string
	From, To, Share  []float64
}

// mostStretches is in how many stretches of time coverage is at most.
const mostStretches = 60

// coverage is that of all bounds that had a prediction.
func (r *waits) coverage() WaitsCoverage {
	c := WaitsCoverage{Block: r.span.name, First: r.span.first, Last: r.span.last, Clock: r.clock}
	if r.span.length == 0 {
		return c
	}
	c.Merged = int64(math.Ceil(float64(r.span.of(r.span.last)+1) / mostStretches))
	for _, t := range r.tallies {
		if blocks := t.blocks.Blocks(); t.isBound() && len(blocks) > 0 {
			b := stretches(blocks, c.Merged)
			b.Predictor, b.Waits = t.predictor, t.waits
			for k := range b.From {
				b.From[k], b.To[k] = r.span.first+b.From[k]*r.span.length, r.span.first+b.To[k]*r.span.length
			}
			c.Bounds = append(c.Bounds, b)
		}
	}
	return c
}

// stretches puts so many blocks into one stretch; the ends are in blocks.
func stretches(blocks []score.WaitBlock, merged int64) BoundCoverage {
	var c BoundCoverage
	var jobs []float64
	for _, b := range blocks {
		from := float64(b.Block - ((b.Block%merged)+merged)%merged)
		if k := len(c.From); k == 0 || c.From[k-1] != from {
			c.From, c.To = append(c.From, from), append(c.To, from+float64(merged))
			c.Share, jobs = append(c.Share, 0), append(jobs, 0)
		}
		k := len(c.From) - 1
		n := float64(b.Predicted)
		jobs[k] += n
		c.Share[k] += (b.Held - c.Share[k]) * n / jobs[k]
	}
	return c
}
