package score

// BoundTally accumulates upper bounds of waits. The zero value is empty.
type BoundTally struct {
	points            points
	nonZero           int // predicted jobs that waited
	nonZeroNotCovered int
}

// Bound is how well upper bounds of waits held, and how tight they were.
type Bound struct {
	Jobs      int
	Predicted int // jobs that had a bound

	// Coverage is the share of the jobs with a bound whose wait is not above
	// it, in [0, 1]: to be compared with the quantile that was asked for.
	Coverage float64
	// NonZero is how many jobs with a bound waited at all, NonZeroCoverage the
	// share of these that is covered, in [0, 1]. Jobs that start at once are
	// covered by any bound and make Coverage look better than it is.
	NonZero         int
	NonZeroCoverage float64

	AccuracyMean      float64 // of the bound as a prediction, in [0, 1]
	AbsoluteErrorMean float64 // of the bound as a prediction, min

	// The shares of the jobs with a bound whose bound was below the actual
	// wait, equal to it, and above it: %, together 100. Sonmez and others
	// (2009), table 3.
	UnderPct, PerfectPct, OverPct float64
}

// Add enters one job: the bound of its wait, NaN where there was none, and its
// actual wait, both in seconds. An infinite bound is none. A job whose actual
// wait is unknown is not counted.
func (t *BoundTally) Add(bound, actual float64) {
	if _, ok := t.points.add(bound, actual); !ok || actual <= 0 {
		return
	}
	t.nonZero++
	if actual > bound {
		t.nonZeroNotCovered++
	}
}

// Merge adds all jobs of o.
func (t *BoundTally) Merge(o *BoundTally) {
	t.points.merge(&o.points)
	t.nonZero += o.nonZero
	t.nonZeroNotCovered += o.nonZeroNotCovered
}

// Result returns the scores of the jobs so far.
func (t *BoundTally) Result() Bound {
	p := &t.points
	return Bound{
		Jobs:              p.jobs,
		Predicted:         p.predicted(),
		Coverage:          ratio(p.perfect+p.over, p.predicted()),
		NonZero:           t.nonZero,
		NonZeroCoverage:   ratio(t.nonZero-t.nonZeroNotCovered, t.nonZero),
		AccuracyMean:      p.accuracy.Mean(),
		AbsoluteErrorMean: p.miss.Mean() / secondsPerMinute,
		UnderPct:          100 * ratio(p.under, p.predicted()),
		PerfectPct:        100 * ratio(p.perfect, p.predicted()),
		OverPct:           100 * ratio(p.over, p.predicted()),
	}
}
