package score

import "github.com/loadstone-hpc/loadstone/stats"

// BoundTally accumulates upper bounds of waits. The zero value is empty.
type BoundTally struct {
	points            points
	nonZero           int // predicted jobs that waited
	nonZeroNotCovered int

	// Outwaited is the number of jobs that have not started and have already
	// waited longer than their bounds. They count as not covered, and in no
	// other score.
	Outwaited int
}

// Bound contains the scores of upper bounds of waits. AccuracyMean and
// AbsoluteErrorMean (minutes) are of the bound as a prediction.
type Bound struct {
	WaitPoints
	NonZero int `json:"-"` // jobs with a bound that waited at all
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

// Result returns the scores of the jobs so far.
func (t *BoundTally) Result() Bound {
	p := &t.points
	b := Bound{WaitPoints: p.wait(), NonZero: t.nonZero}
	b.Coverage = stats.Number(ratio(p.perfect+p.over, b.Predicted+t.Outwaited))
	b.NonZeroCoverage = stats.Number(ratio(t.nonZero-t.nonZeroNotCovered, t.nonZero+t.Outwaited))
	return b
}
