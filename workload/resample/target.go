package resample

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
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

// profile is the work of the log's periods, with a short last one as busy as
// the one before.
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
// end: the log's profile, begun roll periods later, at factor times its mean.
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
	if sum > 0 {
		for i := range out {
			out[i] *= factor * s.total * window / s.span / sum
		}
	}
	return out
}

// move gives each member of a lap the periods that it is moved by: at random,
// and so that the lap's work by period comes near the target. Members are taken
// out one by one, the ones with the most work first, more or less, and put back
// where, of the present place and some at random, the sum of squared differences
// grows least.
func (t *Twin) move(r *ring, members []member, factor, window float64, rng *rand.Rand) {
	s := t.source
	width, n := s.period()
	roll := 0
	if t.o.Weeks != Kept && n > 1 {
		roll = 1 + rng.IntN(n-1)
	}
	draw := func() float64 {
		if n < 2 {
			return 0
		}
		for {
			// Never by 0, which is the log, nor by the target's own, which is the log
			// begun elsewhere.
			if m := 1 + rng.IntN(n-1); n < 4 || m != (n-roll)%n {
				return float64(m)
			}
		}
	}
	for i := range members {
		members[i].move = draw()
		members[i].jitter = float64(rng.IntN(2*jitter+1) - jitter)
	}
	if n < 3 || len(members) < 2 {
		return
	}
	gap := s.target(factor, roll, window) // what is missing
	put := func(m *member, move, sign float64) {
		for _, c := range s.users[m.user].cells {
			if at := r.place(c.at, move, m.jitter) - r.begin; at < window {
				gap[min(int(at/width), len(gap)-1)] -= sign * c.work
			}
		}
	}
	for i := range members {
		put(&members[i], members[i].move, 1)
	}
	weights := make([]float64, len(members))
	order := make([]int, len(members))
	for range passes {
		for i := range members {
			order[i], weights[i] = i, members[i].work*(.5+.5*rng.Float64())
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b)) })
		for _, i := range order {
			m := &members[i]
			put(m, m.move, -1)
			best, least := m.move, math.Inf(1)
			for try := range tries {
				move := m.move
				if try > 0 {
					move = draw()
				}
				put(m, move, 1)
				sum := 0.0
				for _, x := range gap {
					sum += x * x
				}
				put(m, move, -1)
				if sum < least {
					best, least = move, sum
				}
			}
			m.move = best
			put(m, best, 1)
		}
	}
}
