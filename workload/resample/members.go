package resample

import (
	"math"
	"math/rand/v2"
)

// member is a user in a lap of the twin.
type member struct {
	user   int32
	copy   int32 // of the user in this lap, from 0
	lo, hi int32 // its jobs, in source.row: all of the user's, but for one member of a lap
	work   float64
	move   float64 // periods
	jitter float64 // s
}

// members chooses the users of a lap, so that they bring factor times the log's
// work: all of them as often as factor is whole, then some at random, the last
// of which only with the part of its jobs that makes the sum.
func (s *source) members(factor float64, rng *rand.Rand) []member {
	whole := math.Floor(factor + 1e-9)
	var out []member
	for c := range int32(whole) {
		for u := range s.users {
			out = append(out, s.member(int32(u), c))
		}
	}
	left := (factor - whole) * s.total
	if left <= 1e-9*s.total {
		return out
	}
	for _, u := range rng.Perm(len(s.users)) {
		m := s.member(int32(u), int32(whole))
		if m.work <= left {
			left -= m.work
			out = append(out, m)
			continue
		}
		if s.cut(&m, left, rng); m.hi > m.lo {
			out = append(out, m)
		}
		break
	}
	return out
}

func (s *source) member(u, c int32) member {
	of := &s.users[u]
	return member{user: u, copy: c, lo: of.lo, hi: of.hi, work: of.work}
}

// cut leaves of a member a stretch of its jobs, begun at random, that does so
// much work.
func (s *source) cut(m *member, work float64, rng *rand.Rand) {
	n := m.hi - m.lo
	begin := m.lo + int32(rng.IntN(int(n)))
	sum, i := 0.0, begin
	for ; i < m.hi; i++ {
		if sum+s.work[i] > work {
			break
		}
		sum += s.work[i]
	}
	lo := begin
	if i == m.hi {
		for lo > m.lo && sum+s.work[lo-1] <= work {
			lo--
			sum += s.work[lo]
		}
	}
	m.lo, m.hi, m.work = lo, i, sum
}
