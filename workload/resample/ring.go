package resample

import "math"

// ring is the time of one lap: as long as the log, and closed, so that what
// moves beyond its end comes in again at its begin, at the same second of the
// period (of the week, mostly). Times are seconds from the log's first
// submission, local.
type ring struct {
	begin  float64 // of the lap
	span   float64 // s
	period float64 // s
	offset float64 // s, of the lap's begin within the log's period
}

func (s *source) ring(lap int64) ring {
	period, _ := s.period()
	begin := float64(lap) * s.span
	return ring{begin, s.span, period, begin - math.Floor(begin/period)*period}
}

// place moves a time of the log into the lap, by whole periods and by jitter
// seconds.
func (r *ring) place(at, move, jitter float64) float64 {
	k, phase, n := r.spot(at + jitter)
	if n <= 1 {
		return r.begin + math.Min(phase, r.span)
	}
	if k += move; k >= n {
		k -= math.Floor(k/n) * n
	}
	return r.begin + k*r.period + phase
}

// spot is the period of the ring, below n, that a time of the log is in, and the
// seconds from that period's begin. A second of the period occurs n times in the
// ring, which differs by one between them where the log is no whole number of
// periods: each has a ring of its own, and jobs are neither lost nor made.
func (r *ring) spot(at float64) (k, phase, n float64) {
	raw := at - r.offset
	k = math.Floor(raw / r.period)
	phase = raw - k*r.period
	n = max(1, math.Ceil((r.span-phase)/r.period))
	if k -= math.Floor(k/n) * n; k >= n { // the quotient was rounded
		k = 0
	}
	return k, phase, n
}
