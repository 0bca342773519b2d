package inspect

import (
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ordered passes submission times on in ascending order. It leaves out and counts a time
// that is too late for workload.OrderBuffer, because a description of the other jobs is
// still useful.
//
// Until another part is merged it describes one part of a log. A part keeps the times at
// both of its ends, as many as a log may be out of order by, because jobs of its neighbours
// may belong between them. Times in the middle are only counted.
type ordered struct {
	buffer  *workload.OrderBuffer[float64]
	jobs    int64 // passed on
	leftOut int64
	head    []float64 // of a part: passed on first, in order
	middle  *bursts   // of a part: after them
	whole   *bursts   // of parts merged so far; nil before
	cut     bool      // one of these does not hold all its times
}

func newOrdered() *ordered {
	o := &ordered{middle: newBursts()}
	for _, c := range o.middle.counts {
		c.Apart = true
	}
	o.buffer = workload.NewOrderBuffer(func(at *float64) float64 { return *at }, func(at *float64) bool {
		o.submitted(*at)
		return true
	})
	return o
}

// submitted takes the next submission in order.
func (o *ordered) submitted(at float64) {
	o.jobs++
	switch {
	case o.whole != nil:
		o.whole.submitted(at)
	case len(o.head) < 2*o.buffer.Window:
		o.head = append(o.head, at)
	default:
		o.middle.submitted(at)
	}
}

func (o *ordered) add(s *slab) {
	for _, at := range s.submit {
		if !math.IsNaN(at) {
			o.one(at)
		}
	}
}

func (o *ordered) one(at float64) {
	if !o.buffer.Add(at, &at) {
		o.leftOut++
	}
}

// begin makes o the first of several parts to be merged.
func (o *ordered) begin() {
	if o.whole != nil {
		return
	}
	o.whole, o.cut = newBursts(), len(o.head) > 0
	for _, at := range o.head {
		o.whole.submitted(at)
	}
	o.whole.append(o.middle)
	o.head, o.middle = nil, newBursts()
}

var errDisorder = errors.New("jobs stand too far from their place in order of submission to be put in order part by part: describe the log in one run, or sort it")

// merge adds a later part.
func (o *ordered) merge(later *ordered) error {
	o.begin()
	o.cut = o.cut || len(later.head) > 0
	for _, at := range later.head {
		o.one(at)
	}
	if later.middle.begun {
		if !o.skip(later.middle) {
			return errDisorder
		}
		o.jobs += later.jobs - int64(len(later.head))
		o.whole.append(later.middle)
	}
	for _, at := range later.buffer.Held() {
		o.one(at)
	}
	if o.cut && o.leftOut+later.leftOut > 0 {
		return errDisorder
	}
	return nil
}

// skip passes on what comes before the middle of a part, and reports whether what remains
// comes after it.
func (o *ordered) skip(middle *bursts) bool {
	o.buffer.PassUpTo(middle.first)
	for _, at := range o.buffer.Held() {
		if at < middle.last {
			return false
		}
	}
	o.buffer.Skip(middle.last)
	return true
}

func (o *ordered) found() Bursts {
	o.begin()
	o.buffer.Finish()
	return o.whole.found(o.jobs, o.leftOut)
}
