package predict

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// QBETS is BMBP with groups that it finds itself. It divides the jobs by
// requested run time into at most three ranges
// whose waits differ most, and each range has a BMBP of its own. Nurmi, Brevik
// and Wolski (2007), "QBETS: queue bounds estimation from time series"; the
// constants are those of the authors' program.
//
// After every 100 waits the ranges are computed again. An unchanged range keeps
// its BMBP; the waits of a changed one are replayed through a new BMBP. A range
// with fewer waits than a bound needs takes in the next higher ranges, then the
// lower ones. Jobs without the value form one more group.
//
// There are two differences from the paper. The ranges are computed from the
// last 5000 waits, and the bounds of a new range from these and later ones: the
// authors' program takes all waits, in time quadratic in the length of the log.
// The authors' detector of downtimes, which takes the machine to be down when no
// job has started for longer than a BMBP bound, at 0.99, of the time between
// starts, is left out. Here the waits of a downtime are learned like all others, and
// the change points handle the runs of misses.
type QBETS struct {
	bmbp  *BMBP // its rank and rules; it has no groups of its own
	kept  int   // waits of which the ranges are made
	outer grouped[*qbetsGroup]
}

const (
	qbetsEvery = 100  // new waits until the ranges are made anew
	qbetsKept  = 5000 // the last waits of which they are made
)

// qbetsGroup is the jobs of one outer group.
type qbetsGroup struct {
	past   []qbetsWait // the last of them, by the time at which they became known
	seen   int         // waits, ever
	new    int         // since the ranges were made
	sorted []qbetsWait // those of which the ranges were made, by wait
	tops   []float64   // the largest value of each range but the last
	ranges []qbetsRange
	rest   *bmbpGroup // jobs without the value
}

// qbetsWait is the wait of the seq-th job of a group, and what the job is divided
// by.
type qbetsWait struct {
	value, wait float64
	seq         int
}

var _ BoundPredictor = (*QBETS)(nil)

// NewQBETS returns a QBETS without history. o.Groups divides the jobs before
// QBETS does, such as by queue, as the authors do; nil means one group.
func NewQBETS(quantile, confidence float64, o BoundOptions) (*QBETS, error) {
	b, err := NewBMBP(quantile, confidence, BoundOptions{})
	if err != nil {
		return nil, err
	}
	classes := o.Groups
	if classes == nil {
		if classes, err = workload.NewClassifier(nil); err != nil {
			return nil, err
		}
	}
	q := &QBETS{bmbp: b, kept: qbetsKept}
	q.outer = newGrouped(classes, func() *qbetsGroup {
		all := qbetsRange{math.Inf(-1), math.Inf(1), true, b.groups.fresh()}
		return &qbetsGroup{ranges: []qbetsRange{all}, rest: b.groups.fresh()}
	})
	return q, nil
}

// Name returns "qbets".
func (*QBETS) Name() string { return "qbets" }

// value is the requested run time, NaN where it is unknown.
func value(r *workload.Request) float64 {
	if math.IsInf(r.Time, 0) {
		return math.NaN()
	}
	return r.Time
}

// at returns the range of a value.
func (g *qbetsGroup) at(v float64) (*bmbpGroup, int) {
	if math.IsNaN(v) {
		return g.rest, -1
	}
	i, _ := slices.BinarySearch(g.tops, v) // the first whose top is not below
	return g.ranges[i].waits, i
}

// Predict implements BoundPredictor.
func (q *QBETS) Predict(r workload.Request) (Bound, bool) {
	g := q.outer.at(&r)
	of, i := g.of.at(value(&r))
	label := fmt.Sprintf("%s, range %d of %d", g.label, i+1, len(g.of.ranges))
	if i < 0 {
		label = g.label + ", no value"
	}
	return q.bmbp.bound(of, label)
}

// Observe is as BoundPredictor says.
func (q *QBETS) Observe(j workload.Job, given Bound) {
	if !knownWait(&j) {
		return
	}
	g := q.outer.at(&j.Request).of
	v := value(&j.Request)
	of, _ := g.at(v)
	q.bmbp.learn(of, j.Wait, given.Seconds)
	if math.IsNaN(v) {
		return
	}
	g.past = append(g.past, qbetsWait{v, j.Wait, g.seen})
	g.seen++
	if len(g.past) >= 2*q.kept {
		g.past = append([]qbetsWait(nil), g.past[len(g.past)-q.kept:]...)
	}
	if g.new++; g.new >= qbetsEvery {
		g.new = 0
		q.divide(g)
	}
}
