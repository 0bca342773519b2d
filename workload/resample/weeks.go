package resample

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/internal/placement"
)

const (
	// tries is the number of moves that compete for a user, including the present one, and passes
	// the number of times that each user is moved.
	tries  = 20
	passes = 2
	// effort limits tries in a log of very many users and days: it is the number of loads that a
	// pass may examine.
	effort = 2e8
	// jitter is the largest number of seconds by which a user is moved in addition to whole
	// periods. Without it, two twins of a log of n weeks would have at least 1/n of their jobs in
	// common, and all jobs of the busiest user if both move that user alike.
	jitter = 300
)

// ring is the time of one lap: as long as the log, and closed to a ring, so that jobs moved beyond
// its end continue at its beginning, at the same second of the period (usually of the week). Times
// are seconds from the log's first submission, in local time.
type ring struct {
	begin  float64 // beginning of the lap
	span   float64 // s
	period float64 // s
	offset float64 // s, beginning of the lap within the log's period
}

func (s *source) ring(lap int64) ring {
	period, _ := s.period()
	begin := float64(lap) * s.span
	return ring{begin, s.span, period, begin - math.Floor(begin/period)*period}
}

// place moves a time of the log into the lap, by move periods and jitter seconds.
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

// spot returns the period k of the ring in which a time of the log lies, 0 <= k < n, and its phase,
// the seconds from the beginning of that period. The second of the period occurs n times in the
// ring. n differs by one between seconds if the log is not a whole number of periods; since each
// has a ring of its own, jobs are neither lost nor added.
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

// move sets the number of periods by which each member of a lap is moved: at random, but so that
// the course of the lap is close to that of the whole log moved by a random number of periods.
func (t *Twin) move(r *ring, members []member, factor, window float64, rng *rand.Rand) {
	_, n := t.period()
	begun := 0 // periods by which the log as a whole is moved
	if n > 1 {
		begun = n - 1 - rng.IntN(n-1)
	}
	draw := func(int) int {
		for n > 1 {
			// Never by 0, which would give the log itself, nor by begun, which would give the
			// target: the whole log, moved.
			if m := 1 + rng.IntN(n-1); n < 4 || m != begun {
				return m
			}
		}
		return 0
	}
	moves, weights := make([]int, len(members)), make([]float64, len(members))
	for i := range members {
		moves[i], weights[i] = draw(i), members[i].work
		members[i].jitter = float64(rng.IntN(2*jitter+1) - jitter)
	}
	if n > 2 && len(members) > 1 && window >= r.period {
		lots := make([][]lot, len(t.users))
		for u := range t.users {
			lots[u] = t.users[u].lots(r)
		}
		target, lap := t.course(factor, window), t.course(factor, window)
		for u := range lots {
			target.add(lots[u], begun, factor)
		}
		target.scale(factor * t.total * window / t.span)
		fit := newFit(target)
		put := func(i, move int, sign float64) float64 {
			lap.add(lots[members[i].user], move, sign)
			return 0 // not used, since Cost is set
		}
		placement.Search[int]{
			Weights: weights,
			Passes:  passes,
			Tries:   func(int) int { return int(min(tries, effort/float64(len(members))/float64(len(lap.loads)))) },
			Draw:    draw,
			Put:     put,
			Cost: func(i, move int) float64 {
				put(i, move, 1)
				misfit := fit.misfit(lap)
				put(i, move, -1)
				return misfit
			},
		}.Improve(moves, rng)
	}
	for i := range members {
		members[i].move = float64(moves[i])
	}
}
