package resample

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/internal/placement"
)

const (
	// tries is how many moves compete for a user, its present one among them, and
	// passes how often each user is moved. Mean waits under EASY over those of the
	// log, with 4 and 20 tries: SDSC-SP2 1.2 and 1.1, other logs within .05.
	tries  = 20
	passes = 2
	// jitter is by how many seconds a user is moved beside the periods, at most.
	// Without it two twins of a log of n weeks have at least one in n of their jobs
	// in common, and as many as the busiest user has where that one is moved alike.
	jitter = 300
)

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

// profile is the work of the log's periods.
func (s *source) profile() []float64 {
	width, _ := s.period()
	bins := make([]float64, int(math.Ceil(s.span/width)))
	for u := range s.users {
		for _, c := range s.users[u].cells {
			bins[min(int(c.at/width), len(bins)-1)] += c.work
		}
	}
	return bins
}

// target is how much work each period of a lap is to have, up to the window's
// end: the log's profile, begun roll periods later, at factor times its mean. A short last
// period of the log is as busy as the one before.
func (s *source) target(factor float64, roll int, window float64) []float64 {
	width, _ := s.period()
	log := s.profile()
	n := len(log)
	length := func(i int, end float64) float64 { return min(width, end-float64(i)*width) / width }
	if short := length(n-1, s.span); n > 1 && short < .5 {
		log[n-1] = log[n-2] * short
	}
	out := make([]float64, min(n, int(math.Ceil(window/width))))
	sum := 0.0
	for i := range out {
		from := (i + roll) % n
		out[i] = log[from] / length(from, s.span) * length(i, window)
		sum += out[i]
	}
	for i := range out {
		if sum > 0 {
			out[i] *= factor * s.total * window / s.span / sum
		}
	}
	return out
}

// move gives each member of a lap the periods that it is moved by: at random,
// and so that the lap's work by period comes near the target, in squared
// differences.
func (s *source) move(r *ring, members []member, factor, window float64, rng *rand.Rand) {
	_, n := s.period()
	roll := 0
	if n > 1 {
		roll = 1 + rng.IntN(n-1)
	}
	draw := func(int) int {
		for n > 1 {
			// Never by 0, which is the log, nor by the target's own, which is the log
			// begun elsewhere.
			if m := 1 + rng.IntN(n-1); n < 4 || m != (n-roll)%n {
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
	if n > 2 && len(members) > 1 {
		placement.Search[int]{
			Weights: weights,
			Passes:  passes,
			Tries:   func(int) int { return tries },
			Draw:    draw,
			Put:     s.put(r, members, s.target(factor, roll, window), window),
		}.Improve(moves, rng)
	}
	for i := range members {
		members[i].move = float64(moves[i])
	}
}

// put returns a function that adds a member's work, moved by so many periods, with
// a sign, and returns by how much the sum of the squares of gap, the work that is
// missing by period, grows.
func (s *source) put(r *ring, members []member, gap []float64, window float64) func(member, move int, sign float64) float64 {
	lots := make([][]lot, len(s.users))
	for i := range members {
		if u := members[i].user; lots[u] == nil {
			lots[u] = s.users[u].lots(r, window)
		}
	}
	return func(member, move int, sign float64) (grows float64) {
		for _, x := range lots[members[member].user] {
			at := x.period + move
			if at >= x.of {
				at -= x.of
			}
			if at < len(gap)-1 || at == len(gap)-1 && x.early {
				work := sign * x.work
				grows += work * (work - 2*gap[at])
				gap[at] -= work
			}
		}
		return grows
	}
}

// lot is the work of a user in a period of the ring, before the user is moved.
type lot struct {
	period, of int  // from 0, of so many that the ring has of this part of a period
	early      bool // in the last period of the window it is before the window's end
	work       float64
}

// lots are the work of a user by period.
func (u *sourceUser) lots(r *ring, window float64) (out []lot) {
	last := window - math.Floor((window-1)/r.period)*r.period
	for _, c := range u.cells {
		k, phase, of := r.spot(c.at)
		x := lot{period: int(k), of: int(of), early: phase < last}
		if n := len(out); n == 0 || out[n-1].period != x.period || out[n-1].of != x.of || out[n-1].early != x.early {
			out = append(out, x)
		}
		out[len(out)-1].work += c.work
	}
	return out
}
