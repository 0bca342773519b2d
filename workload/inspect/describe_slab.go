package inspect

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// slab is one batch, with the columns that several parts of a description need
// as plain slices. It is read by all parts at once and changed by none.
type slab struct {
	*workload.View
	submit, wait, run []float64 // NaN where unknown; submit also where it is beyond latestTime
	size, user        []int64   // size as workload.Request.Size
}

// latestTime bounds what can be a time: 32 million years. Beyond it the
// arithmetic of intervals breaks down.
const latestTime = 1e15

// part gathers one part of a description. Parts see the same slabs in the same
// order and share nothing, so that they run side by side and the result does
// not depend on how many do.
type part interface{ add(s *slab) }

// fill loads another batch into the slab's memory.
func (s *slab) fill(v *workload.View) {
	n := v.Len()
	s.View = v
	s.submit, s.wait, s.run = resized(s.submit, n), resized(s.wait, n), resized(s.run, n)
	s.size, s.user = resized(s.size, n), resized(s.user, n)
	for i := range n {
		s.submit[i] = v.Float(workload.ColSubmitTime, i)
		if math.Abs(s.submit[i]) > latestTime {
			s.submit[i] = math.NaN()
		}
		s.wait[i] = v.Float(workload.ColWaitTime, i)
		s.run[i] = v.Float(workload.ColRunTime, i)
		s.user[i] = v.Int(workload.ColUser, i)
		s.size[i] = v.Size(i)
	}
}

func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
