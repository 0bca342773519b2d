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
// seconds. Every second of the period occurs n or n-1 times in the lap, so n
// differs between them: each has its own ring, and jobs are neither lost nor
// made where the log is no whole number of periods.
func (r *ring) place(at, move, jitter float64) float64 {
	raw := at - r.offset + jitter
	k := math.Floor(raw / r.period)
	phase := raw - k*r.period
	n := math.Ceil((r.span - phase) / r.period)
	if n <= 1 {
		return r.begin + math.Min(phase, r.span)
	}
	k += move
	if k -= math.Floor(k/n) * n; k >= n { // the quotient was rounded
		k = 0
	}
	return r.begin + k*r.period + phase
}
